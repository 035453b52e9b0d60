package org.apache.spark.colonnade

import java.lang.reflect.Modifier
import java.nio.file.Path

import org.apache.spark.sql.execution.vectorized._
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

/** Where the values of Spark's writable vectors lie, so that native code may read them. */
class VectorLayoutSuite extends ContractSuite {
  private def fields(c: Class[_]): Map[String, String] =
    c.getDeclaredFields.filterNot(f => Modifier.isStatic(f.getModifiers)).map(f => f.getName -> f.getType.getSimpleName).toMap

  private def onHeap(rows: Int, dataType: DataType) = new OnHeapColumnVector(rows, dataType)

  private def withOffHeap(rows: Int, dataType: DataType)(body: OffHeapColumnVector => Unit): Unit = {
    val vector = new OffHeapColumnVector(rows, dataType)
    try body(vector)
    finally vector.close()
  }

  test("OnHeapColumnVector has these arrays") {
    assert(fields(classOf[OnHeapColumnVector]) === Map(
      "nulls" -> "byte[]", "byteData" -> "byte[]", "shortData" -> "short[]", "intData" -> "int[]", "longData" -> "long[]",
      "floatData" -> "float[]", "doubleData" -> "double[]", "arrayLengths" -> "int[]", "arrayOffsets" -> "int[]"))
  }

  test("OffHeapColumnVector has these addresses") {
    assert(fields(classOf[OffHeapColumnVector]) ===
      Map("nulls" -> "long", "data" -> "long", "lengthData" -> "long", "offsetData" -> "long"))
  }

  test("WritableColumnVector has the dictionary, its ids and the children") {
    val found = fields(classOf[WritableColumnVector])
    assert(found("dictionary") === "Dictionary")
    assert(found("dictionaryIds") === "WritableColumnVector")
    assert(found("childColumns") === "WritableColumnVector[]")
    assert(found("numNulls") === "int" && found("capacity") === "int")
    assert(found("isConstant") === "boolean" && found("isMissing") === "boolean")
  }

  test("ConstantColumnVector has one value of each kind and a null byte") {
    assert(fields(classOf[ConstantColumnVector]) === Map(
      "nullData" -> "byte", "byteData" -> "byte", "shortData" -> "short", "intData" -> "int", "longData" -> "long", "floatData" -> "float",
      "doubleData" -> "double", "stringData" -> "UTF8String", "byteArrayData" -> "byte[]", "childData" -> "ConstantColumnVector[]",
      "arrayData" -> "ColumnarArray", "mapData" -> "ColumnarMap", "numRows" -> "int"))
  }

  test("ParquetDictionary has parquet-java's dictionary and whether unsigned integers are widened") {
    val dictionary = Class.forName("org.apache.spark.sql.execution.datasources.parquet.ParquetDictionary")
    assert(fields(dictionary) === Map("dictionary" -> "Dictionary", "needTransform" -> "boolean"))
  }

  test("JNI reads the private fields of both in a JVM without --add-opens, too") {
    val java = Path.of(System.getProperty("java.home"), "bin", "java").toString
    val process = new ProcessBuilder(java, "-Dcolonnade.contracts=" + System.getProperty("colonnade.contracts"), "-cp", System.getProperty("java.class.path"),
      "org.apache.spark.colonnade.VectorLayoutProbe").redirectErrorStream(true).start()
    val output = new String(process.getInputStream.readAllBytes())
    assert(process.waitFor() === 0, output)
  }

  test("JNI reads the private fields of both") {
    withOffHeap(10, LongType) { vector =>
      vector.putLong(3, 42)
      val data = Contracts.longField(vector, "data")
      assert(data === vector.valuesNativeAddress())
      assert(Platform.getLong(null, data + 24) === 42)
      assert(Contracts.longField(vector, "nulls") !== 0)
    }
    val vector = onHeap(10, LongType)
    vector.putLong(3, 42)
    assert(Contracts.objectField(vector, "longData", "[J").asInstanceOf[Array[Long]](3) === 42)
  }

  test("a null is a byte of one, also off the heap") {
    val heap = onHeap(4, IntegerType)
    heap.putNull(2)
    assert(Contracts.objectField(heap, "nulls", "[B").asInstanceOf[Array[Byte]].toSeq.take(4) === Seq[Byte](0, 0, 1, 0))
    withOffHeap(4, IntegerType) { vector =>
      vector.putNull(2)
      val nulls = Contracts.longField(vector, "nulls")
      assert((0 until 4).map(i => Platform.getByte(null, nulls + i)) === Seq[Byte](0, 0, 1, 0))
    }
  }

  test("numNulls counts a row that was set to null twice as two") {
    val vector = onHeap(4, IntegerType)
    vector.putNull(1)
    vector.putNull(1)
    assert(vector.numNulls() === 2)
  }

  /** The array that holds the values of a type, its element size, and a way to put a value into row 1. */
  private val kinds: Seq[(DataType, String, Int, WritableColumnVector => Unit, Long)] = Seq(
    (BooleanType, "[B", 1, _.putBoolean(1, true), 1),
    (ByteType, "[B", 1, _.putByte(1, -7), -7),
    (ShortType, "[S", 2, _.putShort(1, -700), -700),
    (IntegerType, "[I", 4, _.putInt(1, -70000), -70000),
    (DateType, "[I", 4, _.putInt(1, 20000), 20000),
    (YearMonthIntervalType(), "[I", 4, _.putInt(1, 14), 14),
    (DecimalType(9, 2), "[I", 4, _.putDecimal(1, Decimal(BigDecimal("-12.34"), 9, 2), 9), -1234),
    (LongType, "[J", 8, _.putLong(1, -7000000000L), -7000000000L),
    (TimestampType, "[J", 8, _.putLong(1, 1L << 50), 1L << 50),
    (TimestampNTZType, "[J", 8, _.putLong(1, 1L << 51), 1L << 51),
    (TimeType(6), "[J", 8, _.putLong(1, 86399999999000L), 86399999999000L),
    (DayTimeIntervalType(), "[J", 8, _.putLong(1, -5), -5),
    (DecimalType(18, 2), "[J", 8, _.putDecimal(1, Decimal(BigDecimal("-12345678901.34"), 18, 2), 18), -1234567890134L),
    (FloatType, "[F", 4, _.putFloat(1, java.lang.Float.intBitsToFloat(0x7fc12345)), 0x7fc12345),
    (DoubleType, "[D", 8, _.putDouble(1, -0.0), Long.MinValue))

  private val arrayNames =
    Map("[B" -> "byteData", "[S" -> "shortData", "[I" -> "intData", "[J" -> "longData", "[F" -> "floatData", "[D" -> "doubleData")

  private def loaded(width: Int, base: AnyRef, offset: Long): Long = width match {
    case 1 => Platform.getByte(base, offset)
    case 2 => Platform.getShort(base, offset)
    case 4 => Platform.getInt(base, offset)
    case 8 => Platform.getLong(base, offset)
  }

  for ((dataType, signature, width, put, bits) <- kinds) {
    test(s"a value of $dataType is $width bytes in ${arrayNames(signature)}, resp. at `data`") {
      val heap = onHeap(3, dataType)
      put(heap)
      val array = Contracts.objectField(heap, arrayNames(signature), signature)
      assert(array !== null)
      val base = Platform.BYTE_ARRAY_OFFSET // the offset of every primitive array's elements
      assert(loaded(width, array, base + width) === bits)
      for ((other, name) <- arrayNames if other != signature) assert(Contracts.objectField(heap, name, other) === null)
      withOffHeap(3, dataType) { vector =>
        put(vector)
        assert(loaded(width, null, Contracts.longField(vector, "data") + width) === bits)
      }
    }
  }

  test("strings, binaries and long decimals are offsets and lengths into the bytes of child 0") {
    for (dataType <- Seq(StringType, BinaryType, DecimalType(38, 3))) {
      val heap = onHeap(3, dataType)
      val values = Seq("first", "", "third value").map(_.getBytes)
      values.zipWithIndex.foreach { case (value, row) => heap.putByteArray(row, value) }
      val offsets = Contracts.objectField(heap, "arrayOffsets", "[I").asInstanceOf[Array[Int]]
      val lengths = Contracts.objectField(heap, "arrayLengths", "[I").asInstanceOf[Array[Int]]
      val bytes = Contracts.objectField(heap.getChild(0), "byteData", "[B").asInstanceOf[Array[Byte]]
      for ((value, row) <- values.zipWithIndex) {
        assert(bytes.slice(offsets(row), offsets(row) + lengths(row)) === value)
      }
      withOffHeap(3, dataType) { vector =>
        values.zipWithIndex.foreach { case (value, row) => vector.putByteArray(row, value) }
        val child = Contracts.longField(vector.getChild(0), "data")
        for ((value, row) <- values.zipWithIndex) {
          val offset = Platform.getInt(null, Contracts.longField(vector, "offsetData") + 4L * row)
          val length = Platform.getInt(null, Contracts.longField(vector, "lengthData") + 4L * row)
          assert((0 until length).map(i => Platform.getByte(null, child + offset + i)) === value.toSeq)
        }
      }
    }
  }

  test("offsets of strings neither begin at 0 in every row group nor grow: rows may be written in any order") {
    val heap = onHeap(2, StringType)
    heap.putByteArray(1, "second".getBytes)
    heap.putByteArray(0, "first".getBytes)
    val offsets = Contracts.objectField(heap, "arrayOffsets", "[I").asInstanceOf[Array[Int]]
    assert(offsets(0) > offsets(1))
    assert(heap.getUTF8String(0) === UTF8String.fromString("first"))
  }

  test("null rows keep the offset and length they had: stale when a vector is used again") {
    val heap = onHeap(2, StringType)
    heap.putByteArray(0, "before".getBytes)
    heap.reset()
    heap.putNull(0)
    assert(heap.isNullAt(0))
    assert(Contracts.objectField(heap, "arrayLengths", "[I").asInstanceOf[Array[Int]](0) === 6)
  }

  test("the null bytes of a missing column say that no row is null") {
    val heap = onHeap(4, LongType)
    heap.setMissing()
    assert(heap.isAllNull && heap.isNullAt(3))
    assert(Contracts.objectField(heap, "nulls", "[B").asInstanceOf[Array[Byte]].toSeq.take(4) === Seq[Byte](0, 0, 0, 0))
    withOffHeap(4, LongType) { vector =>
      vector.setMissing()
      assert(vector.isAllNull && vector.isNullAt(3))
      val nulls = Contracts.longField(vector, "nulls")
      assert(nulls !== 0)
      assert((0 until 4).map(i => Platform.getByte(null, nulls + i)) === Seq[Byte](0, 0, 0, 0))
    }
  }

  test("arrays and maps are offsets and lengths into their children, structs share row numbers") {
    val heap = onHeap(2, ArrayType(IntegerType))
    val elements = heap.getChild(0).asInstanceOf[OnHeapColumnVector]
    for (value <- Seq(5, 6, 7)) elements.appendInt(value)
    heap.putArray(0, 0, 1)
    heap.putArray(1, 1, 2)
    assert(Contracts.objectField(heap, "arrayOffsets", "[I").asInstanceOf[Array[Int]].take(2) === Array(0, 1))
    assert(Contracts.objectField(heap, "arrayLengths", "[I").asInstanceOf[Array[Int]].take(2) === Array(1, 2))
    assert(heap.getArray(1).toIntArray === Array(6, 7))
    val map = onHeap(1, MapType(IntegerType, LongType))
    assert(map.getChild(0).dataType() === IntegerType && map.getChild(1).dataType() === LongType)
    val struct = onHeap(3, new StructType().add("a", IntegerType).add("b", StringType))
    struct.getChild(0).asInstanceOf[OnHeapColumnVector].putInt(2, 9)
    assert(struct.getStruct(2).getInt(0) === 9)
  }

  test("a calendar interval is three children, a variant two") {
    val interval = onHeap(1, CalendarIntervalType)
    assert((0 to 2).map(interval.getChild(_).dataType()) === Seq(IntegerType, IntegerType, LongType))
    val variant = onHeap(1, VariantType)
    assert((0 to 1).map(variant.getChild(_).dataType()) === Seq(BinaryType, BinaryType))
  }

  test("a column with a dictionary keeps ids in an int vector of its own and no values") {
    val heap = onHeap(3, LongType)
    heap.setDictionary(new Dictionary {
      override def decodeToInt(id: Int): Int = id
      override def decodeToLong(id: Int): Long = 100L + id
      override def decodeToFloat(id: Int): Float = id.toFloat
      override def decodeToDouble(id: Int): Double = id.toDouble
      override def decodeToBinary(id: Int): Array[Byte] = Array.empty
    })
    val ids = heap.reserveDictionaryIds(3)
    ids.putInts(0, 3, Array(2, 0, 1), 0)
    assert(heap.hasDictionary && heap.getDictionaryIds.eq(ids) && ids.dataType() === IntegerType)
    assert((0 to 2).map(heap.getLong) === Seq(102, 100, 101))
  }
}

/** Reads both kinds of vectors where no package of java.base is open to it. */
object VectorLayoutProbe extends App {
  for (name <- Seq("java.lang", "java.nio")) assert(!classOf[String].getModule.isOpen(name, getClass.getModule))
  val heap = new OnHeapColumnVector(1, LongType)
  heap.putLong(0, 42)
  assert(Contracts.objectField(heap, "longData", "[J").asInstanceOf[Array[Long]](0) == 42)
  val offHeap = new OffHeapColumnVector(1, LongType)
  offHeap.putLong(0, 42)
  assert(Platform.getLong(null, Contracts.longField(offHeap, "data")) == 42)
}
