package org.apache.spark.colonnade

import org.apache.spark.SPARK_VERSION
import org.scalatest.Tag
import org.scalatest.funsuite.AnyFunSuite

/** Tests of what Spark does that Colonnade relies on: docs/spark-internals.md names each by its text here.
  * A failure after an update of Spark means that the code resting on the fact has to be looked at.
  */
abstract class ContractSuite extends AnyFunSuite {
  test("the Spark version that these contracts were shown with") {
    assert(SPARK_VERSION === "4.1.3")
  }
}

/** Tests that `make test-spark` leaves out and `make test-spark-slow` runs: clusters of several processes, the collector under load. */
object Slow extends Tag("org.apache.spark.colonnade.Slow")
