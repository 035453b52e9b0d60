package org.apache.spark.colonnade

import java.nio.file.Files

import org.apache.spark.rdd.RDD
import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.expressions.{Attribute, DynamicPruningExpression, Expression}
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.exchange.{BroadcastExchangeExec, ReusedExchangeExec}
import org.apache.spark.sql.vectorized.ColumnarBatch

/** Pruning of partitions by what a join's other side has, when scans and exchanges are not Spark's own. */
class DynamicPruningSuite extends ContractSuite with SharedSpark {
  import DynamicPruningSuite._

  override protected def configured(builder: SparkSession.Builder): SparkSession.Builder = builder.withExtensions { extensions =>
    extensions.injectColumnar(_ => ReplacedExchangeSuite.Replacing)
    extensions.injectColumnar(_ => Wrapping)
  }

  private lazy val tables = {
    val folder = Files.createTempDirectory("colonnade-pruning")
    spark.range(1000).selectExpr("id", "id % 10 as p").write.partitionBy("p").parquet(folder.resolve("facts").toString)
    spark.range(10).selectExpr("id as k", "id * 2 as v").write.parquet(folder.resolve("dimension").toString)
    for (name <- Seq("facts", "dimension")) spark.read.parquet(folder.resolve(name).toString).createOrReplaceTempView(name)
    folder
  }

  override def afterAll(): Unit = {
    org.apache.spark.util.Utils.deleteRecursively(tables.toFile)
    super.afterAll()
  }

  private def joined(): DataFrame = {
    tables
    val frame = spark.sql("select f.id from facts f join (select k, max(v) from dimension where v = 6 group by k) d on f.p = d.k")
    assert(frame.collect().map(_.getLong(0)).toSet === (0L until 1000).filter(_ % 10 == 3).toSet)
    frame
  }

  /** The partitions and rows that the scan read. */
  private def read(frame: DataFrame): (Long, Long) = {
    val metrics = factScan(frame).metrics
    (metrics("numPartitions").value, metrics("numOutputRows").value)
  }

  private def factScan(frame: DataFrame): FileSourceScanExec =
    nodes(frame).collectFirst { case own: OwnScan if own.output.exists(_.name == "p") => own.running }.get

  /** How many broadcasts run for the join and its pruning, and how many are another one used again. */
  private def broadcasts(frame: DataFrame): (Int, Int) = {
    val subqueries = factScan(frame).partitionFilters.collect { case DynamicPruningExpression(in: InSubqueryExec) => in.plan }
    assert(subqueries.size === 1)
    val all = nodes(frame) ++ nodes(subqueries.collectFirst { case subquery: SubqueryBroadcastExec => subquery.child }.get)
    (all.count(_.isInstanceOf[BroadcastExchangeExec]),
      all.count { case reused: ReusedExchangeExec => reused.child.isInstanceOf[BroadcastExchangeExec]; case _ => false })
  }

  for (adaptive <- Seq(true, false)) {
    val how = if (adaptive) "with adaptive execution" else "without adaptive execution"

    test(s"a scan inside another node reads only the partitions that the join asks for, and its values come from the join's broadcast, $how") {
      hidesFilters = false
      withConf("spark.sql.adaptive.enabled" -> adaptive.toString) {
        val frame = joined()
        assert(read(frame) === ((1, 100)))
        assert(broadcasts(frame) === (1, 1))
        withConf("spark.sql.optimizer.dynamicPartitionPruning.enabled" -> "false") {
          assert(read(joined()) === ((10, 1000)))
        }
      }
    }
  }

  test("exchanges above equal scans are reused only when doCanonicalize makes the inner scan canonical; the pruning does without") {
    hidesFilters = false
    try for (adaptive <- Seq(true, false); made <- Seq(true, false)) {
      canonical = made
      withConf("spark.sql.adaptive.enabled" -> adaptive.toString) {
        assert(broadcasts(joined()) === (1, 1))
        withConf("spark.sql.autoBroadcastJoinThreshold" -> "-1", "spark.sql.adaptive.autoBroadcastJoinThreshold" -> "-1") {
          val counts = "(select p, count(*) c from facts group by p)"
          val twice = spark.sql(s"select a.p, a.c, b.c from $counts a join $counts b on a.p = b.p")
          assert(twice.collect().length === 10)
          assert(nodes(twice).count(_.isInstanceOf[ReusedExchangeExec]) === (if (made) 1 else 0))
        }
      }
    } finally canonical = true
  }

  test("where the pruning filters are not expressions of the node itself, the values are broadcast twice without adaptive execution") {
    hidesFilters = true
    for (adaptive <- Seq(true, false)) withConf("spark.sql.adaptive.enabled" -> adaptive.toString) {
      val frame = joined()
      assert(factScan(frame).metrics("numPartitions").value === 1)
      assert(broadcasts(frame) === (if (adaptive) (1, 1) else (2, 0)))
    }
  }
}

object DynamicPruningSuite {
  @volatile var hidesFilters = false
  /** Whether OwnScan makes the scan inside canonical. */
  @volatile var canonical = true

  object Wrapping extends ColumnarRule {
    override def preColumnarTransitions: Rule[SparkPlan] = _.transformUp { case scan: FileSourceScanExec =>
      OwnScan(scan, if (hidesFilters) None else Some(scan.partitionFilters))
    }
  }

  /** A scan that is run by another node. No child, it is made canonical by hand: without adaptive execution the columnar rule
    * comes before reuse. filters: those of the scan where Spark shall see and replace them.
    */
  final case class OwnScan(scan: FileSourceScanExec, filters: Option[Seq[Expression]]) extends LeafExecNode {
    lazy val running: FileSourceScanExec = filters.fold(scan)(own => scan.copy(partitionFilters = own))
    override def output: Seq[Attribute] = scan.output
    override def outputPartitioning: Partitioning = scan.outputPartitioning
    override def supportsColumnar: Boolean = scan.supportsColumnar
    override protected def doExecute(): RDD[InternalRow] = running.execute()
    override protected def doExecuteColumnar(): RDD[ColumnarBatch] = running.executeColumnar()
    override protected def doCanonicalize(): SparkPlan =
      if (canonical) OwnScan(running.canonicalized.asInstanceOf[FileSourceScanExec], None) else super.doCanonicalize()
  }
}
