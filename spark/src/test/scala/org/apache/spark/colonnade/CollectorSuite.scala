package org.apache.spark.colonnade

import java.lang.management.ManagementFactory
import java.util.concurrent.CountDownLatch

import scala.jdk.CollectionConverters._

import org.apache.spark.unsafe.Platform

/** What native work on arrays of the heap does to the garbage collector, and so to every other task of an executor. */
class CollectorSuite extends ContractSuite {
  /** Nanoseconds of the longest single allocation, of many that together need several collections, while `work` goes on on
    * another thread, and those that the work took.
    */
  private def longestAllocationDuring(work: => Unit): (Long, Long) = {
    val begun = new CountDownLatch(1)
    var took = 0L
    val worker = new Thread(() => {
      begun.countDown()
      val start = System.nanoTime()
      work
      took = System.nanoTime() - start
    })
    worker.start()
    begun.await()
    var longest = 0L
    var allocated = 0L
    while (allocated < (8L << 30)) {
      val start = System.nanoTime()
      val garbage = new Array[Byte](100000)
      longest = math.max(longest, System.nanoTime() - start)
      allocated += garbage.length
    }
    worker.join()
    (longest, took)
  }

  test("a critical section holds collections up until it ends, and with them whoever allocates: no longer work inside one", Slow) {
    val array = new Array[Long](1000)
    val (longest, took) = longestAllocationDuring(Contracts.holdCritical(array, 5000000000L))
    assert(took >= 5000000000L && longest > 1000000000L)
  }

  private def collections(): Long = ManagementFactory.getGarbageCollectorMXBeans.asScala.map(_.getCollectionCount).sum

  /** The most collections that ended within one of 50 copies, while another thread makes garbage. */
  private def mostCollectionsWithin(copy: => Unit): Long = {
    var most = 0L
    longestAllocationDuring {
      for (_ <- 0 until 50) {
        val before = collections()
        copy
        most = math.max(most, collections() - before)
      }
    }
    most
  }

  test("Platform.copyMemory of far more than a batch does not: several collections go on and end within one copy", Slow) {
    val array = new Array[Long](64 << 20)
    val bytes = 8L * array.length
    val target = Platform.allocateMemory(bytes)
    try {
      // One may end between the copy and the count before it, and one between the copy and the count after it.
      assert(mostCollectionsWithin(Platform.copyMemory(array, Platform.LONG_ARRAY_OFFSET, null, target, bytes)) > 2)
      assert(mostCollectionsWithin(Contracts.copyCritical(array, target, bytes)) <= 2)
    } finally Platform.freeMemory(target)
  }
}
