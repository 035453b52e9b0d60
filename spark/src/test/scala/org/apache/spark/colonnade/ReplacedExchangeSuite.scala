package org.apache.spark.colonnade

import scala.concurrent.Future

import org.apache.spark.{MapOutputStatistics, ShuffleDependency}
import org.apache.spark.rdd.RDD
import org.apache.spark.serializer.Serializer
import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.plans.logical.Statistics
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.adaptive.{AQEShuffleReadExec, ShuffleQueryStageExec}
import org.apache.spark.sql.execution.exchange._
import org.apache.spark.sql.execution.joins.{BroadcastHashJoinExec, SortMergeJoinExec}
import org.apache.spark.sql.execution.metric.{SQLMetric, SQLMetrics, SQLShuffleReadMetricsReporter, SQLShuffleWriteMetricsReporter}

/** An exchange of our own class in place of Spark's, put there by the columnar rule: what adaptive execution still does. */
class ReplacedExchangeSuite extends ContractSuite with SharedSpark {
  import ReplacedExchangeSuite._

  override protected def configured(builder: SparkSession.Builder): SparkSession.Builder =
    builder.withExtensions(_.injectColumnar(_ => Replacing))

  private def stages(frame: DataFrame): Seq[ShuffleQueryStageExec] = nodes(frame).collect { case stage: ShuffleQueryStageExec => stage }

  private def replaced(frame: DataFrame): Int = nodes(frame).count(_.isInstanceOf[OwnExchange])
  private def sparks(frame: DataFrame): Int = nodes(frame).count(_.isInstanceOf[ShuffleExchangeExec])

  test("the stages run on it, and the rows are the same") {
    for (adaptive <- Seq("true", "false")) withConf("spark.sql.adaptive.enabled" -> adaptive) {
      val frame = spark.sql("select id % 7 k, count(*) c from range(1000) group by id % 7 order by k")
      assert(frame.collect().map(row => (row.getLong(0), row.getLong(1))).toSeq ===
        (0L until 7).map(k => (k, (0 until 1000).count(_ % 7 == k).toLong)))
      assert(replaced(frame) >= 1)
    }
  }

  test("small partitions are coalesced") {
    withConf("spark.sql.shuffle.partitions" -> "20") {
      val frame = spark.sql("select id % 100 k, count(*) from range(1000) group by id % 100")
      assert(frame.collect().length === 100)
      val read = nodes(frame).collectFirst { case read: AQEShuffleReadExec => read }.get
      assert(read.hasCoalescedPartition && read.partitionSpecs.size < 20)
      assert(replaced(frame) === 1 && sparks(frame) === 0)
    }
  }

  test("a join becomes a broadcast by its statistics, and what is shuffled already is read locally") {
    withConf("spark.sql.autoBroadcastJoinThreshold" -> "20000", "spark.sql.adaptive.autoBroadcastJoinThreshold" -> "20000") {
      val frame = spark.sql(
        "select a.k, b.v from (select id k from range(100000) distribute by id) a join " +
          "(select max(id) v, id % 100 k from range(10000) where id % 2 = 0 group by id % 100) b on a.k = b.k")
      assert(frame.collect().length === 50)
      assert(nodes(frame).exists(_.isInstanceOf[BroadcastHashJoinExec]) && !nodes(frame).exists(_.isInstanceOf[SortMergeJoinExec]))
      assert(nodes(frame).exists { case read: AQEShuffleReadExec => read.isLocalRead; case _ => false })
    }
  }

  test("a local read of more maps than partitions wanted asks for ranges of maps: CoalescedMapperPartitionSpec") {
    withConf("spark.sql.autoBroadcastJoinThreshold" -> "20000", "spark.sql.adaptive.autoBroadcastJoinThreshold" -> "20000",
        "spark.sql.shuffle.partitions" -> "2") {
      val frame = spark.sql("select a.k, b.v from (select id k from range(0, 100000, 1, 9)) a join " +
        "(select max(id) v, id % 100 k from range(10000) where id % 2 = 0 group by id % 100) b on a.k = b.k")
      assert(frame.collect().length === 50)
      val specs = nodes(frame).collect { case read: AQEShuffleReadExec if read.isLocalRead => read.partitionSpecs }.flatten
      val ranges = specs.collect { case CoalescedMapperPartitionSpec(first, end, _) => (first, end) }
      assert(ranges.nonEmpty && ranges.map(_._1) === 0 +: ranges.map(_._2).init && ranges.last._2 === 9, frame.queryExecution.executedPlan)
    }
  }

  test("a skewed partition of a join is split") {
    withConf(
      "spark.sql.autoBroadcastJoinThreshold" -> "-1",
      "spark.sql.adaptive.skewJoin.skewedPartitionThresholdInBytes" -> "10k",
      "spark.sql.adaptive.advisoryPartitionSizeInBytes" -> "10k",
      "spark.sql.adaptive.skewJoin.skewedPartitionFactor" -> "2") {
      val frame = spark.sql(
        "select a.id, b.k from (select id, if(id < 90000, 1, id) k from range(0, 100000, 1, 8)) a join (select id k from range(100)) b on a.k = b.k")
      assert(frame.collect().length === 90000)
      assert(nodes(frame).exists { case read: AQEShuffleReadExec => read.hasSkewedPartition; case _ => false })
      assert(replaced(frame) === 2)
    }
  }

  test("row count 0 of its statistics makes Spark drop what joins with it: rows have to be counted") {
    withConf("spark.sql.autoBroadcastJoinThreshold" -> "-1") {
      val frame = spark.sql(
        "select * from (select id % 5 k, count(*) from range(100) where id < 0 group by id % 5) a join " +
          "(select id % 5 k, count(*) from range(100) group by id % 5) b on a.k = b.k")
      assert(frame.collect().isEmpty)
      assert(!nodes(frame).exists(_.isInstanceOf[SortMergeJoinExec]))
    }
  }

  test("statistics of a stage are those the node gives") {
    val frame = spark.sql("select id % 7 k, count(*) c from range(1000) group by id % 7")
    frame.collect()
    val statistics = stages(frame).head.getRuntimeStatistics
    assert(statistics.rowCount === Some(BigInt(14)) && statistics.sizeInBytes > 0) // 7 groups in each of 2 partitions
  }

  test("equal exchanges are one stage, read twice") {
    withConf("spark.sql.autoBroadcastJoinThreshold" -> "-1") {
      val frame = spark.sql(
        "with g as (select id % 10 k, count(*) c from range(100) group by id % 10) select * from g a join g b on a.k = b.k")
      assert(frame.collect().length === 10)
      assert(nodes(frame).exists(_.isInstanceOf[ReusedExchangeExec]))
    }
  }
}

object ReplacedExchangeSuite {
  object Replacing extends ColumnarRule {
    override def preColumnarTransitions: Rule[SparkPlan] = plan => plan.transformUp {
      case exchange: ShuffleExchangeExec =>
        val own = OwnExchange(exchange.outputPartitioning, exchange.child, exchange.shuffleOrigin, exchange.advisoryPartitionSize)
        own.copyTagsFrom(exchange)
        own
    }
  }

  /** What Spark's exchange does, in another class: its rows, its dependency, its reader. Generated code above it carries the
    * plan into tasks, so that what cannot be serialized is transient.
    */
  abstract class SparksShuffle extends ShuffleExchangeLike {
    private lazy val writeMetrics: Map[String, SQLMetric] = SQLShuffleWriteMetricsReporter.createShuffleWriteMetrics(sparkContext)
    private lazy val readMetrics: Map[String, SQLMetric] = SQLShuffleReadMetricsReporter.createShuffleReadMetrics(sparkContext)
    override lazy val metrics: Map[String, SQLMetric] =
      Map("dataSize" -> SQLMetrics.createSizeMetric(sparkContext, "data size")) ++ readMetrics ++ writeMetrics

    private lazy val serializer: Serializer = new UnsafeRowSerializer(child.output.size, longMetric("dataSize"))
    @transient private lazy val inputRDD: RDD[InternalRow] = child.execute()
    @transient private lazy val dependency: ShuffleDependency[Int, InternalRow, InternalRow] =
      ShuffleExchangeExec.prepareShuffleDependency(inputRDD, child.output, outputPartitioning, serializer, writeMetrics)

    override def numMappers: Int = dependency.rdd.getNumPartitions
    override def numPartitions: Int = dependency.partitioner.numPartitions
    override def shuffleId: Int = dependency.shuffleId
    @transient override protected lazy val mapOutputStatisticsFuture: Future[MapOutputStatistics] =
      if (inputRDD.getNumPartitions == 0) Future.successful(null) else sparkContext.submitMapStage(dependency)
    override def runtimeStatistics: Statistics =
      Statistics(metrics("dataSize").value, Some(BigInt(metrics(SQLShuffleWriteMetricsReporter.SHUFFLE_RECORDS_WRITTEN).value)))

    protected def rows(specs: Array[ShufflePartitionSpec]): RDD[InternalRow] = new ShuffledRowRDD(dependency, readMetrics, specs)
    protected def rows: RDD[InternalRow] = new ShuffledRowRDD(dependency, readMetrics)
  }

  final case class OwnExchange(
      override val outputPartitioning: Partitioning,
      child: SparkPlan,
      shuffleOrigin: ShuffleOrigin,
      advisoryPartitionSize: Option[Long])
      extends SparksShuffle {
    override def getShuffleRDD(specs: Array[ShufflePartitionSpec]): RDD[InternalRow] = rows(specs)
    override protected def doExecute(): RDD[InternalRow] = rows
    override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan = copy(child = newChild)
  }
}
