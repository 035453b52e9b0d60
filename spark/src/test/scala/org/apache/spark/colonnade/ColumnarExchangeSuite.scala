package org.apache.spark.colonnade

import java.util.concurrent.atomic.AtomicInteger

import org.apache.spark.SparkException
import org.apache.spark.rdd.RDD
import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.catalyst.InternalRow
import org.apache.spark.sql.catalyst.plans.physical.Partitioning
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution._
import org.apache.spark.sql.execution.adaptive.{AQEShuffleReadExec, ShuffleQueryStageExec}
import org.apache.spark.sql.execution.exchange._
import org.apache.spark.sql.execution.vectorized.OnHeapColumnVector
import org.apache.spark.sql.types.LongType
import org.apache.spark.sql.vectorized.{ColumnarBatch, ColumnVector}

/** An exchange that gives columns: what has to say that it is columnar, and which transitions Spark puts around it. */
class ColumnarExchangeSuite extends ContractSuite with SharedSpark {
  import ColumnarExchangeSuite._

  override protected def configured(builder: SparkSession.Builder): SparkSession.Builder =
    builder.withExtensions(_.injectColumnar(_ => Replacing)).config("spark.sql.autoBroadcastJoinThreshold", "-1")

  private def repartitioned: DataFrame = spark.range(0, 1000, 1, 3).repartition(5).toDF()

  /** Node names below each other, with the plan of a stage below its leaf. */
  private def chain(frame: DataFrame): Seq[String] = nodes(frame).map(_.getClass.getSimpleName)

  private def run(rowsToo: Boolean, takesColumns: Boolean): (DataFrame, Set[Long]) = {
    settings = Settings(rowsToo, takesColumns)
    asRows.set(0)
    asBatches.set(0)
    val frame = repartitioned
    (frame, frame.collect().map(_.getLong(0)).toSet)
  }

  test("an exchange put in by the columnar rule that is columnar and not row-based fails the query with adaptive execution") {
    withConf("spark.sql.adaptive.enabled" -> "true") {
      val failure = intercept[SparkException](run(rowsToo = false, takesColumns = false))
      assert(failure.getMessage.contains("Custom columnar rules cannot transform shuffle node to something else"))
    }
  }

  test("without adaptive execution ColumnarToRowExec is put above it, and columns are what it gives") {
    withConf("spark.sql.adaptive.enabled" -> "false") {
      val (frame, ids) = run(rowsToo = false, takesColumns = false)
      assert(ids === (0L until 1000).toSet)
      assert(chain(frame).containsSlice(Seq("ColumnarToRowExec", "InputAdapter", "BatchesExchange", "RowToColumnarExec")), chain(frame))
      assert(asRows.get === 0 && asBatches.get > 0)
    }
  }

  test("row-based as well, it is asked for rows where what takes rows stands on it or its stage, and no transition is put in") {
    for (adaptive <- Seq("true", "false")) withConf("spark.sql.adaptive.enabled" -> adaptive, "spark.sql.adaptive.coalescePartitions.enabled" -> "false") {
      val (frame, ids) = run(rowsToo = true, takesColumns = false)
      assert(ids === (0L until 1000).toSet)
      assert(!chain(frame).contains("ColumnarToRowExec") && !chain(frame).contains("AQEShuffleReadExec"), chain(frame))
      assert(asRows.get > 0 && asBatches.get === 0)
    }
  }

  test("row-based as well, AQEShuffleReadExec asks it for columns all the same, below a ColumnarToRowExec") {
    withConf("spark.sql.adaptive.enabled" -> "true") {
      settings = Settings(rowsToo = true, takesColumns = false)
      asRows.set(0)
      asBatches.set(0)
      val frame = spark.range(0, 1000, 1, 3).repartition(org.apache.spark.sql.functions.col("id")).toDF()
      assert(frame.collect().map(_.getLong(0)).toSet === (0L until 1000).toSet)
      assert(chain(frame).containsSlice(Seq("ColumnarToRowExec", "InputAdapter", "AQEShuffleReadExec")), chain(frame))
      assert(asRows.get === 0 && asBatches.get > 0)
    }
  }

  test("row-based as well, what takes columns gets them, through the stage and AQEShuffleReadExec") {
    for (adaptive <- Seq("true", "false")) withConf("spark.sql.adaptive.enabled" -> adaptive) {
      settings = Settings(rowsToo = true, takesColumns = true)
      asRows.set(0)
      asBatches.set(0)
      val frame = repartitioned.where("monotonically_increasing_id() >= 0")
      assert(frame.collect().map(_.getLong(0)).toSet === (0L until 1000).toSet)
      assert(asRows.get === 0 && asBatches.get > 0, chain(frame))
      assert(chain(frame).containsSlice(Seq("ColumnarToRowExec", "InputAdapter", "TakesBatches")), chain(frame))
    }
  }
}

object ColumnarExchangeSuite {
  /** Whether the exchange gives rows, too, and whether filters above it take columns. */
  final case class Settings(rowsToo: Boolean, takesColumns: Boolean)
  @volatile var settings: Settings = _
  val asRows = new AtomicInteger
  val asBatches = new AtomicInteger

  object Replacing extends ColumnarRule {
    override def preColumnarTransitions: Rule[SparkPlan] = plan => plan.transformUp {
      case exchange: ShuffleExchangeExec =>
        val own = BatchesExchange(exchange.outputPartitioning, exchange.child, exchange.shuffleOrigin, exchange.advisoryPartitionSize, settings.rowsToo)
        own.copyTagsFrom(exchange)
        own
      case filter: FilterExec if settings.takesColumns && readsExchange(filter.child) => TakesBatches(filter.child)
    }

    private def readsExchange(plan: SparkPlan): Boolean = plan match {
      case _: BatchesExchange => true
      case read: AQEShuffleReadExec => readsExchange(read.child)
      case stage: ShuffleQueryStageExec => readsExchange(stage.plan)
      case _ => false
    }
  }

  /** Passes on what its child gives. */
  final case class TakesBatches(child: SparkPlan) extends UnaryExecNode {
    override def output = child.output
    override def supportsColumnar: Boolean = true
    override protected def doExecute(): RDD[InternalRow] = throw new UnsupportedOperationException
    override protected def doExecuteColumnar(): RDD[ColumnarBatch] = child.executeColumnar()
    override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan = copy(child = newChild)
  }

  /** Spark's rows and reader; given out as batches of a row. The output is one long. */
  final case class BatchesExchange(
      override val outputPartitioning: Partitioning,
      child: SparkPlan,
      shuffleOrigin: ShuffleOrigin,
      advisoryPartitionSize: Option[Long],
      rowsToo: Boolean)
      extends ReplacedExchangeSuite.SparksShuffle {
    override def supportsColumnar: Boolean = true
    override def supportsRowBased: Boolean = rowsToo

    private def batches(rows: RDD[InternalRow]): RDD[ColumnarBatch] = rows.mapPartitions(_.map { row =>
      asBatches.incrementAndGet()
      val vector = new OnHeapColumnVector(1, LongType)
      vector.putLong(0, row.getLong(0))
      new ColumnarBatch(Array[ColumnVector](vector), 1)
    })
    private def counted(rows: RDD[InternalRow]): RDD[InternalRow] = rows.mapPartitions(_.map { row =>
      asRows.incrementAndGet()
      row
    })

    override def getShuffleRDD(specs: Array[ShufflePartitionSpec]): RDD[_] = batches(rows(specs))
    override protected def doExecute(): RDD[InternalRow] = counted(rows)
    override protected def doExecuteColumnar(): RDD[ColumnarBatch] = batches(rows)
    override protected def withNewChildInternal(newChild: SparkPlan): SparkPlan = copy(child = newChild)
  }
}
