package org.colonnade.hive;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

import org.apache.hadoop.hive.common.type.Date;
import org.apache.hadoop.hive.common.type.HiveDecimal;
import org.apache.hadoop.hive.common.type.Timestamp;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.CompilationOpContext;
import org.apache.hadoop.hive.ql.exec.OperatorFactory;
import org.apache.hadoop.hive.ql.exec.ReduceSinkOperator;
import org.apache.hadoop.hive.ql.io.AcidUtils;
import org.apache.hadoop.hive.ql.io.DefaultHivePartitioner;
import org.apache.hadoop.hive.ql.io.HiveKey;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.PlanUtils;
import org.apache.hadoop.hive.ql.plan.ReduceSinkDesc;
import org.apache.hadoop.hive.ql.util.NullOrdering;
import org.apache.hadoop.hive.serde.serdeConstants;
import org.apache.hadoop.hive.serde2.binarysortable.BinarySortableSerDe;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspector;
import org.apache.hadoop.hive.serde2.objectinspector.ObjectInspectorFactory;
import org.apache.hadoop.hive.serde2.objectinspector.StructObjectInspector;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hive.common.util.Murmur3;

/**
 * The keys of Hive 4.0.1's reduce sinks, made by Hive: HiveKeys FILE compares the golden values in FILE with it, HiveKeys
 * FILE write writes them. A line has the kind of fact, what it was made of, and what came out; docs/spark-internals.md says
 * what they mean.
 */
public final class HiveKeys {
  private final List<String> lines = new ArrayList<>();

  private HiveKeys() {}

  private void line(String... parts) {
    lines.add(String.join("\t", parts));
  }

  private static StructObjectInspector inspector(String types) {
    List<TypeInfo> infos = TypeInfoUtils.getTypeInfosFromTypeString(types);
    List<String> names = new ArrayList<>();
    List<ObjectInspector> inspectors = new ArrayList<>();
    for (TypeInfo info : infos) {
      names.add("c" + names.size());
      inspectors.add(TypeInfoUtils.getStandardJavaObjectInspectorFromTypeInfo(info));
    }
    return ObjectInspectorFactory.getStandardStructObjectInspector(names, inspectors);
  }

  /** A value as text; what is below a space as \\xx. */
  private static String text(Object value) {
    if (value instanceof byte[] bytes) return "0x" + HexFormat.of().formatHex(bytes);
    StringBuilder text = new StringBuilder();
    for (char c : String.valueOf(value).toCharArray()) text.append(c < ' ' ? String.format("\\%02x", (int) c) : c);
    return text.toString();
  }

  /** BinarySortable bytes of a row, and their Murmur3 with seed 0. order: "+" or "-", nulls: "a" (first) or "z" (last). */
  private void bytes(String types, String order, String nulls, Object... row) throws Exception {
    Properties properties = new Properties();
    StructObjectInspector inspector = inspector(types);
    List<String> names = new ArrayList<>();
    inspector.getAllStructFieldRefs().forEach(field -> names.add(field.getFieldName()));
    properties.setProperty(serdeConstants.LIST_COLUMNS, String.join(",", names));
    properties.setProperty(serdeConstants.LIST_COLUMN_TYPES, types);
    properties.setProperty(serdeConstants.SERIALIZATION_SORT_ORDER, order);
    properties.setProperty(serdeConstants.SERIALIZATION_NULL_SORT_ORDER, nulls);
    BinarySortableSerDe serde = new BinarySortableSerDe();
    serde.initialize(new HiveConf(), properties, null);
    BytesWritable written = (BytesWritable) serde.serialize(Arrays.asList(row), inspector);
    byte[] key = Arrays.copyOf(written.getBytes(), written.getLength());
    List<String> values = new ArrayList<>();
    for (Object value : row) values.add(text(value));
    line("bytes", types, order, nulls, String.join("|", values), HexFormat.of().formatHex(key),
        Integer.toString(Murmur3.hash32(key, key.length, 0)));
  }

  private void everyType() throws Exception {
    Map<String, List<Object>> values = new TreeMap<>();
    values.put("boolean", List.of(true, false));
    values.put("tinyint", List.of((byte) 0, (byte) 1, (byte) -1, Byte.MIN_VALUE, Byte.MAX_VALUE));
    values.put("smallint", List.of((short) 0, (short) 258, Short.MIN_VALUE, Short.MAX_VALUE));
    values.put("int", List.of(0, 1, -1, Integer.MIN_VALUE, Integer.MAX_VALUE));
    values.put("bigint", List.of(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE));
    values.put("float", List.of(0f, -0f, 1.5f, -1.5f, Float.NaN, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY));
    values.put("double", List.of(0d, -0d, 1.5, -1.5, Double.NaN, Double.MIN_VALUE, Double.MAX_VALUE));
    values.put("string", List.of("", "a", "a\0b", "\1", "\0", "größer", "\uD83D\uDE00"));
    values.put("binary", List.of(new byte[0], new byte[] {0, 1, 2, -1}));
    values.put("date", List.of(Date.ofEpochDay(0), Date.valueOf("1969-12-31"), Date.valueOf("2024-02-29")));
    values.put("timestamp", List.of(Timestamp.ofEpochMilli(0), Timestamp.valueOf("2024-02-29 12:34:56.123456789"), Timestamp.valueOf("1969-12-31 23:59:59.999999999")));
    values.put("decimal(10,2)", List.of(HiveDecimal.create("0"), HiveDecimal.create("1.25"), HiveDecimal.create("-1.25"), HiveDecimal.create("100"), HiveDecimal.create("0.01")));
    values.put("decimal(38,10)", List.of(HiveDecimal.create("9999999999999999999999999999.9999999999"), HiveDecimal.create("-0.0000000001")));
    values.put("array<int>", List.of(List.of(), List.of(1, 2), Arrays.asList(1, null)));
    values.put("struct<x:int,y:string>", List.of(Arrays.asList(1, "a"), Arrays.asList(null, null)));
    values.put("map<string,int>", List.of(Map.of(), Map.of("a", 1)));
    for (Map.Entry<String, List<Object>> entry : values.entrySet()) {
      List<Object> all = new ArrayList<>(entry.getValue());
      all.add(null);
      for (Object value : all) {
        bytes(entry.getKey(), "+", "a", value);
        bytes(entry.getKey(), "-", "z", value);
      }
      for (Object value : Arrays.asList(all.get(0), null)) {
        bytes(entry.getKey(), "+", "z", value);
        bytes(entry.getKey(), "-", "a", value);
      }
    }
    bytes("int,string", "++", "aa", 1, "a");
    bytes("int,string", "+-", "az", 1, "a");
    bytes("int,string", "++", "aa", null, "a");
  }

  /** How a sink hashes: by Tez's trait of that name, or by the partition columns' values in one of two ways. */
  private enum Hash {
    UNIFORM,
    BUCKETING_1,
    BUCKETING_2
  }

  /**
   * The reducer that a row is sent to, of several numbers of reducers. The first `keys` columns of the row are the key, the
   * first `partitions` of those partition columns.
   */
  private void reducers(Hash hash, String types, int keys, int partitions, Object... row) throws Exception {
    StructObjectInspector inspector = inspector(types);
    List<TypeInfo> infos = TypeInfoUtils.getTypeInfosFromTypeString(types);
    List<ExprNodeDesc> keyColumns = new ArrayList<>();
    List<ExprNodeDesc> valueColumns = new ArrayList<>();
    List<String> keyNames = new ArrayList<>();
    List<String> valueNames = new ArrayList<>();
    for (int i = 0; i < infos.size(); ++i) {
      (i < keys ? keyColumns : valueColumns).add(new ExprNodeColumnDesc(infos.get(i), "c" + i, "", false));
      (i < keys ? keyNames : valueNames).add("_col" + i);
    }
    ReduceSinkDesc description = PlanUtils.getReduceSinkDesc(keyColumns, keys, valueColumns, new ArrayList<>(), keyNames, valueNames,
        false, -1, new ArrayList<>(keyColumns.subList(0, partitions)), "+".repeat(keys), "a".repeat(keys), NullOrdering.NULLS_FIRST, 10,
        AcidUtils.Operation.NOT_ACID);
    description.setReducerTraits(
        EnumSet.of(hash == Hash.UNIFORM ? ReduceSinkDesc.ReducerTraits.UNIFORM : ReduceSinkDesc.ReducerTraits.FIXED));
    description.setBucketingVersion(hash == Hash.BUCKETING_2 ? 2 : 1);
    ReduceSinkOperator sink = (ReduceSinkOperator) OperatorFactory.get(new CompilationOpContext(), description);
    sink.initialize(new HiveConf(), new ObjectInspector[] {inspector});
    List<HiveKey> sent = new ArrayList<>();
    sink.setOutputCollector((key, value) -> sent.add(copy((HiveKey) key)));
    for (int i = 0; i < 3; ++i) sink.process(Arrays.asList(row), 0);
    List<Integer> hashes = new ArrayList<>();
    for (HiveKey key : sent) hashes.add(key.hashCode());
    boolean same = Collections.frequency(hashes, hashes.get(0)) == hashes.size();
    List<String> chosen = new ArrayList<>();
    for (int n : new int[] {1, 2, 7, 1009}) {
      int reducer = new DefaultHivePartitioner<HiveKey, Object>().getPartition(sent.get(0), null, n);
      if (reducer != (hashes.get(0) & Integer.MAX_VALUE) % n) throw new AssertionError("modulus of " + n);
      chosen.add(n + ":" + reducer);
    }
    List<String> values = new ArrayList<>();
    for (Object value : row) values.add(text(value));
    byte[] key = Arrays.copyOf(sent.get(0).getBytes(), sent.get(0).getLength());
    line("reducer", hash.name().toLowerCase(Locale.ROOT), types, keys + " keys", partitions + " partition columns", String.join("|", values),
        HexFormat.of().formatHex(key), same ? hashes.get(0).toString() : "differs from row to row", same ? String.join(",", chosen) : "");
  }

  private static HiveKey copy(HiveKey key) {
    HiveKey copied = new HiveKey(Arrays.copyOf(key.getBytes(), key.getLength()), key.hashCode());
    copied.setDistKeyLength(key.getDistKeyLength());
    return copied;
  }

  private void reduceSinks() throws Exception {
    for (Hash hash : Hash.values()) {
      reducers(hash, "bigint,string", 1, 1, 42L, "v");
      reducers(hash, "bigint,string", 1, 1, null, "v");
      reducers(hash, "string,bigint", 1, 1, "key", 1L);
      reducers(hash, "string,bigint", 1, 1, "", 1L);
      reducers(hash, "string,bigint", 1, 1, null, 1L);
      reducers(hash, "bigint,string,int", 2, 2, 42L, "key", 1);
      reducers(hash, "bigint,string,int", 2, 2, null, null, 1);
      reducers(hash, "bigint,string,int", 2, 1, 42L, "key", 1);
      reducers(hash, "bigint,string", 1, 0, 42L, "v");
      reducers(hash, "bigint,string", 0, 0, 42L, "v");
    }
  }

  public static void main(String[] arguments) throws Exception {
    HiveKeys keys = new HiveKeys();
    keys.everyType();
    keys.reduceSinks();
    Path file = Path.of(arguments[0]);
    if (arguments.length > 1 && arguments[1].equals("write")) {
      Files.write(file, keys.lines);
      return;
    }
    List<String> golden = Files.readAllLines(file);
    int differing = Math.abs(golden.size() - keys.lines.size());
    for (int i = 0; i < Math.min(golden.size(), keys.lines.size()); ++i) {
      if (!golden.get(i).equals(keys.lines.get(i))) {
        System.err.println("line " + (i + 1) + "\n  golden " + golden.get(i) + "\n  Hive   " + keys.lines.get(i));
        ++differing;
      }
    }
    System.out.println(keys.lines.size() + " lines, " + differing + " differ");
    if (differing > 0) System.exit(1);
  }
}
