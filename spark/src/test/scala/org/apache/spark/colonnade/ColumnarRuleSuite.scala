package org.apache.spark.colonnade

import scala.collection.mutable

import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.catalyst.rules.Rule
import org.apache.spark.sql.execution.{ColumnarRule, SparkPlan}

/** What the columnar rule sees, with adaptive execution and without. */
class ColumnarRuleSuite extends ContractSuite with SharedSpark {
  import ColumnarRuleSuite._

  override protected def configured(builder: SparkSession.Builder): SparkSession.Builder =
    builder.withExtensions(_.injectColumnar(_ => Recorder)).config("spark.sql.autoBroadcastJoinThreshold", "-1")

  /** What the rule was given before and after the transitions, in order. */
  private def seen(frame: => DataFrame): (Seq[String], Seq[String]) = {
    before.clear()
    after.clear()
    frame.collect()
    (before.toSeq, after.toSeq)
  }

  private def grouped: DataFrame = spark.sql("select id % 3 k, count(*) from range(100) group by id % 3")
  private def joined: DataFrame = spark.sql("select * from range(10) a join range(10) b on a.id = b.id")
  private def addresses: DataFrame = spark.read.format(classOf[AddressSource].getName).load().where("id > 5").select("n")

  test("without adaptive execution the whole plan comes once, exchanges not yet reused") {
    withConf("spark.sql.adaptive.enabled" -> "false") {
      val plan = "HashAggregateExec(ShuffleExchangeExec(HashAggregateExec(ProjectExec(RangeExec))))"
      assert(seen(grouped) === ((Seq(plan), Seq(plan))))
      val side = "SortExec(ShuffleExchangeExec(RangeExec))"
      assert(seen(joined)._1 === Seq(s"SortMergeJoinExec($side, $side)"))
    }
  }

  test("with adaptive execution the plan comes as one opaque node, then stage by stage, the exchange at a stage's root") {
    withConf("spark.sql.adaptive.enabled" -> "true") {
      val calls = Seq(
        "AdaptiveSparkPlanExec",
        "ShuffleExchangeExec(HashAggregateExec(ProjectExec(RangeExec)))",
        "HashAggregateExec(AQEShuffleReadExec(ShuffleQueryStageExec))")
      assert(seen(grouped) === ((calls, calls)))
    }
  }

  test("with adaptive execution finished stages are leaves, and their coalesced reads stand already") {
    withConf("spark.sql.adaptive.enabled" -> "true") {
      val side = "SortExec(AQEShuffleReadExec(ShuffleQueryStageExec))"
      val exchange = "ShuffleExchangeExec(RangeExec)"
      assert(seen(joined)._1 === Seq("AdaptiveSparkPlanExec", exchange, exchange, s"SortMergeJoinExec($side, $side)"))
    }
  }

  test("ColumnarToRowExec is put in between the two rules, above what is columnar") {
    for (adaptive <- Seq("false", "true")) withConf("spark.sql.adaptive.enabled" -> adaptive) {
      val (first, second) = seen(addresses)
      assert(first.last === "ProjectExec(FilterExec(BatchScanExec))")
      assert(second.last === "ProjectExec(FilterExec(ColumnarToRowExec(BatchScanExec)))")
    }
  }

  test("a stage's root or its child has a logical link, AdaptiveSparkPlanExec has none") {
    withConf("spark.sql.adaptive.enabled" -> "true") {
      linked.clear()
      seen(joined)
      assert(linked === Seq(false, true, true, true))
    }
  }
}

object ColumnarRuleSuite {
  val before = mutable.Buffer.empty[String]
  val after = mutable.Buffer.empty[String]
  val linked = mutable.Buffer.empty[Boolean]

  /** Node names, a node's children in brackets. */
  def shape(plan: SparkPlan): String = {
    val children = plan.children.map(shape)
    plan.getClass.getSimpleName + (if (children.isEmpty) "" else children.mkString("(", ", ", ")"))
  }

  object Recorder extends ColumnarRule {
    override def preColumnarTransitions: Rule[SparkPlan] = plan => synchronized {
      before += shape(plan)
      linked += plan.logicalLink.isDefined || plan.children.exists(_.logicalLink.isDefined)
      plan
    }
    override def postColumnarTransitions: Rule[SparkPlan] = plan => synchronized {
      after += shape(plan)
      plan
    }
  }
}
