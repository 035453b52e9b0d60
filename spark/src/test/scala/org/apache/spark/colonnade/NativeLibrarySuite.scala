package org.apache.spark.colonnade

import java.io.File
import java.net.{URL, URLClassLoader}
import java.nio.file.{Files, Path, Paths}
import java.util.Optional

import scala.jdk.CollectionConverters._

import org.scalatest.funsuite.AnyFunSuite

class NativeLibrarySuite extends AnyFunSuite {
  private val resource = "native/linux-" + System.getProperty("os.arch").replace("amd64", "x86_64") + "/libcolonnade_spark.so"
  private val classes: URL = classOf[Native].getProtectionDomain.getCodeSource.getLocation

  private val library = Paths.get(System.getProperty("colonnade.contracts")).resolveSibling("libcolonnade_spark.so")

  /** The classes loaded anew, with what `first` holds before the resources of the jar. */
  private def loaderOf(first: Path*): ClassLoader =
    new URLClassLoader((first.map(_.toUri.toURL) :+ classes).toArray, ClassLoader.getPlatformClassLoader)

  private def failureOf(loader: ClassLoader): Optional[String] =
    loader.loadClass("org.apache.spark.colonnade.NativeLibrary").getMethod("failure").invoke(null).asInstanceOf[Optional[String]]

  private def failureOf(first: Path*): Optional[String] = failureOf(loaderOf(first: _*))

  private def folderWith(name: String, contents: Array[Byte]): Path = {
    val folder = Files.createTempDirectory("overlay")
    val file = folder.resolve(name)
    Files.createDirectories(file.getParent)
    Files.write(file, contents)
    folder
  }

  private def copies(): Set[String] =
    new File(System.getProperty("java.io.tmpdir")).list().filter(_.startsWith("libcolonnade_spark-")).toSet

  test("it loads, and leaves no file behind") {
    val before = copies()
    assert(NativeLibrary.failure() === Optional.empty())
    assert(Native.version() === "0.1.0")
    assert(copies() === before)
  }

  test("every class loader gets a library of its own") {
    for (_ <- 1 to 3) assert(failureOf() === Optional.empty())
    val mapped = Files.readAllLines(Paths.get("/proc/self/maps")).asScala
      .filter(_.contains("libcolonnade_spark-")).map(_.split(" +").drop(5).mkString(" ")).toSet
    assert(mapped.size >= 3)
  }

  test("its library shows JNI_OnLoad and nothing else") {
    val process = new ProcessBuilder("nm", "--dynamic", "--defined-only", "--format=posix", library.toString).redirectErrorStream(true).start()
    val names = new String(process.getInputStream.readAllBytes()).linesIterator.map(_.split(" ").head).toSeq
    assert(process.waitFor() === 0 && names === Seq("JNI_OnLoad"), names)
  }

  test("a path is bound to one class loader: another one cannot load the same file") {
    System.setProperty(NativeLibrary.PATH_PROPERTY, library.toString)
    try {
      val first = loaderOf()
      assert(failureOf(first) === Optional.empty())
      assert(failureOf(loaderOf()).get.contains("already loaded in another classloader"))
      assert(failureOf(first) === Optional.empty()) // and is held until here
    } finally System.clearProperty(NativeLibrary.PATH_PROPERTY)
  }

  test("a copy that cannot be written whole is a reason in one line, and is not left behind") {
    val before = copies()
    val java = Path.of(System.getProperty("java.home"), "bin", "java").toString
    // No file of this process may have more than 4 kB.
    val process = new ProcessBuilder("bash", "-c", "ulimit -f 4 && exec \"$@\"", "bash", java, "-XX:-UsePerfData",
      "-Djava.io.tmpdir=" + System.getProperty("java.io.tmpdir"), "-cp", System.getProperty("java.class.path"),
      "org.apache.spark.colonnade.NativeLibraryProbe").start()
    assert(new String(process.getInputStream.readAllBytes()).trim === "native library not loaded: File too large")
    assert(process.waitFor() === 0 && Files.size(library) > 4096)
    assert(copies() === before)
  }

  test("a library that is none is a reason in one line") {
    val failure = failureOf(folderWith(resource, "no library".getBytes)).get
    assert(failure.startsWith("native library not loaded: ") && !failure.contains("\n"), failure)
  }

  test("a library of another version is refused by both numbers") {
    val other = folderWith("org/apache/spark/colonnade/version.properties", "version=0.0.9".getBytes)
    assert(failureOf(other).get === "native library of version 0.1.0, jar of version 0.0.9")
  }

  test("a platform that the jar has no library for is named") {
    val before = System.setProperty("os.arch", "riscv64")
    try assert(failureOf().get === "native library not loaded: this jar has none for linux-riscv64")
    finally System.setProperty("os.arch", before)
  }

  test("a file of one's own is loaded instead of the jar's") {
    System.setProperty(NativeLibrary.PATH_PROPERTY, "/nonexistent/x.so")
    try assert(failureOf().get.contains("/nonexistent/x.so"))
    finally System.clearProperty(NativeLibrary.PATH_PROPERTY)
  }
}

/** A process of its own that loads the library. */
object NativeLibraryProbe extends App {
  println(NativeLibrary.failure().orElse("loaded"))
}
