package org.apache.spark.colonnade

import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen.GenerateUnsafeProjection
import org.apache.spark.sql.catalyst.util.{ArrayBasedMapData, GenericArrayData}
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.{CalendarInterval, UTF8String}

/** Spark's row hashes, and a file of golden values for whoever hashes as Spark does; no C++ code does so yet. */
class HashSuite extends ContractSuite {
  import HashSuite._

  private val file: Path = Paths.get(System.getProperty("colonnade.golden"), "spark_hashes.tsv")

  test("the golden values are those that Spark gives") {
    val lines = golden()
    if (System.getProperty("colonnade.write") == "true") Files.write(file, lines.asJava)
    val different = Files.readAllLines(file).asScala.zipAll(lines, "no line", "no line").filter { case (inFile, here) => inFile != here }
    val first = different.take(3).map { case (inFile, here) => s"$inFile in the file, Spark: $here" }
    if (different.nonEmpty) fail(s"lines that differ: ${different.size}, first ${first.mkString("; ")}. `tools/spark.sh golden` writes the file anew.")
  }

  test("a partition id is the hash modulo the number of partitions, never negative") {
    for (row <- cases; n <- Seq(1, 2, 200, 1009)) {
      val id = evaluate(HashPartitioning(Seq(row.literal), n).partitionIdExpression)
      assert(id === Math.floorMod(murmur3(row), n), row)
    }
  }

  test("null leaves the seed as it is, and -0.0 and every NaN are as 0.0 and NaN") {
    assert(murmur3(Case("int", IntegerType, "null", null)) === 42)
    def double(bits: Long): Int = murmur3(Case("", DoubleType, "", java.lang.Double.longBitsToDouble(bits)))
    assert(double(Long.MinValue) === double(0))
    assert(double(0x7ff8000000012345L) === double(0x7ff8000000000000L))
    assert(double(0xfff8000000000000L) === double(0x7ff8000000000000L))
    def float(bits: Int): Int = murmur3(Case("", FloatType, "", java.lang.Float.intBitsToFloat(bits)))
    assert(float(Int.MinValue) === float(0))
    assert(float(0x7fc12345) === float(0x7fc00000))
  }

  test("a decimal of up to 18 digits is hashed as its long, a longer one as its fewest big-endian bytes") {
    val small = Decimal(BigDecimal("-12.34"), 18, 2)
    assert(murmur3(Case("", DecimalType(18, 2), "", small)) === murmur3(Case("", LongType, "", -1234L)))
    val large = Decimal(BigDecimal("-12.34"), 19, 2)
    assert(murmur3(Case("", DecimalType(19, 2), "", large)) === murmur3(Case("", BinaryType, "", BigInt(-1234).toByteArray)))
  }

  test("nested values chain: elements and fields as columns do, keys and values in turn, nulls and empty ones pass the seed on") {
    def hash(typeName: String, text: String): Int = murmur3(cases.find(c => c.typeName == typeName && c.text == text).get)
    def chain(values: Literal*): Int = evaluate(new Murmur3Hash(values))
    val text = Literal(UTF8String.fromString("x"), StringType)
    assert(hash("array<int>", "[]") === 42 && hash("array<int>", "[null]") === 42 && hash("map<int,string>", "{}") === 42)
    assert(hash("array<int>", "[1,null,3]") === chain(Literal(1), Literal(3)))
    assert(hash("array<array<int>>", "[[1],null,[],[2,3]]") === chain(Literal(1), Literal(2), Literal(3)))
    assert(hash("struct<a:int,b:string>", "{5,78}") === chain(Literal(5), text))
    assert(hash("struct<a:array<int>,b:struct<c:string>>", "{[1,2],{78}}") === chain(Literal(1), Literal(2), text))
    val a = Literal(UTF8String.fromString("a"), StringType)
    assert(hash("map<int,string>", "{1:61,2:null}") === chain(Literal(1), a, Literal(2)))
    assert(hash("map<int,string>", "{2:null,1:61}") === chain(Literal(2), Literal(1), a)) // equal maps, other hashes
  }

  test("several columns: the hash of one is the seed of the next, nulls are passed over") {
    val a = Literal(5)
    val b = Literal(UTF8String.fromString("x"), StringType)
    val none = Literal(null, LongType)
    val chained = evaluate(new Murmur3Hash(Seq(b), evaluate(new Murmur3Hash(Seq(a)))))
    assert(evaluate(new Murmur3Hash(Seq(a, none, b))) === chained)
  }
}

object HashSuite {
  final case class Case(typeName: String, dataType: DataType, text: String, value: Any) {
    def literal: Literal = Literal(value, dataType)
  }

  /** By generated code, as exchanges evaluate it. */
  def evaluate(expression: Expression): Int = GenerateUnsafeProjection.generate(Seq(expression)).apply(InternalRow.empty).getInt(0)

  def evaluateLong(expression: Expression): Long = GenerateUnsafeProjection.generate(Seq(expression)).apply(InternalRow.empty).getLong(0)

  def murmur3(row: Case): Int = evaluate(new Murmur3Hash(Seq(row.literal)))

  /** A value's text is its bits or bytes in hexadecimal where it is no integer. */
  val cases: Seq[Case] = {
    def hex(bytes: Array[Byte]): String = bytes.map(b => f"${b & 0xff}%02x").mkString
    val bytes = Seq(0, 1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 100).map(n => Array.tabulate(n)(i => (i * 37 + 200).toByte))
    Seq(true, false).map(v => Case("boolean", BooleanType, v.toString, v)) ++
      Seq[Byte](0, 1, -1, Byte.MinValue, Byte.MaxValue).map(v => Case("tinyint", ByteType, v.toString, v)) ++
      Seq[Short](0, 1, -1, Short.MinValue, Short.MaxValue).map(v => Case("smallint", ShortType, v.toString, v)) ++
      Seq(0, 1, -1, 42, Int.MinValue, Int.MaxValue).map(v => Case("int", IntegerType, v.toString, v)) ++
      Seq(0, -719162, 20000).map(v => Case("date", DateType, v.toString, v)) ++
      Seq(0L, 1L, -1L, 1L << 32, Long.MinValue, Long.MaxValue).map(v => Case("bigint", LongType, v.toString, v)) ++
      Seq(0L, -1L, 1700000000000000L).map(v => Case("timestamp", TimestampType, v.toString, v)) ++
      Seq(0, 0x80000000, 0x3f800000, 0xbf800000, 0x00000001, 0x7f800000, 0xff800000, 0x7fc00000, 0x7fc12345, 0xffc00000)
        .map(b => Case("float", FloatType, f"$b%08x", java.lang.Float.intBitsToFloat(b))) ++
      Seq(0L, 0x8000000000000000L, 0x3ff0000000000000L, 0xbff8000000000000L, 1L, 0x7ff0000000000000L, 0x7ff8000000000000L, 0x7ff8000000012345L,
        0xfff8000000000000L).map(b => Case("double", DoubleType, f"$b%016x", java.lang.Double.longBitsToDouble(b))) ++
      Seq("0", "-1", "123456789", "-999999999999999999").map(v => Case("decimal(18,0)", DecimalType(18, 0), v, Decimal(BigDecimal(v), 18, 0))) ++
      Seq("0", "1", "-1", "127", "128", "-128", "-129", "255", "256", "9223372036854775808", "-99999999999999999999999999999999999999",
        "99999999999999999999999999999999999999").map(v => Case("decimal(38,0)", DecimalType(38, 0), v, Decimal(BigDecimal(v), 38, 0))) ++
      bytes.map(b => Case("binary", BinaryType, hex(b), b)) ++
      bytes.map(b => Case("string", StringType, hex(b), UTF8String.fromBytes(b))) ++
      Seq(new CalendarInterval(1, 2, 3), new CalendarInterval(-1, 0, Long.MinValue))
        .map(v => Case("interval", CalendarIntervalType, s"${v.months},${v.days},${v.microseconds}", v)) ++
      Seq(0L, -1L, 1700000000000000L).map(v => Case("timestamp_ntz", TimestampNTZType, v.toString, v)) ++
      Seq(0L, 1L, 86399999999999L).map(v => Case("time(6)", TimeType(6), v.toString, v)) ++
      Seq(0, -1, 25).map(v => Case("interval year to month", YearMonthIntervalType(), v.toString, v)) ++
      Seq(0L, -1L, 86400000000L).map(v => Case("interval day to second", DayTimeIntervalType(), v.toString, v)) ++ nested
  }

  /** Text: lists in [], structs in {}, maps as {key:value}; strings in hexadecimal. */
  private def nested: Seq[Case] = {
    val ints = ArrayType(IntegerType)
    val strings = ArrayType(StringType)
    def text(value: String): UTF8String = UTF8String.fromString(value)
    def list(values: Any*): GenericArrayData = new GenericArrayData(values)
    val pair = StructType.fromDDL("a int, b string")
    val deep = StructType.fromDDL("a array<int>, b struct<c: string>")
    val map = MapType(IntegerType, StringType)
    Seq(
      Case("array<int>", ints, "[]", list()),
      Case("array<int>", ints, "[null]", list(null)),
      Case("array<int>", ints, "[1,null,3]", list(1, null, 3)),
      Case("array<string>", strings, "[61,,6263]", list(text("a"), text(""), text("bc"))),
      Case("array<array<int>>", ArrayType(ints), "[[1],null,[],[2,3]]", list(list(1), null, list(), list(2, 3))),
      Case("struct<a:int,b:string>", pair, "{5,78}", InternalRow(5, text("x"))),
      Case("struct<a:int,b:string>", pair, "{null,78}", InternalRow(null, text("x"))),
      Case("struct<a:int,b:string>", pair, "{null,null}", InternalRow(null, null)),
      Case("struct<a:array<int>,b:struct<c:string>>", deep, "{[1,2],{78}}", InternalRow(list(1, 2), InternalRow(text("x")))),
      Case("map<int,string>", map, "{}", new ArrayBasedMapData(list(), list())),
      Case("map<int,string>", map, "{1:61,2:null}", new ArrayBasedMapData(list(1, 2), list(text("a"), null))),
      Case("map<int,string>", map, "{2:null,1:61}", new ArrayBasedMapData(list(2, 1), list(null, text("a")))))
  }

  def golden(): Seq[String] =
    Seq("# type, value, Murmur3 with seed 42, xxHash64 with seed 42: made by HashSuite.scala with Spark 4.1.3") ++ cases.map { row =>
      Seq(row.typeName, row.text, murmur3(row), evaluateLong(new XxHash64(Seq(row.literal)))).mkString("\t")
    }
}
