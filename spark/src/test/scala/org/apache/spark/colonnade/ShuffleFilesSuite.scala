package org.apache.spark.colonnade

import java.io.{DataInputStream, File, FileInputStream, FileOutputStream, FilterInputStream, InputStream, IOException}
import java.util.concurrent.atomic.AtomicInteger

import scala.concurrent.Await
import scala.concurrent.duration._

import org.apache.spark._
import org.apache.spark.rdd.RDD
import org.apache.spark.scheduler.MapStatus
import org.apache.spark.shuffle.{IndexShuffleBlockResolver, ShuffleWriteProcessor}
import org.apache.spark.shuffle.sort.SortShuffleManager
import org.apache.spark.storage.ShuffleBlockFetcherIterator
import org.apache.spark.util.collection.OpenHashSet

/** Shuffle files of our own under Spark's sort shuffle manager, which neither writes nor reads them: only a
  * ShuffleWriteProcessor and an RDD over ShuffleBlockFetcherIterator.
  */
class ShuffleFilesSuite extends ContractSuite with SharedSpark {
  import ShuffleFilesSuite._

  private def dependency(registers: Boolean = true): ShuffleDependency[Int, Int, Int] = {
    val pairs = spark.sparkContext.parallelize(0 until maps, maps).map(map => (map, map))
    new ShuffleDependency[Int, Int, Int](pairs, new HashPartitioner(partitions), shuffleWriterProcessor = new BytesWriter(registers))
  }

  private def blocks(dependency: ShuffleDependency[Int, Int, Int], reader: Reader = Reader()): Seq[(String, String)] =
    new BlocksRDD(spark.sparkContext, dependency, reader).collect().toSeq

  private def resolver: IndexShuffleBlockResolver =
    SparkEnv.get.shuffleManager.shuffleBlockResolver.asInstanceOf[IndexShuffleBlockResolver]

  private def files(shuffleId: Int): Seq[File] =
    SparkEnv.get.blockManager.diskBlockManager.getAllFiles().filter(_.getName.startsWith(s"shuffle_${shuffleId}_"))

  test("the sort manager's resolver commits what a ShuffleWriteProcessor wrote: an index and a data file for each map") {
    assert(SparkEnv.get.shuffleManager.isInstanceOf[SortShuffleManager])
    val shuffle = dependency()
    val read = blocks(shuffle)
    assert(read.map(_._2).sorted === (for (map <- 0 until maps; p <- 0 until partitions if length(map, p) > 0) yield contents(map, p)).sorted)
    val names = files(shuffle.shuffleId).map(_.getName)
    assert(names.count(_.endsWith(".data")) === maps && names.count(_.endsWith(".index")) === maps && names.size === 2 * maps)
  }

  test("an index file is n + 1 big-endian longs from 0 to the length of the data file") {
    val shuffle = dependency()
    blocks(shuffle)
    for (index <- files(shuffle.shuffleId) if index.getName.endsWith(".index")) {
      val in = new DataInputStream(new FileInputStream(index))
      val offsets = try Seq.fill(partitions + 1)(in.readLong()) finally in.close()
      assert(index.length() === 8 * (partitions + 1))
      assert(offsets.head === 0 && offsets === offsets.sorted)
      assert(offsets.last === resolver.getDataFile(shuffle.shuffleId, index.getName.split("_")(2).toLong).length())
    }
  }

  test("checksums that are given to the resolver stand in a third file, of a big-endian long for each partition") {
    val shuffle = dependency()
    blocks(shuffle)
    val mapId = 1000000L
    val data = resolver.createTempFile(resolver.getDataFile(shuffle.shuffleId, mapId))
    java.nio.file.Files.write(data.toPath, Array.fill[Byte](partitions)(7))
    val checksums = Array.tabulate(partitions)(i => 1000L + i)
    resolver.writeMetadataFileAndCommit(shuffle.shuffleId, mapId, Array.fill(partitions)(1L), checksums, data)
    val file = files(shuffle.shuffleId).filter(_.getName.contains(".checksum.")).head
    assert(file.getName === s"shuffle_${shuffle.shuffleId}_${mapId}_0.checksum.ADLER32")
    val in = new DataInputStream(new FileInputStream(file))
    assert((try Seq.fill(partitions)(in.readLong()) finally in.close()) === checksums.toSeq)
    assert(file.length() === 8 * partitions)
  }

  test("blocks of length 0 are never fetched") {
    val read = blocks(dependency())
    assert((for (map <- 0 until maps; p <- 0 until partitions) yield length(map, p)).count(_ == 0) > 0)
    assert(read.forall(_._2.nonEmpty))
  }

  test("with batch fetch the blocks of neighbouring partitions of a map come as one stream, one behind the other") {
    val shuffle = dependency()
    val read = blocks(shuffle, Reader(ranges = Seq((0, partitions)), batchFetch = true))
    assert(read.size === maps)
    assert(read.map(_._2).sorted === (0 until maps).map(map => (0 until partitions).map(contents(map, _)).mkString).sorted)
    assert(read.forall(_._1.matches(raw"shuffle_\d+_\d+_\d+_\d+")))
  }

  test("the files of a map id go with the shuffle only when it is in taskIdMapsForShuffle") {
    for (registers <- Seq(true, false)) {
      val shuffle = dependency(registers)
      blocks(shuffle)
      assert(files(shuffle.shuffleId).size === 2 * maps)
      SparkEnv.get.shuffleManager.unregisterShuffle(shuffle.shuffleId)
      assert(files(shuffle.shuffleId).size === (if (registers) 0 else 2 * maps))
    }
  }

  test("submitMapStage gives sizes that are at least those of the blocks, and at most a tenth more") {
    val shuffle = dependency()
    val statistics = Await.result(spark.sparkContext.submitMapStage(shuffle), 60.seconds)
    for ((size, p) <- statistics.bytesByPartitionId.zipWithIndex) {
      val exact = (0 until maps).map(length(_, p)).sum
      assert(size >= exact && size <= exact * 1.1 + maps, p)
    }
  }

  test("an IOException of the stream wrapper is a fetch failure: the maps are computed again and the job succeeds") {
    for (where <- Seq("wrapping", "reading")) {
      val shuffle = dependency()
      blocks(shuffle)
      val written = BytesWriter.calls.get
      failures.set(1)
      val read = blocks(shuffle, Reader(fails = where))
      assert(failures.get === 0, where)
      assert(BytesWriter.calls.get > written, where)
      assert(read.map(_._2).sorted === blocks(shuffle).map(_._2).sorted)
    }
  }

  test("an IOException while reading is a fetch failure only where corruption is looked for") {
    val shuffle = dependency()
    blocks(shuffle)
    val written = BytesWriter.calls.get
    failures.set(1)
    val failure = intercept[SparkException](quietly(blocks(shuffle, Reader(fails = "reading", detectsCorruption = false))))
    assert(failure.getMessage.contains("bad frame"))
    assert(BytesWriter.calls.get === written)
  }

  test("a task writes its files once: the resolver keeps what an earlier attempt of the same map committed") {
    val shuffle = dependency()
    blocks(shuffle)
    val index = files(shuffle.shuffleId).filter(_.getName.endsWith(".index")).minBy(_.getName)
    val mapId = index.getName.split("_")(2).toLong
    val data = resolver.getDataFile(shuffle.shuffleId, mapId)
    val before = java.nio.file.Files.readAllBytes(data.toPath).toSeq
    val second = resolver.createTempFile(data)
    java.nio.file.Files.write(second.toPath, Array.fill[Byte](partitions)(7))
    val lengths = Array.fill(partitions)(1L)
    resolver.writeMetadataFileAndCommit(shuffle.shuffleId, mapId, lengths, Array.empty, second)
    assert(java.nio.file.Files.readAllBytes(data.toPath).toSeq === before)
    assert(lengths.sum === before.size && !second.exists())
  }
}

object ShuffleFilesSuite {
  val maps = 3
  val partitions = 5
  val failures = new AtomicInteger

  /** 0 in some cells. */
  def length(map: Int, partition: Int): Int = (map * 7 + partition * 3) % 4 * 100

  def contents(map: Int, partition: Int): String = s"$map$partition" * (length(map, partition) / 2)

  final class BytesWriter(registers: Boolean) extends ShuffleWriteProcessor {
    override def write(inputs: Iterator[_], dep: ShuffleDependency[_, _, _], mapId: Long, mapIndex: Int, context: TaskContext): MapStatus = {
      BytesWriter.calls.incrementAndGet()
      val resolver = SparkEnv.get.shuffleManager.shuffleBlockResolver.asInstanceOf[IndexShuffleBlockResolver]
      if (registers) {
        val ids = resolver.taskIdMapsForShuffle.computeIfAbsent(dep.shuffleId, _ => new OpenHashSet[Long](16))
        ids.synchronized(ids.add(mapId))
      }
      val file = resolver.createTempFile(resolver.getDataFile(dep.shuffleId, mapId))
      val blocks = (0 until dep.partitioner.numPartitions).map(contents(mapIndex, _).getBytes)
      val out = new FileOutputStream(file)
      try blocks.foreach(out.write(_))
      finally out.close()
      val lengths = blocks.map(_.length.toLong).toArray
      resolver.writeMetadataFileAndCommit(dep.shuffleId, mapId, lengths, Array.empty, file)
      MapStatus(SparkEnv.get.blockManager.shuffleServerId, lengths, mapId)
    }
  }

  object BytesWriter {
    val calls = new AtomicInteger
  }

  /** ranges: partitions [begin, end) that a task reads. fails: where the next of `failures` strikes. */
  final case class Reader(
      ranges: Seq[(Int, Int)] = (0 until partitions).map(p => (p, p + 1)),
      batchFetch: Boolean = false,
      fails: String = "",
      detectsCorruption: Boolean = true) {
    def wrap(in: InputStream): InputStream = {
      if (fails == "wrapping" && failures.getAndUpdate(n => math.max(n - 1, 0)) > 0) throw new IOException("bad frame")
      new FilterInputStream(in) {
        override def read(bytes: Array[Byte], offset: Int, length: Int): Int = {
          if (fails == "reading" && failures.getAndUpdate(n => math.max(n - 1, 0)) > 0) throw new IOException("bad frame")
          super.read(bytes, offset, length)
        }
      }
    }
  }

  /** The blocks of a shuffle by name, with their text. */
  final class BlocksRDD(context: SparkContext, shuffle: ShuffleDependency[Int, Int, Int], reader: Reader)
      extends RDD[(String, String)](context, Seq(shuffle)) {
    override protected def getPartitions: Array[Partition] =
      reader.ranges.indices.map(i => new Partition { override def index: Int = i }).toArray

    override def compute(split: Partition, context: TaskContext): Iterator[(String, String)] = {
      val (begin, end) = reader.ranges(split.index)
      val env = SparkEnv.get
      val id = dependencies.head.asInstanceOf[ShuffleDependency[Int, Int, Int]].shuffleId
      new ShuffleBlockFetcherIterator(
        context,
        env.blockManager.blockStoreClient,
        env.blockManager,
        env.mapOutputTracker,
        env.mapOutputTracker.getMapSizesByExecutorId(id, 0, Int.MaxValue, begin, end),
        (_, in) => reader.wrap(in),
        maxBytesInFlight = 1 << 20,
        maxReqsInFlight = 10,
        maxBlocksInFlightPerAddress = 10,
        maxReqSizeShuffleToMem = 1 << 20,
        maxAttemptsOnNettyOOM = 1,
        detectCorrupt = reader.detectsCorruption,
        detectCorruptUseExtraMemory = false,
        checksumEnabled = false,
        checksumAlgorithm = "ADLER32",
        shuffleMetrics = context.taskMetrics().createTempShuffleReadMetrics(),
        doBatchFetch = reader.batchFetch).map { case (block, in) =>
        try (block.name, new String(in.readAllBytes()))
        finally in.close()
      }
    }
  }
}
