package org.apache.spark.colonnade

import java.nio.file.{Files, Paths}
import java.util.Locale

import org.apache.spark.{HashPartitioner, ShuffleDependency, SparkEnv, TaskContext}
import org.apache.spark.rdd.RDD
import org.apache.spark.scheduler.MapStatus
import org.apache.spark.shuffle.{IndexShuffleBlockResolver, ShuffleWriteProcessor}
import org.apache.spark.sql.SparkSession
import org.apache.spark.sql.execution.vectorized.{OffHeapColumnVector, OnHeapColumnVector}
import org.apache.spark.sql.types.LongType
import org.apache.spark.unsafe.Platform

/** Measures what crossing between the JVM and native code costs, copying vectors, and what Spark takes for queries and jobs
  * that do next to nothing: medians over rounds in turn, written as JSON to the file named by the argument. Run by
  * `make bench-spark`; no test.
  */
object Costs {
  private val rows = 8192
  private val rounds = 21

  /** Nanoseconds of one of `times` calls. */
  private def nanoseconds(times: Int)(body: => Unit): Double = {
    val start = System.nanoTime()
    var i = 0
    while (i < times) {
      body
      i += 1
    }
    (System.nanoTime() - start).toDouble / times
  }

  /** Nanoseconds of one of the copies that four threads make, each of which leaves 64 kB of garbage, too. */
  private def withGarbage(copy: => Unit): Double = {
    val times = 5000
    val threads = Seq.fill(4)(new Thread(() => {
      var kept: Array[Byte] = null
      for (_ <- 0 until times) {
        copy
        kept = new Array[Byte](65536)
      }
      assert(kept.length == 65536)
    }))
    nanoseconds(1) {
      threads.foreach(_.start())
      threads.foreach(_.join())
    } / (4 * times)
  }

  /** Commits map files without a byte in them, after a call into native code. */
  private final class EmptyWriter extends ShuffleWriteProcessor {
    override def write(inputs: Iterator[_], dep: ShuffleDependency[_, _, _], mapId: Long, mapIndex: Int, context: TaskContext): MapStatus = {
      Contracts.nothing()
      val resolver = SparkEnv.get.shuffleManager.shuffleBlockResolver.asInstanceOf[IndexShuffleBlockResolver]
      val lengths = new Array[Long](dep.partitioner.numPartitions)
      resolver.writeMetadataFileAndCommit(dep.shuffleId, mapId, lengths, Array.empty, null)
      MapStatus(SparkEnv.get.blockManager.shuffleServerId, lengths, mapId)
    }
  }

  private def startSpark(): SparkSession = {
    val spark = SharedSpark.builder("local[1]").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    spark
  }

  /** A query over a Parquet file of 2,000 rows, and jobs of four tasks a stage. */
  private def ofSpark(spark: SparkSession, folder: String): Seq[(String, () => Double)] = {
    val context = spark.sparkContext
    spark.range(2000).selectExpr("id", "id % 10 k", "cast(id as string) s").coalesce(1).write.mode("overwrite").parquet(folder)
    def pairs: RDD[(Int, Int)] = context.parallelize(0 until 4, 4).map(i => (i, i))
    def query(adaptive: Boolean): Unit = {
      spark.conf.set("spark.sql.adaptive.enabled", adaptive)
      assert(spark.read.parquet(folder).where("id >= 0").groupBy("k").sum("id").collect().length == 10)
    }
    Seq(
      "query_2000_rows_ns" -> (() => nanoseconds(5)(query(adaptive = true))),
      "query_2000_rows_not_adaptive_ns" -> (() => nanoseconds(5)(query(adaptive = false))),
      "job_of_4_tasks_ns" -> (() => nanoseconds(5)(assert(pairs.count() == 4))),
      "exchange_empty_writer_4_maps_4_partitions_ns" -> (() => nanoseconds(5) {
        val shuffle = new ShuffleDependency[Int, Int, Int](pairs, new HashPartitioner(4), shuffleWriterProcessor = new EmptyWriter)
        assert(new ShuffleFilesSuite.BlocksRDD(context, shuffle, ShuffleFilesSuite.Reader(ranges = (0 until 4).map(p => (p, p + 1)))).count() == 0)
      }),
      "exchange_of_spark_4_maps_4_partitions_ns" -> (() => nanoseconds(5)(assert(pairs.partitionBy(new HashPartitioner(4)).count() == 4))))
  }

  def main(arguments: Array[String]): Unit = {
    val target = Platform.allocateMemory(8L * rows)
    val heap = new OnHeapColumnVector(rows, LongType)
    val offHeap = new OffHeapColumnVector(rows, LongType)
    for (row <- 0 until rows) {
      heap.putLong(row, row)
      offHeap.putLong(row, row)
    }
    val array = Contracts.objectField(heap, "longData", "[J")
    val address = offHeap.valuesNativeAddress()
    val runnable: Runnable = () => ()
    val spark = startSpark()
    val folder = Files.createTempDirectory("colonnade-costs")
    val measured: Seq[(String, () => Double)] = ofSpark(spark, folder.resolve("rows").toString) ++ Seq(
      "jni_call_ns" -> (() => nanoseconds(200000)(Contracts.nothing())),
      "upcall_ns" -> (() => nanoseconds(1)(Contracts.callBack(runnable, 200000)) / 200000),
      "copy_8192_longs_critical_section_ns" -> (() => nanoseconds(2000)(Contracts.copyCritical(array, target, 8L * rows))),
      "copy_8192_longs_platform_copy_from_heap_ns" ->
        (() => nanoseconds(2000)(Platform.copyMemory(array, Platform.LONG_ARRAY_OFFSET, null, target, 8L * rows))),
      "copy_8192_longs_and_garbage_4_threads_critical_section_ns" -> (() => withGarbage(Contracts.copyCritical(array, target, 8L * rows))),
      "copy_8192_longs_and_garbage_4_threads_platform_copy_ns" ->
        (() => withGarbage(Platform.copyMemory(array, Platform.LONG_ARRAY_OFFSET, null, target, 8L * rows))),
      "copy_8192_longs_platform_copy_off_heap_ns" -> (() => nanoseconds(2000)(Platform.copyMemory(null, address, null, target, 8L * rows))),
      "copy_8192_longs_platform_copy_to_heap_ns" ->
        (() => nanoseconds(2000)(Platform.copyMemory(null, address, array, Platform.LONG_ARRAY_OFFSET, 8L * rows))),
      "read_private_field_by_jni_ns" -> (() => nanoseconds(20000) { Contracts.longField(offHeap, "data"); () }))
    val samples = Array.fill(measured.size)(new Array[Double](rounds))
    for (round <- -5 until rounds; i <- measured.indices) {
      val which = Math.floorMod(i + round, measured.size)
      val result = measured(which)._2()
      if (round >= 0) samples(which)(round) = result
    }
    val members = measured.indices.map { i =>
      val sorted = samples(i).sorted
      val format = "  \"%s\": {\"median\": %.1f, \"least\": %.1f, \"most\": %.1f}"
      format.formatLocal(Locale.ROOT, measured(i)._1, sorted(rounds / 2), sorted.head, sorted.last)
    }
    val head = Seq("java" -> System.getProperty("java.version"), "spark" -> org.apache.spark.SPARK_VERSION, "rounds" -> rounds.toString)
      .map { case (key, value) => s"""  "$key": "$value"""" }
    Files.writeString(Paths.get(arguments(0)), (head ++ members).mkString("{\n", ",\n", "\n}\n"))
    Platform.freeMemory(target)
    spark.stop()
    org.apache.spark.util.Utils.deleteRecursively(folder.toFile)
  }
}
