package org.apache.spark.colonnade

import java.lang.management.ManagementFactory
import java.nio.file.{Files, Path}
import java.util.{Collections, Map => JavaMap}
import java.util.concurrent.TimeUnit

import scala.jdk.CollectionConverters._

import org.apache.spark.{SparkConf, SparkContext, SparkEnv}
import org.apache.spark.api.plugin.{DriverPlugin, ExecutorPlugin, PluginContext, SparkPlugin}
import org.apache.spark.memory.MemoryMode
import org.apache.spark.shuffle.sort.SortShuffleManager
import org.apache.spark.sql.{SparkSession, SparkSessionExtensions, SparkSessionExtensionsProvider}

/** What a driver plugin can still set while Spark starts. Each test is a JVM of its own. */
class StartupSuite extends ContractSuite {
  import StartupSuite._

  private val plugin = "spark.plugins" -> classOf[SettingPlugin].getName

  /** What StartupSuite.main prints in a new JVM with these settings. */
  private def started(settings: (String, String)*): Map[String, String] = startedWith(None, settings)

  private def startedWith(folder: Option[Path], settings: Seq[(String, String)]): Map[String, String] = {
    val java = Path.of(System.getProperty("java.home"), "bin", "java").toString
    val options = ManagementFactory.getRuntimeMXBean.getInputArguments.asScala.filterNot(_.startsWith("-Xmx"))
    val classPath = (folder.map(_.toString).toSeq :+ System.getProperty("java.class.path")).mkString(":")
    val command = Seq(java, "-Xmx512m") ++ options ++ Seq("-cp", classPath, "org.apache.spark.colonnade.StartupProbe") ++
      settings.map { case (key, value) => s"$key=$value" }
    val log = Files.createTempFile("startup", ".log")
    val process = new ProcessBuilder(command.asJava).redirectErrorStream(true).redirectOutput(log.toFile).start()
    val ended = process.waitFor(120, TimeUnit.SECONDS)
    if (!ended) process.destroyForcibly()
    val output = Files.readAllLines(log).asScala.toSeq
    assert(ended && process.exitValue() == 0, output.takeRight(20).mkString("\n"))
    output.filter(_.startsWith("fact ")).map(_.drop(5).split("=", 2)).map { case Array(key, value) => key -> value }.toMap
  }

  test("a driver plugin can set the shuffle manager, memory off the heap, the overhead and session extensions") {
    val facts = started(
      plugin,
      "spark.set.spark.shuffle.manager" -> classOf[OwnShuffleManager].getName,
      "spark.set.spark.memory.offHeap.enabled" -> "true",
      "spark.set.spark.memory.offHeap.size" -> "64m",
      "spark.set.spark.executor.memoryOverhead" -> "777m",
      "spark.set.spark.sql.extensions" -> classOf[CountingExtensions].getName)
    assert(facts("shuffleManager") === classOf[OwnShuffleManager].getName)
    assert(facts("tungstenMemoryMode") === "OFF_HEAP")
    assert(facts("offHeapBytes") === (64L << 20).toString)
    assert(facts("memoryOverheadMegabytes") === "777")
    assert(facts("extensionsApplied") === "1")
  }

  test("without a plugin: the sort manager, nothing off the heap, no extensions") {
    val facts = started()
    assert(facts("shuffleManager") === classOf[SortShuffleManager].getName)
    assert(facts("tungstenMemoryMode") === "ON_HEAP" && facts("offHeapBytes") === "0")
    assert(facts("extensionsApplied") === "0")
  }

  test("a jar alone brings session extensions: SparkSessionExtensionsProvider in META-INF/services") {
    val folder = Files.createTempDirectory("services")
    val services = Files.createDirectories(folder.resolve("META-INF/services"))
    Files.writeString(services.resolve(classOf[SparkSessionExtensionsProvider].getName), classOf[CountingExtensions].getName)
    assert(startedWith(Some(folder), Nil)("extensionsApplied") === "1")
  }

  test("the configuration that a plugin is given is the context's own") {
    assert(started(plugin, "spark.set.spark.colonnade.probe" -> "seen")("probe") === "seen")
  }
}

object StartupSuite {
  @volatile var extensionsApplied = 0

  /** Sets what "spark.set.<key>" says as <key>, when the driver plugin is started. */
  final class SettingPlugin extends SparkPlugin {
    override def driverPlugin(): DriverPlugin = new DriverPlugin {
      override def init(context: SparkContext, plugins: PluginContext): JavaMap[String, String] = {
        for ((key, value) <- plugins.conf().getAllWithPrefix("spark.set.")) plugins.conf().set(key, value)
        Collections.emptyMap()
      }
    }
    override def executorPlugin(): ExecutorPlugin = null
  }

  final class OwnShuffleManager(conf: SparkConf) extends SortShuffleManager(conf)

  final class CountingExtensions extends SparkSessionExtensionsProvider {
    override def apply(extensions: SparkSessionExtensions): Unit = extensionsApplied += 1
  }
}

/** Starts a session with the settings given as key=value and prints what came of them. */
object StartupProbe {
  def main(arguments: Array[String]): Unit = {
    val builder = SparkSession.builder().master("local[1]").config("spark.ui.enabled", "false")
      .config("spark.driver.bindAddress", "127.0.0.1").config("spark.driver.host", "127.0.0.1")
    for (Array(key, value) <- arguments.map(_.split("=", 2))) builder.config(key, value)
    val spark = builder.getOrCreate()
    assert(spark.range(10).count() == 10)
    val env = SparkEnv.get
    val overhead = spark.sparkContext.resourceProfileManager.defaultResourceProfile.executorResources.get("memoryOverhead")
    val facts = Seq(
      "shuffleManager" -> env.shuffleManager.getClass.getName,
      "tungstenMemoryMode" -> env.memoryManager.tungstenMemoryMode.toString,
      "offHeapBytes" -> (if (env.memoryManager.tungstenMemoryMode == MemoryMode.OFF_HEAP) env.memoryManager.maxOffHeapStorageMemory else 0L).toString,
      "memoryOverheadMegabytes" -> overhead.fold("")(_.amount.toString),
      "extensionsApplied" -> StartupSuite.extensionsApplied.toString,
      "probe" -> spark.sparkContext.getConf.get("spark.colonnade.probe", ""))
    for ((key, value) <- facts) println(s"fact $key=$value")
    spark.stop()
  }
}
