package org.apache.spark.colonnade

import java.nio.file.{Files, Paths}
import java.util.Locale

import org.apache.spark.sql.execution.vectorized.{OffHeapColumnVector, OnHeapColumnVector}
import org.apache.spark.sql.types.LongType
import org.apache.spark.unsafe.Platform

/** Measures what crossing between the JVM and native code costs, and copying vectors: medians over rounds in turn, written
  * as JSON to the file named by the argument. Run by `make bench-spark`; no test.
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
    val measured: Seq[(String, () => Double)] = Seq(
      "jni_call_ns" -> (() => nanoseconds(200000)(Contracts.nothing())),
      "upcall_ns" -> (() => nanoseconds(1)(Contracts.callBack(runnable, 200000)) / 200000),
      "copy_8192_longs_critical_section_ns" -> (() => nanoseconds(2000)(Contracts.copyCritical(array, target, 8L * rows))),
      "copy_8192_longs_platform_copy_from_heap_ns" ->
        (() => nanoseconds(2000)(Platform.copyMemory(array, Platform.LONG_ARRAY_OFFSET, null, target, 8L * rows))),
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
  }
}
