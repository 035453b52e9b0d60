package org.apache.spark.colonnade

import java.io.IOException

import scala.collection.mutable

import org.apache.spark.SparkConf
import org.apache.spark.memory._

/** What TaskMemoryManager grants, and whom it asks to spill. */
class MemoryContractSuite extends ContractSuite {
  private val megabyte: Long = 1L << 20

  private class Consumer(
      manager: TaskMemoryManager,
      mode: MemoryMode,
      onSpill: (Long, MemoryConsumer) => Long = (_, _) => 0L)
      extends MemoryConsumer(manager, megabyte, mode) {
    override def spill(size: Long, trigger: MemoryConsumer): Long = onSpill(size, trigger)
  }

  /** A task alone in an executor with so much memory for execution in each mode. */
  private def task(offHeapBytes: Long, heapBytes: Long = 512 * megabyte): TaskMemoryManager = {
    val conf = new SparkConf(false)
      .set("spark.memory.offHeap.enabled", (offHeapBytes > 0).toString)
      .set("spark.memory.offHeap.size", offHeapBytes.toString)
    new TaskMemoryManager(new UnifiedMemoryManager(conf, heapBytes, heapBytes / 2, 1), 0)
  }

  test("a grant may be smaller than what was asked for, and no error") {
    val consumer = new Consumer(task(10 * megabyte), MemoryMode.OFF_HEAP)
    assert(consumer.acquireMemory(8 * megabyte) === 8 * megabyte)
    assert(consumer.acquireMemory(8 * megabyte) === 2 * megabyte)
    assert(consumer.acquireMemory(megabyte) === 0)
    assert(consumer.getUsed === 10 * megabyte)
  }

  test("without spark.memory.offHeap.enabled the pool off the heap is empty and grants nothing") {
    val manager = task(0)
    assert(new Consumer(manager, MemoryMode.OFF_HEAP).acquireMemory(1) === 0)
    assert(new Consumer(manager, MemoryMode.ON_HEAP).acquireMemory(megabyte) === megabyte)
    assert(manager.getTungstenMemoryMode === MemoryMode.ON_HEAP)
  }

  test("a consumer on the heap only counts: no array is allocated for it") {
    val manager = task(0)
    val consumer = new Consumer(manager, MemoryMode.ON_HEAP)
    val before = Runtime.getRuntime.totalMemory - Runtime.getRuntime.freeMemory
    assert(consumer.acquireMemory(256 * megabyte) === 256 * megabyte)
    assert(Runtime.getRuntime.totalMemory - Runtime.getRuntime.freeMemory - before < 64 * megabyte)
    consumer.freeMemory(256 * megabyte)
    assert(manager.getMemoryConsumptionForThisTask === 0)
  }

  test("spill is called inside acquireMemory, on the thread that acquires, with what is missing") {
    val manager = task(10 * megabyte)
    val calls = mutable.Buffer.empty[(Long, MemoryConsumer, Thread)]
    lazy val victim: Consumer = new Consumer(manager, MemoryMode.OFF_HEAP, (size, trigger) => {
      calls += ((size, trigger, Thread.currentThread))
      victim.freeMemory(4 * megabyte)
      4 * megabyte
    })
    assert(victim.acquireMemory(9 * megabyte) === 9 * megabyte)
    val requester = new Consumer(manager, MemoryMode.OFF_HEAP)
    assert(requester.acquireMemory(3 * megabyte) === 3 * megabyte)
    assert(calls === Seq((2 * megabyte, requester, Thread.currentThread)))
    assert(victim.getUsed === 5 * megabyte)
  }

  test("the smallest consumer that suffices is asked first, the requester last, and only with memory") {
    val manager = task(12 * megabyte)
    val asked = mutable.Buffer.empty[String]
    def named(name: String): Consumer =
      new Consumer(manager, MemoryMode.OFF_HEAP, (_, _) => { asked += name; 0L })
    val large = named("large")
    val small = named("small")
    val tiny = named("tiny")
    val empty = named("empty")
    val requester = named("requester")
    large.acquireMemory(5 * megabyte)
    small.acquireMemory(3 * megabyte)
    tiny.acquireMemory(megabyte)
    requester.acquireMemory(3 * megabyte)
    assert(empty.getUsed === 0)
    assert(requester.acquireMemory(2 * megabyte) === 0)
    assert(asked === Seq("small", "large", "tiny", "requester"))
  }

  test("where none suffices the largest is asked first, the others after it, the requester last") {
    val manager = task(12 * megabyte)
    val asked = mutable.Buffer.empty[String]
    def holding(name: String, megabytes: Long): Consumer = {
      val consumer = new Consumer(manager, MemoryMode.OFF_HEAP, (_, _) => { asked += name; 0L })
      consumer.acquireMemory(megabytes * megabyte)
      consumer
    }
    holding("small", 1)
    holding("large", 4)
    holding("medium", 2)
    val requester = holding("requester", 5)
    assert(requester.acquireMemory(6 * megabyte) === 0)
    assert(asked === Seq("large", "medium", "small", "requester"))
  }

  test("consumers of the other mode are not asked") {
    val manager = task(10 * megabyte)
    val onHeap = new Consumer(manager, MemoryMode.ON_HEAP, (_, _) => fail("asked to spill"))
    onHeap.acquireMemory(megabyte)
    val offHeap = new Consumer(manager, MemoryMode.OFF_HEAP)
    offHeap.acquireMemory(10 * megabyte)
    assert(new Consumer(manager, MemoryMode.OFF_HEAP).acquireMemory(megabyte) === 0)
  }

  test("memory taken from the manager directly is not the consumer's: nobody asks it to spill") {
    val manager = task(10 * megabyte)
    val hidden = new Consumer(manager, MemoryMode.OFF_HEAP, (_, _) => fail("asked to spill"))
    assert(manager.acquireExecutionMemory(10 * megabyte, hidden) === 10 * megabyte)
    assert(hidden.getUsed === 0)
    assert(new Consumer(manager, MemoryMode.OFF_HEAP).acquireMemory(megabyte) === 0)
  }

  test("a requester may be asked to spill itself, in the middle of its own acquireMemory") {
    val manager = task(10 * megabyte)
    lazy val only: Consumer = new Consumer(manager, MemoryMode.OFF_HEAP, (_, trigger) => {
      assert(trigger eq only)
      only.freeMemory(6 * megabyte)
      6 * megabyte
    })
    only.acquireMemory(10 * megabyte)
    assert(only.acquireMemory(2 * megabyte) === 2 * megabyte)
    assert(only.getUsed === 6 * megabyte)
  }

  test("an IOException of spill is a SparkOutOfMemoryError of the requester, an interruption a RuntimeException") {
    val manager = task(10 * megabyte)
    val broken = new Consumer(manager, MemoryMode.OFF_HEAP, (_, _) => throw new IOException("disk"))
    broken.acquireMemory(10 * megabyte)
    val requester = new Consumer(manager, MemoryMode.OFF_HEAP)
    assert(intercept[SparkOutOfMemoryError](quietly(requester.acquireMemory(megabyte))).getMessage.contains("SPILL_OUT_OF_MEMORY"))
    val killed = new Consumer(task(megabyte), MemoryMode.OFF_HEAP, (_, _) => throw new java.nio.channels.ClosedByInterruptException)
    killed.acquireMemory(megabyte)
    assert(intercept[RuntimeException](quietly(killed.acquireMemory(megabyte))).getClass !== classOf[SparkOutOfMemoryError])
  }

  test("what a task did not give back is counted when it ends") {
    val manager = task(10 * megabyte)
    new Consumer(manager, MemoryMode.OFF_HEAP).acquireMemory(3 * megabyte)
    assert(manager.cleanUpAllAllocatedMemory() === 3 * megabyte)
    assert(manager.cleanUpAllAllocatedMemory() === 0)
  }

  test("a task alone gets everything, one of two waits until it can have a quarter") {
    val conf = new SparkConf(false).set("spark.memory.offHeap.enabled", "true").set("spark.memory.offHeap.size", (8 * megabyte).toString)
    val shared = new UnifiedMemoryManager(conf, 512 * megabyte, 256 * megabyte, 2)
    val first = new Consumer(new TaskMemoryManager(shared, 1), MemoryMode.OFF_HEAP)
    assert(first.acquireMemory(8 * megabyte) === 8 * megabyte)
    @volatile var granted = -1L
    val waiting = new Thread(() => granted = new Consumer(new TaskMemoryManager(shared, 2), MemoryMode.OFF_HEAP).acquireMemory(8 * megabyte))
    waiting.start()
    waiting.join(300)
    assert(waiting.isAlive && granted === -1)
    first.freeMemory(2 * megabyte) // a quarter: 1 / (2 * tasks) of the pool
    waiting.join(10000)
    assert(granted === 2 * megabyte)
  }
}
