package org.apache.spark.colonnade

import java.lang.management.ManagementFactory
import java.lang.module.ModuleFinder
import java.nio.file.{Files, Path}
import java.util.{Collections, Map => JavaMap}
import java.util.concurrent.TimeUnit
import java.util.jar.{JarEntry, JarOutputStream}

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
  private val classPath = System.getProperty("java.class.path")

  /** What StartupProbe prints in a new JVM with these settings. */
  private def started(settings: (String, String)*): Map[String, String] =
    run(classPath, Seq(probe) ++ settings.map { case (key, value) => s"$key=$value" })

  /** The facts that a main class prints in a new JVM. Executors that it starts have its class path, too. */
  private def run(classPath: String, arguments: Seq[String]): Map[String, String] = {
    val java = Path.of(System.getProperty("java.home"), "bin", "java").toString
    val options = ManagementFactory.getRuntimeMXBean.getInputArguments.asScala.filterNot(_.startsWith("-Xmx"))
    val log = Files.createTempFile("startup", ".log")
    val builder = new ProcessBuilder((Seq(java, "-Xmx512m") ++ options ++ Seq("-cp", classPath) ++ arguments).asJava)
    builder.environment().putAll(Map("SPARK_HOME" -> System.getProperty("java.io.tmpdir"), "SPARK_SCALA_VERSION" -> "2.13",
      "SPARK_TESTING" -> "1", "JAVA_HOME" -> System.getProperty("java.home")).asJava)
    val process = builder.redirectErrorStream(true).redirectOutput(log.toFile).start()
    val ended = process.waitFor(120, TimeUnit.SECONDS)
    if (!ended) process.destroyForcibly()
    val output = Files.readAllLines(log).asScala.toSeq
    assert(ended && process.exitValue() == 0, output.takeRight(40).mkString("\n"))
    output.filter(_.startsWith("fact ")).map(_.drop(5).split("=", 2)).map { case Array(key, value) => key -> value }.toMap
  }

  /** Spark's launcher starts executors with this module, which a cut runtime may not have. */
  private def assumeExecutorsStart(): Unit =
    assume(ModuleFinder.ofSystem.find("jdk.incubator.vector").isPresent, "this Java runtime lacks jdk.incubator.vector")

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
    assert(run(s"$folder:$classPath", Seq(probe))("extensionsApplied") === "1")
  }

  test("the configuration that a plugin is given is the context's own") {
    assert(started(plugin, "spark.set.spark.colonnade.probe" -> "seen")("probe") === "seen")
  }

  test("executors of a cluster start with what the driver's plugin set, their heap too: memory off the heap can come out of the user's own", Slow) {
    assumeExecutorsStart()
    val facts = started(
      plugin,
      "spark.master" -> "local-cluster[1,1,1024]",
      "spark.executor.memory" -> "1g",
      "spark.executor.extraClassPath" -> classPath,
      "spark.set.spark.shuffle.manager" -> classOf[OwnShuffleManager].getName,
      "spark.set.spark.executor.memory" -> "600m",
      "spark.set.spark.memory.offHeap.enabled" -> "true",
      "spark.set.spark.memory.offHeap.size" -> "424m")
    assert(facts("executorHeapMegabytes").toInt > 500 && facts("executorHeapMegabytes").toInt <= 600)
    assert(facts("executorOffHeapBytes") === (424L << 20).toString)
    assert(facts("executorShuffleManager") === classOf[OwnShuffleManager].getName)
    assert(facts("executorPlugin") === "true")
  }

  for ((master, tags) <- Seq("local[1]" -> Nil, "local-cluster[1,1,1024]" -> Seq(Slow))) {
    test(s"a plugin and extensions that come by spark-submit's --jars are found, on $master", tags: _*) {
      if (tags.nonEmpty) assumeExecutorsStart()
      val classes = classPath.split(":").find(_.endsWith("test-classes")).get
      val folder = Files.createTempDirectory("submitted")
      // The application, and what --jars brings; neither is on the class path.
      val (ours, theirs) = Files.list(Path.of(classes, getClass.getPackageName.split('.'): _*)).iterator.asScala.toSeq
        .partition(_.getFileName.toString.matches("StartupSuite\\$.*(Plugin|Extensions|Manager).*\\.class"))
      def jar(name: String, files: Seq[Path]): String = {
        val out = new JarOutputStream(Files.newOutputStream(folder.resolve(name)))
        for (file <- files) {
          out.putNextEntry(new JarEntry(Path.of(classes).relativize(file).toString))
          Files.copy(file, out)
          out.closeEntry()
        }
        out.close()
        folder.resolve(name).toString
      }
      val others = classPath.split(":").filterNot(_ == classes).mkString(":")
      val facts = run(others, Seq("org.apache.spark.deploy.SparkSubmit", "--master", master, "--class", probe,
        "--jars", jar("plugin.jar", ours), "--conf", s"spark.plugins=${plugin._2}", "--conf", s"spark.executor.extraClassPath=$others",
        "--conf", s"spark.set.spark.sql.extensions=${classOf[CountingExtensions].getName}", jar("application.jar", theirs)))
      assert(facts("extensionsApplied") === "1" && facts("executorPlugin") === "true")
    }
  }
}

object StartupSuite {
  private val probe = "org.apache.spark.colonnade.StartupProbe"

  /** Sets what "spark.set.<key>" says as <key>, when the driver plugin is started. */
  final class SettingPlugin extends SparkPlugin {
    override def driverPlugin(): DriverPlugin = new DriverPlugin {
      override def init(context: SparkContext, plugins: PluginContext): JavaMap[String, String] = {
        for ((key, value) <- plugins.conf().getAllWithPrefix("spark.set.")) plugins.conf().set(key, value)
        Collections.emptyMap()
      }
    }
    override def executorPlugin(): ExecutorPlugin = new ExecutorPlugin {
      override def init(context: PluginContext, extra: JavaMap[String, String]): Unit = StartupProbe.executorPlugin = true
    }
  }

  final class OwnShuffleManager(conf: SparkConf) extends SortShuffleManager(conf)

  final class CountingExtensions extends SparkSessionExtensionsProvider {
    override def apply(extensions: SparkSessionExtensions): Unit = StartupProbe.extensionsApplied += 1
  }
}

/** Starts a session with the settings given as key=value and prints what came of them. */
object StartupProbe {
  @volatile var extensionsApplied = 0
  @volatile var executorPlugin = false

  private def offHeapBytes(env: SparkEnv): Long =
    if (env.memoryManager.tungstenMemoryMode == MemoryMode.OFF_HEAP) env.memoryManager.maxOffHeapStorageMemory else 0L

  def main(arguments: Array[String]): Unit = {
    val conf = new SparkConf().setIfMissing("spark.master", "local[1]").set("spark.ui.enabled", "false").setAppName("probe")
      .set("spark.driver.bindAddress", "127.0.0.1").set("spark.driver.host", "127.0.0.1")
    for (Array(key, value) <- arguments.map(_.split("=", 2))) conf.set(key, value)
    val spark = SparkSession.builder().config(conf).getOrCreate()
    assert(spark.range(10).count() == 10)
    val env = SparkEnv.get
    val overhead = spark.sparkContext.resourceProfileManager.defaultResourceProfile.executorResources.get("memoryOverhead")
    val ofExecutor = spark.sparkContext.parallelize(Seq(0), 1).map { _ =>
      Seq(
        "executorHeapMegabytes" -> (Runtime.getRuntime.maxMemory >> 20).toString,
        "executorOffHeapBytes" -> offHeapBytes(SparkEnv.get).toString,
        "executorShuffleManager" -> SparkEnv.get.shuffleManager.getClass.getName,
        "executorPlugin" -> executorPlugin.toString)
    }.collect().head
    val facts = Seq(
      "shuffleManager" -> env.shuffleManager.getClass.getName,
      "tungstenMemoryMode" -> env.memoryManager.tungstenMemoryMode.toString,
      "offHeapBytes" -> offHeapBytes(env).toString,
      "memoryOverheadMegabytes" -> overhead.fold("")(_.amount.toString),
      "extensionsApplied" -> extensionsApplied.toString,
      "probe" -> spark.sparkContext.getConf.get("spark.colonnade.probe", "")) ++ ofExecutor
    for ((key, value) <- facts) println(s"fact $key=$value")
    spark.stop()
  }
}
