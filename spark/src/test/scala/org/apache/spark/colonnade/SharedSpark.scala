package org.apache.spark.colonnade

import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.execution.SparkPlan
import org.apache.spark.sql.execution.adaptive.{AdaptiveSparkPlanExec, QueryStageExec}
import org.scalatest.{BeforeAndAfterAll, Suite}

/** One session for the tests of a suite. */
trait SharedSpark extends BeforeAndAfterAll { this: Suite =>
  private var session: SparkSession = _

  protected def spark: SparkSession = session

  protected def configured(builder: SparkSession.Builder): SparkSession.Builder = builder

  override def beforeAll(): Unit = {
    super.beforeAll()
    session = configured(
      SharedSpark.builder("local[2]")
        .appName(suiteName)
        .config("spark.unsafe.exceptionOnMemoryLeak", "true")).getOrCreate()
  }

  override def afterAll(): Unit = {
    session.stop()
    super.afterAll()
  }

  /** The nodes of a plan that ran, those of its stages too. */
  protected def nodes(plan: SparkPlan): Seq[SparkPlan] = plan +: (plan match {
    case adaptive: AdaptiveSparkPlanExec => nodes(adaptive.executedPlan)
    case stage: QueryStageExec => nodes(stage.plan)
    case other => other.children.flatMap(nodes)
  })

  protected def nodes(frame: DataFrame): Seq[SparkPlan] = nodes(frame.queryExecution.executedPlan)

  protected def withConf[T](pairs: (String, String)*)(body: => T): T = {
    val before = pairs.map { case (key, _) => key -> spark.conf.getOption(key) }
    pairs.foreach { case (key, value) => spark.conf.set(key, value) }
    try body
    finally before.foreach {
      case (key, Some(value)) => spark.conf.set(key, value)
      case (key, None) => spark.conf.unset(key)
    }
  }
}

object SharedSpark {
  /** A session on this machine alone, with its files where temporary ones are. */
  def builder(master: String): SparkSession.Builder = SparkSession.builder()
    .master(master)
    .config("spark.ui.enabled", "false")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.local.dir", System.getProperty("java.io.tmpdir"))
    .config("spark.sql.warehouse.dir", System.getProperty("java.io.tmpdir") + "/warehouse")
    .config("spark.sql.shuffle.partitions", "4")
}
