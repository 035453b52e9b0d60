package org.apache.spark.colonnade

import java.nio.file.Files

import org.apache.spark.api.python.{PythonBroadcast, PythonEvalType, SimplePythonFunction}
import org.apache.spark.broadcast.Broadcast
import org.apache.spark.sql.{DataFrame, Row}
import org.apache.spark.sql.execution.{ColumnarToRowExec, WholeStageCodegenExec}
import org.apache.spark.sql.execution.python.UserDefinedPythonFunction
import org.apache.spark.sql.functions.col
import org.apache.spark.sql.types.LongType

/** Vectors over raw addresses as Spark's own row operators read them. */
class AddressVectorSuite extends ContractSuite with SharedSpark {
  import AddressSource._

  private def source: DataFrame = spark.read.format(classOf[AddressSource].getName).load()

  private val expected: Seq[Row] = (0L until rows).map { id =>
    def orNull(column: Int, value: Any): Any = if (isNull(id, column)) null else value
    Row(
      id,
      orNull(1, -id.toInt),
      orNull(2, id * 0.5),
      orNull(3, new java.math.BigDecimal(java.math.BigInteger.valueOf(id * 100 + 1), 2)),
      orNull(4, id % 2 == 0),
      orNull(5, wordOf(id)),
      orNull(6, wordOf(id).getBytes.toSeq))
  }

  private def collected(frame: DataFrame): Seq[Row] = frame.collect().toSeq.sortBy(_.getLong(0)).map { row =>
    Row.fromSeq(row.toSeq.map {
      case bytes: Array[Byte] => bytes.toSeq
      case value => value
    })
  }

  test("ColumnarToRowExec reads every value, inside whole-stage code and without it") {
    for (wholeStage <- Seq(true, false)) withConf("spark.sql.codegen.wholeStage" -> wholeStage.toString) {
      val frame = source
      assert(collected(frame) === expected)
      assert(nodes(frame).exists(_.isInstanceOf[ColumnarToRowExec]))
      assert(nodes(frame).exists(_.isInstanceOf[WholeStageCodegenExec]) === wholeStage)
    }
  }

  test("filters, aggregates, sorts and joins of Spark's own read it") {
    for (wholeStage <- Seq(true, false)) withConf("spark.sql.codegen.wholeStage" -> wholeStage.toString) {
      source.createOrReplaceTempView("addresses")
      val sums = spark.sql("select count(*), sum(n), sum(x), sum(price), count(word), max(word) from addresses where even").head()
      val even = expected.filter(_.get(4) == true)
      assert(sums.getLong(0) === even.size)
      assert(sums.getLong(1) === even.flatMap(row => Option(row.get(1))).map(_.asInstanceOf[Int].toLong).sum)
      assert(sums.getDouble(2) === even.flatMap(row => Option(row.get(2))).map(_.asInstanceOf[Double]).sum) // halves: exact in any order
      assert(sums.getDecimal(3) === even.flatMap(row => Option(row.getDecimal(3))).reduce(_ add _))
      assert(sums.getLong(4) === even.count(_.get(5) != null))
      assert(sums.getString(5) === even.flatMap(row => Option(row.getString(5))).max)
      val joined = spark.sql("select a.id from addresses a join addresses b on a.word = b.word order by a.word desc, a.id")
      val ordered = expected.filter(_.get(5) != null).sortBy(_.getString(5)).reverse // no word occurs twice
      assert(joined.collect().map(_.getLong(0)).toSeq === ordered.map(_.getLong(0)))
    }
  }

  test("values outlive the batch they came from: rows that Spark keeps are copies") {
    // AddressReader overwrites a batch's memory when the next one is asked for.
    assert(collected(source.orderBy("word").limit(rows)) === expected)
    val cached = source.cache()
    try {
      assert(collected(cached) === expected)
      assert(collected(cached) === expected)
    } finally cached.unpersist(blocking = true)
  }

  test("the Parquet writer reads it") {
    val folder = Files.createTempDirectory("addresses").resolve("out").toString
    source.write.parquet(folder)
    assert(collected(spark.read.parquet(folder)) === expected)
  }

  /** A Python function of one column, as pyspark pickles it. */
  private def pythonFunction(lambda: String, kind: Int): UserDefinedPythonFunction = {
    val python = System.getProperty("colonnade.python")
    val program = "import sys; from pyspark.serializers import CloudPickleSerializer; from pyspark.sql.types import LongType; " +
      s"sys.stdout.buffer.write(b'%d.%d ' % sys.version_info[:2] + CloudPickleSerializer().dumps(($lambda, LongType())))"
    val process = new ProcessBuilder(python, "-c", program).redirectError(ProcessBuilder.Redirect.INHERIT).start()
    val (version, pickled) = process.getInputStream.readAllBytes().span(_ != ' ')
    assert(process.waitFor() === 0, s"$python has no pyspark: see tools/requirements-spark.txt")
    val function = new SimplePythonFunction(pickled.tail, new java.util.HashMap[String, String], new java.util.ArrayList[String], python, new String(version),
      new java.util.ArrayList[Broadcast[PythonBroadcast]], null)
    UserDefinedPythonFunction("f", function, LongType, kind, udfDeterministic = true)
  }

  for ((name, kind, lambda) <- Seq(
      ("pickled rows", PythonEvalType.SQL_BATCHED_UDF, "lambda n: None if n is None else n * 2"),
      ("Arrow batches", PythonEvalType.SQL_ARROW_BATCHED_UDF, "lambda n: None if n is None else n * 2"),
      ("pandas series", PythonEvalType.SQL_SCALAR_PANDAS_UDF, "lambda n: n * 2"))) {
    test(s"a Python UDF over $name reads it, below what it gives as rows") {
      val frame = source.select(col("id"), pythonFunction(lambda, kind)(col("n")).as("twice"))
      assert(collected(frame) === expected.map(row => Row(row.get(0), Option(row.get(1)).map(_.asInstanceOf[Int] * 2L).orNull)))
      assert(nodes(frame).exists(_.isInstanceOf[ColumnarToRowExec]))
    }
  }
}
