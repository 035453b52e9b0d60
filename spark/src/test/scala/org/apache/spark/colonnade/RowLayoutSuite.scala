package org.apache.spark.colonnade

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{UnsafeArrayData, UnsafeProjection, UnsafeRow}
import org.apache.spark.sql.catalyst.util.{ArrayBasedMapData, GenericArrayData}
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.{CalendarInterval, UTF8String}

/** The bytes of UnsafeRow, UnsafeArrayData and UnsafeMapData. */
class RowLayoutSuite extends ContractSuite {
  private def row(types: DataType*)(values: Any*): UnsafeRow =
    UnsafeProjection.create(types.toArray).apply(InternalRow.fromSeq(values)).copy()

  private def longs(row: UnsafeRow): Seq[Long] =
    (0 until row.getSizeInBytes / 8).map(i => Platform.getLong(row.getBaseObject, row.getBaseOffset + 8L * i))

  private def word(row: UnsafeRow, field: Int): Long = longs(row)((row.numFields + 63) / 64 + field)

  private def slot(row: UnsafeRow, field: Int): Seq[Byte] = {
    val word = this.word(row, field)
    (0 until word.toInt).map(i => Platform.getByte(row.getBaseObject, row.getBaseOffset + (word >>> 32) + i))
  }

  test("UnsafeRow: a bit per field in 8-byte words, 1 for null, then 8 bytes per field") {
    val one = row(IntegerType, LongType, IntegerType)(7, null, -1)
    assert(longs(one) === Seq(2L, 7L, 0L, 0xffffffffL))
    assert(one.getSizeInBytes === 32)
    val many = row(Seq.fill(65)(BooleanType): _*)(Seq.fill(64)(true) :+ null: _*)
    assert(longs(many).take(3) === Seq(0L, 1L, 1L))
    assert(many.getSizeInBytes === 16 + 65 * 8)
  }

  test("UnsafeRow: narrow values lie in the low bytes of their word, the rest is zero") {
    val one = row(ByteType, ShortType, FloatType, DoubleType, BooleanType)(-1.toByte, -2.toShort, -0.0f, -0.0, true)
    assert(longs(one).tail === Seq(0xffL, 0xfffeL, 0x80000000L, Long.MinValue, 1L))
  }

  test("UnsafeRow: NaN keeps its bits") {
    val float = java.lang.Float.intBitsToFloat(0x7fc12345)
    val double = java.lang.Double.longBitsToDouble(0x7ff8000000012345L)
    assert(longs(row(FloatType, DoubleType)(float, double)).tail === Seq(0x7fc12345L, 0x7ff8000000012345L))
  }

  test("UnsafeRow: strings and binaries are offset << 32 | size, padded to 8 bytes with zeros") {
    val one = row(StringType, BinaryType)(UTF8String.fromString("abc"), Array[Byte](1, 2, 3, 4, 5, 6, 7, 8, 9))
    assert(word(one, 0) === (24L << 32 | 3))
    assert(word(one, 1) === (32L << 32 | 9))
    assert(longs(one).drop(3) === Seq(0x636261L, 0x0807060504030201L, 9L))
  }

  test("UnsafeRow: a decimal of up to 18 digits is its unscaled long") {
    assert(word(row(DecimalType(18, 3))(Decimal(BigDecimal("-1.234"), 18, 3)), 0) === -1234L)
  }

  test("UnsafeRow: a longer decimal is a 16-byte slot of big-endian bytes, as few as hold it") {
    val one = row(DecimalType(38, 0), IntegerType)(Decimal(BigDecimal(-300), 38, 0), 5)
    assert(word(one, 0) === (24L << 32 | 2))
    assert(slot(one, 0) === Seq[Byte](-2, -44))
    assert(one.getSizeInBytes === 24 + 16)
  }

  test("UnsafeRow: a null decimal of more than 18 digits keeps its slot: offset set, size 0") {
    val one = row(DecimalType(38, 0))(null)
    assert(one.isNullAt(0))
    assert(word(one, 0) === 16L << 32)
    assert(one.getSizeInBytes === 16 + 16)
  }

  test("UnsafeRow: a calendar interval is a 16-byte slot: months, days, microseconds") {
    val one = row(CalendarIntervalType)(new CalendarInterval(1, 2, 3))
    assert(word(one, 0) === (16L << 32 | 16))
    assert(longs(one).drop(2) === Seq(2L << 32 | 1L, 3L))
  }

  test("UnsafeRow: a struct is a row of its own in the variable part") {
    val one = row(new StructType().add("a", IntegerType))(InternalRow(9))
    assert(word(one, 0) === (16L << 32 | 16))
    assert(longs(one).drop(2) === Seq(0L, 9L))
  }

  test("UnsafeArrayData: count, null bits, elements of their natural width, padded to 8 bytes") {
    val one = row(ArrayType(ShortType))(new GenericArrayData(Seq[Any](1.toShort, null, 3.toShort)))
    assert(word(one, 0) === (16L << 32 | 24))
    assert(longs(one).drop(2) === Seq(3L, 2L, 3L << 32 | 1L))
  }

  test("UnsafeArrayData: strings are offset and size words relative to the array") {
    val strings = Seq("ab", "c").map(UTF8String.fromString)
    val one = row(ArrayType(StringType))(new GenericArrayData(strings))
    assert(longs(one).drop(2) === Seq(2L, 0L, 32L << 32 | 2, 40L << 32 | 1, 0x6261L, 0x63L))
  }

  test("UnsafeMapData: the size of the key array, the key array, the value array") {
    val keys = UnsafeArrayData.fromPrimitiveArray(Array(1, 2))
    val values = UnsafeArrayData.fromPrimitiveArray(Array(3L, 4L))
    val one = row(MapType(IntegerType, LongType))(new ArrayBasedMapData(keys, values))
    assert(longs(one).drop(2) === Seq(24L, 2L, 0L, 2L << 32 | 1L, 2L, 0L, 3L, 4L))
  }
}
