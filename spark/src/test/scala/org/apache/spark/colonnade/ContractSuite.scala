package org.apache.spark.colonnade

import org.apache.logging.log4j.{Level, LogManager}
import org.apache.logging.log4j.core.config.Configurator
import org.apache.spark.SPARK_VERSION
import org.scalatest.Tag
import org.scalatest.funsuite.AnyFunSuite

/** Tests of what Spark does that Colonnade relies on: docs/spark-internals.md names the suites and what they show.
  * A failure after an update of Spark means that the code resting on the fact has to be looked at.
  */
abstract class ContractSuite extends AnyFunSuite {
  /** Runs what fails on purpose, without Spark's log of it. */
  protected def quietly[T](body: => T): T = {
    val before = LogManager.getRootLogger.getLevel
    Configurator.setRootLevel(Level.OFF)
    try body
    finally Configurator.setRootLevel(before)
  }
}

class VersionSuite extends ContractSuite {
  test("the Spark version that these contracts were shown with") {
    assert(SPARK_VERSION === "4.1.3")
  }
}

/** Tests that `make test-spark` leaves out and `make test-spark-slow` runs: clusters of several processes, the collector under load. */
object Slow extends Tag("org.apache.spark.colonnade.Slow")
