package org.apache.spark.colonnade

import java.nio.file.{Files, Path, Paths}

import scala.jdk.CollectionConverters._

import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions._
import org.apache.spark.sql.catalyst.expressions.codegen.GenerateUnsafeProjection
import org.apache.spark.sql.catalyst.plans.physical.HashPartitioning
import org.apache.spark.sql.types._
import org.apache.spark.unsafe.types.{CalendarInterval, UTF8String}

/** Spark's row hashes, and the file of golden values that the C++ tests of src/hash read. */
class HashSuite extends ContractSuite {
  import HashSuite._

  private val file: Path = Paths.get(System.getProperty("colonnade.golden"), "spark_hashes.tsv")

  test("the golden values are those that Spark gives") {
    val lines = golden()
    if (System.getProperty("colonnade.write") == "true") Files.write(file, lines.asJava)
    assert(Files.readAllLines(file).asScala === lines)
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
        .map(v => Case("interval", CalendarIntervalType, s"${v.months},${v.days},${v.microseconds}", v))
  }

  def golden(): Seq[String] =
    Seq("# type, value, Murmur3 with seed 42, xxHash64 with seed 42: made by HashSuite.scala with Spark 4.1.3") ++ cases.map { row =>
      Seq(row.typeName, row.text, murmur3(row), evaluateLong(new XxHash64(Seq(row.literal)))).mkString("\t")
    }
}
