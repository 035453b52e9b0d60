package org.apache.spark.colonnade

import java.util.{Collections, Map => JavaMap}

import org.apache.spark.{SparkContext, SparkEnv}
import org.apache.spark.api.plugin.{DriverPlugin, ExecutorPlugin, PluginContext, SparkPlugin}
import org.apache.spark.memory.MemoryMode

/** Turns on memory off the heap and fails where it did not come to pass: for suites of Spark's own (docs/spark-internals.md). */
final class OffHeapPlugin extends SparkPlugin {
  override def driverPlugin(): DriverPlugin = new DriverPlugin {
    override def init(context: SparkContext, plugins: PluginContext): JavaMap[String, String] = {
      plugins.conf().set("spark.memory.offHeap.enabled", "true").set("spark.memory.offHeap.size", "1g")
      Collections.emptyMap()
    }
  }

  override def executorPlugin(): ExecutorPlugin = new ExecutorPlugin {
    override def init(context: PluginContext, extra: JavaMap[String, String]): Unit =
      require(SparkEnv.get.memoryManager.tungstenMemoryMode == MemoryMode.OFF_HEAP)
  }
}
