package org.apache.spark.colonnade

import java.util

import scala.collection.mutable

import org.apache.spark.sql.connector.catalog.{SupportsRead, Table, TableCapability, TableProvider}
import org.apache.spark.sql.connector.expressions.Transform
import org.apache.spark.sql.connector.read._
import org.apache.spark.sql.types._
import org.apache.spark.sql.util.CaseInsensitiveStringMap
import org.apache.spark.sql.vectorized.{ColumnarArray, ColumnarBatch, ColumnarMap, ColumnVector}
import org.apache.spark.unsafe.Platform
import org.apache.spark.unsafe.types.UTF8String

/** A vector over memory that is not Java's, laid out as Arrow does: a validity bit per row (0: no nulls), values of
  * their width, strings as 32-bit offsets into bytes. All are addresses.
  */
final class AddressVector(dataType: DataType, validity: Long, values: Long, bytes: Long, nulls: Int) extends ColumnVector(dataType) {
  override def close(): Unit = ()
  override def hasNull: Boolean = nulls > 0
  override def numNulls(): Int = nulls
  override def isNullAt(row: Int): Boolean = validity != 0 && (Platform.getByte(null, validity + (row >> 3)) >> (row & 7) & 1) == 0
  override def getBoolean(row: Int): Boolean = (Platform.getByte(null, values + (row >> 3)) >> (row & 7) & 1) != 0
  override def getByte(row: Int): Byte = Platform.getByte(null, values + row)
  override def getShort(row: Int): Short = Platform.getShort(null, values + 2L * row)
  override def getInt(row: Int): Int = Platform.getInt(null, values + 4L * row)
  override def getLong(row: Int): Long = Platform.getLong(null, values + 8L * row)
  override def getFloat(row: Int): Float = Platform.getFloat(null, values + 4L * row)
  override def getDouble(row: Int): Double = Platform.getDouble(null, values + 8L * row)
  override def getArray(row: Int): ColumnarArray = throw new UnsupportedOperationException
  override def getMap(row: Int): ColumnarMap = throw new UnsupportedOperationException
  override def getDecimal(row: Int, precision: Int, scale: Int): Decimal =
    if (isNullAt(row)) null else Decimal(getLong(row), precision, scale)
  override def getUTF8String(row: Int): UTF8String = {
    if (isNullAt(row)) return null
    val begin = Platform.getInt(null, values + 4L * row)
    UTF8String.fromAddress(null, bytes + begin, Platform.getInt(null, values + 4L * row + 4) - begin)
  }
  override def getBinary(row: Int): Array[Byte] = if (isNullAt(row)) null else getUTF8String(row).getBytes
  override def getChild(ordinal: Int): ColumnVector = throw new UnsupportedOperationException
}

/** Rows 0 until 10,000 in two partitions and batches of 1,000, each in memory of its own that is overwritten once the
  * next batch is asked for.
  */
class AddressSource extends TableProvider {
  override def inferSchema(options: CaseInsensitiveStringMap): StructType = AddressSource.schema
  override def getTable(schema: StructType, partitioning: Array[Transform], properties: util.Map[String, String]): Table =
    new Table with SupportsRead {
      override def name(): String = "addresses"
      override def schema(): StructType = AddressSource.schema
      override def capabilities(): util.Set[TableCapability] = util.EnumSet.of(TableCapability.BATCH_READ)
      override def newScanBuilder(options: CaseInsensitiveStringMap): ScanBuilder = () => AddressScan
    }
}

object AddressSource {
  val rows = 10000
  val batchRows = 1000
  val schema: StructType = new StructType()
    .add("id", LongType, nullable = false)
    .add("n", IntegerType)
    .add("x", DoubleType)
    .add("price", DecimalType(12, 2))
    .add("even", BooleanType)
    .add("word", StringType)
    .add("raw", BinaryType)
  def isNull(id: Long, column: Int): Boolean = (id + column) % 7 == 0
  def wordOf(id: Long): String = "w" * (id % 20).toInt + id
}

private case class AddressPartition(first: Long) extends InputPartition

private object AddressScan extends Scan with Batch {
  override def readSchema(): StructType = AddressSource.schema
  override def toBatch: Batch = this
  override def planInputPartitions(): Array[InputPartition] = Array(AddressPartition(0), AddressPartition(AddressSource.rows / 2))
  override def createReaderFactory(): PartitionReaderFactory = AddressReaderFactory
}

private object AddressReaderFactory extends PartitionReaderFactory {
  override def supportColumnarReads(partition: InputPartition): Boolean = true
  override def createReader(partition: InputPartition): PartitionReader[org.apache.spark.sql.catalyst.InternalRow] =
    throw new UnsupportedOperationException
  override def createColumnarReader(partition: InputPartition): PartitionReader[ColumnarBatch] =
    new AddressReader(partition.asInstanceOf[AddressPartition].first)
}

private final class AddressReader(first: Long) extends PartitionReader[ColumnarBatch] {
  import AddressSource._

  private val end = first + rows / 2
  private var next0 = first
  private val memory = mutable.Buffer.empty[(Long, Long)]

  private def allocate(bytes: Long): Long = {
    val address = Platform.allocateMemory(bytes)
    Platform.setMemory(address, 0, bytes)
    memory += ((address, bytes))
    address
  }

  /** Overwrites what was given out, so that nobody may have kept a reference. */
  private def release(): Unit = {
    for ((address, bytes) <- memory) {
      Platform.setMemory(address, 0xa5.toByte, bytes)
      Platform.freeMemory(address)
    }
    memory.clear()
  }

  override def next(): Boolean = {
    release()
    val more = next0 < end
    if (more) next0 += batchRows
    more
  }

  override def get(): ColumnarBatch = {
    val ids = (next0 - batchRows) until next0
    val vectors = schema.fields.zipWithIndex.map { case (field, column) => vector(ids, field, column) }
    new ColumnarBatch(vectors.asInstanceOf[Array[ColumnVector]], batchRows)
  }

  override def close(): Unit = release()

  private def vector(ids: Seq[Long], field: StructField, column: Int): AddressVector = {
    val nulls = ids.map(id => field.nullable && isNull(id, column))
    val validity = if (field.nullable) allocate(batchRows / 8) else 0L
    for ((isNull, row) <- nulls.zipWithIndex if !isNull && validity != 0) setBit(validity, row)
    val values = allocate(8L * batchRows + 8)
    var bytes = 0L
    field.dataType match {
      case LongType => for ((id, row) <- ids.zipWithIndex) Platform.putLong(null, values + 8L * row, id)
      case IntegerType => for ((id, row) <- ids.zipWithIndex) Platform.putInt(null, values + 4L * row, -id.toInt)
      case DoubleType => for ((id, row) <- ids.zipWithIndex) Platform.putDouble(null, values + 8L * row, id * 0.5)
      case _: DecimalType => for ((id, row) <- ids.zipWithIndex) Platform.putLong(null, values + 8L * row, id * 100 + 1)
      case BooleanType => for ((id, row) <- ids.zipWithIndex if id % 2 == 0) setBit(values, row)
      case _ =>
        val words = ids.map(wordOf(_).getBytes)
        bytes = allocate(words.map(_.length).sum.toLong + 1)
        var at = 0
        for ((word, row) <- words.zipWithIndex) {
          Platform.copyMemory(word, Platform.BYTE_ARRAY_OFFSET, null, bytes + at, word.length)
          at += word.length
          Platform.putInt(null, values + 4L * (row + 1), at)
        }
    }
    new AddressVector(field.dataType, validity, values, bytes, nulls.count(identity))
  }

  private def setBit(address: Long, row: Int): Unit =
    Platform.putByte(null, address + (row >> 3), (Platform.getByte(null, address + (row >> 3)) | 1 << (row & 7)).toByte)
}
