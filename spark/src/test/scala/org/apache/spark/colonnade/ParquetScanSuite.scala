package org.apache.spark.colonnade

import java.nio.file.{Files, Path}

import scala.jdk.CollectionConverters._
import scala.util.{Failure, Success, Try}

import org.apache.hadoop.conf.Configuration
import org.apache.parquet.example.data.simple.SimpleGroupFactory
import org.apache.parquet.hadoop.ParquetFileReader
import org.apache.parquet.hadoop.example.ExampleParquetWriter
import org.apache.parquet.hadoop.metadata.BlockMetaData
import org.apache.parquet.hadoop.util.HadoopInputFile
import org.apache.parquet.schema.MessageTypeParser
import org.apache.spark.SparkException
import org.apache.spark.sql.{DataFrame, SparkSession}
import org.apache.spark.sql.execution.FileSourceScanExec
import org.apache.spark.sql.execution.datasources.FilePartition
import org.apache.spark.sql.functions._
import org.apache.spark.sql.types._

/** What Spark's own scan of Parquet files gives, that a scan in its place has to give as well. */
class ParquetScanSuite extends ContractSuite with SharedSpark {
  override protected def configured(builder: SparkSession.Builder): SparkSession.Builder = builder.config("spark.sql.session.timeZone", "UTC")

  private def withFolder[T](body: Path => T): T = {
    val folder = Files.createTempDirectory("colonnade-scan")
    try body(folder)
    finally org.apache.spark.util.Utils.deleteRecursively(folder.toFile)
  }

  /** One file, of several row groups. */
  private def write(frame: DataFrame, folder: Path, options: (String, String)*): Path = {
    frame.coalesce(1).write.mode("overwrite").options(options.toMap).parquet(folder.toString)
    Files.list(folder).iterator.asScala.filter(_.toString.endsWith(".parquet")).toSeq.head
  }

  private def rowGroups(file: Path): Seq[BlockMetaData] = {
    val input = HadoopInputFile.fromPath(new org.apache.hadoop.fs.Path(file.toString), new Configuration())
    val reader = ParquetFileReader.open(input)
    try reader.getFooter.getBlocks.asScala.toSeq
    finally reader.close()
  }

  private val small = Seq("parquet.block.size" -> "4096", "parquet.block.size.row.check.min" -> "100", "parquet.block.size.row.check.max" -> "100",
    "compression" -> "none")

  private def rows(n: Long): DataFrame = spark.range(n).select(col("id"), md5(col("id").cast("string")).as("text"))

  test("a split reads the row groups whose middle lies in it: first page offset plus half of the compressed size") {
    withFolder { folder =>
      val file = write(rows(5000), folder.resolve("t"), small: _*)
      val groups = rowGroups(file)
      assert(groups.size > 5)
      // Row groups lie one after the other behind the magic number, with the sizes of their chunks that the footer has.
      val sizes = groups.map(_.getColumns.asScala.map(_.getTotalSize).sum)
      val begins = sizes.scanLeft(4L)(_ + _).init
      assert(groups.map(_.getColumns.asScala.head).map(c => if (c.getDictionaryPageOffset > 0) c.getDictionaryPageOffset else c.getFirstDataPageOffset) === begins)
      val middles = groups.indices.map(i => begins(i) + sizes(i) / 2 -> groups(i).getRowCount)
      for (size <- Seq(3000, 5000, 17000, 1000000)) withConf("spark.sql.files.maxPartitionBytes" -> size.toString, "spark.sql.files.openCostInBytes" -> "0",
          "spark.sql.files.minPartitionNum" -> "1") {
        val frame = spark.read.parquet(folder.resolve("t").toString)
        val counted = frame.groupBy(spark_partition_id()).count().collect().map(r => r.getInt(0) -> r.getLong(1)).toMap
        val scan = frame.queryExecution.executedPlan.collect { case s: FileSourceScanExec => s }.head
        val partitions = scan.inputRDD.partitions.map(_.asInstanceOf[FilePartition])
        assert(size < 1000000 == partitions.length > 1)
        for (partition <- partitions) {
          val expected = partition.files.map { split =>
            middles.collect { case (middle, count) if middle >= split.start && middle < split.start + split.length => count }.sum
          }.sum
          assert(counted.getOrElse(partition.index, 0L) === expected)
        }
      }
    }
  }

  test("_metadata.row_index counts the rows of the file from 0, whatever the split and the filter leave out") {
    withFolder { folder =>
      write(rows(5000), folder.resolve("t"), small: _*)
      for (vectorized <- Seq("true", "false"); size <- Seq("4000", "1000000")) withConf("spark.sql.parquet.enableVectorizedReader" -> vectorized,
          "spark.sql.files.maxPartitionBytes" -> size, "spark.sql.files.openCostInBytes" -> "0") {
        val frame = spark.read.parquet(folder.resolve("t").toString)
        val indexed = frame.where("id % 7 = 3 and id > 2000").select(col("id"), col("_metadata.row_index"))
        val found = indexed.collect()
        assert(found.length === (2001 until 5000).count(_ % 7 == 3))
        assert(found.forall(r => r.getLong(0) == r.getLong(1)))
        assert(indexed.schema("row_index").dataType === LongType)
      }
    }
  }

  test("file_block_start and file_block_length are those of the split, not of row groups") {
    withFolder { folder =>
      val file = write(rows(5000), folder.resolve("t"), small: _*)
      withConf("spark.sql.files.maxPartitionBytes" -> "5000", "spark.sql.files.openCostInBytes" -> "0") {
        val blocks = spark.read.parquet(folder.resolve("t").toString)
          .select("_metadata.file_block_start", "_metadata.file_block_length").distinct().collect().map(r => r.getLong(0) -> r.getLong(1))
        assert(blocks.length > 1)
        assert(blocks.forall { case (start, length) => start % 5000 == 0 && (length == 5000 || start + length == Files.size(file)) })
      }
    }
  }

  test("which types a column of another type is read as, by the vectorized reader") {
    quietly(withFolder { folder =>
      val written = Seq("tinyint", "smallint", "int", "bigint", "float", "double", "decimal(5,2)", "decimal(12,2)", "decimal(25,2)", "date", "timestamp_ntz", "string",
        "binary", "boolean")
      val asked = written ++ Seq("decimal(7,2)", "decimal(7,4)", "decimal(11,2)", "decimal(14,2)", "decimal(19,0)", "decimal(20,0)", "decimal(38,2)")
      def isTaken(path: String, other: String): Boolean = Try(spark.read.schema(s"c $other").parquet(path).collect()) match {
        case Success(_) => true
        case Failure(refused: SparkException) =>
          assert(refused.getCondition === "FAILED_READ_FILE.PARQUET_COLUMN_DATA_TYPE_MISMATCH", s"$path as $other")
          false
        case Failure(other) => throw other
      }
      val taken = written.map { own =>
        val path = folder.resolve(own.replaceAll("[(),]", "_")).toString
        val value = own match {
          case "date" => "date'2024-03-01'"
          case "timestamp_ntz" => "timestamp_ntz'2024-03-01 00:00:00'"
          case "boolean" => "true"
          case _ => s"cast('1' as $own)"
        }
        spark.sql(s"select $value as c").write.parquet(path)
        own -> asked.filter(other => other != own && isTaken(path, other)).toSet
      }.toMap
      assert(taken === ParquetScanSuite.kTaken)
      spark.sql("select 300 as c").write.parquet(folder.resolve("narrowed").toString)
      assert(spark.read.schema("c tinyint").parquet(folder.resolve("narrowed").toString).head().getByte(0) === 44) // the low byte
      assert(spark.read.schema("c bigint").parquet(folder.resolve("decimal_12_2_").toString).head().getLong(0) === 100) // unscaled
    })
  }

  test("dates and timestamps before 1582 are rebased when the file says that it was written in LEGACY mode") {
    withFolder { folder =>
      def written(mode: String): String = {
        val path = folder.resolve(mode).toString
        withConf("spark.sql.parquet.datetimeRebaseModeInWrite" -> mode, "spark.sql.parquet.outputTimestampType" -> "TIMESTAMP_MICROS") {
          spark.sql("select date'1500-03-01' as d, timestamp'1500-03-01 00:00:00' as t").write.parquet(path)
        }
        path
      }
      val legacy = written("LEGACY")
      val corrected = written("CORRECTED")
      def keys(path: String): Set[String] = {
        val file = Files.list(Path.of(path)).iterator.asScala.filter(_.toString.endsWith(".parquet")).toSeq.head
        val input = HadoopInputFile.fromPath(new org.apache.hadoop.fs.Path(file.toString), new Configuration())
        val reader = ParquetFileReader.open(input)
        try reader.getFooter.getFileMetaData.getKeyValueMetaData.keySet.asScala.toSet
        finally reader.close()
      }
      assert(keys(legacy).contains("org.apache.spark.legacyDateTime"))
      assert(!keys(corrected).contains("org.apache.spark.legacyDateTime"))
      for (path <- Seq(legacy, corrected)) {
        val frame = spark.read.parquet(path)
        assert(frame.select("d").as[java.time.LocalDate](org.apache.spark.sql.Encoders.LOCALDATE).head() === java.time.LocalDate.of(1500, 3, 1))
        assert(frame.select("t").as[java.time.Instant](org.apache.spark.sql.Encoders.INSTANT).head() === java.time.Instant.parse("1500-03-01T00:00:00Z"))
      }
      // The name of that day stands in the Julian calendar for a day that comes ten days later.
      def stored(path: String, column: String): Long = {
        val file = Files.list(Path.of(path)).iterator.asScala.filter(_.toString.endsWith(".parquet")).toSeq.head
        val chunk = rowGroups(file).head.getColumns.asScala.find(_.getPath.toDotString == column).get
        chunk.getStatistics.genericGetMin.asInstanceOf[Number].longValue
      }
      assert(stored(legacy, "d") - stored(corrected, "d") === 10)
      assert(stored(legacy, "t") - stored(corrected, "t") === 10 * 86400000000L)
    }
  }

  test("what another Spark wrote is rebased by its version, what another system wrote by datetimeRebaseModeInRead alone") {
    withFolder { folder =>
      // What is 1500-03-01 in the Julian calendar.
      val asStored = java.time.LocalDate.of(1500, 3, 11)
      val rebased = java.time.LocalDate.of(1500, 3, 1)
      def day(version: Option[String], mode: String): java.time.LocalDate = {
        val path = folder.resolve(s"${version.getOrElse("other")}.parquet")
        if (!Files.exists(path)) {
          val schema = MessageTypeParser.parseMessageType("message m { required int32 d (DATE); }")
          val writer = ExampleParquetWriter.builder(new org.apache.hadoop.fs.Path(path.toString)).withType(schema)
            .withExtraMetaData(version.map("org.apache.spark.version" -> _).toMap.asJava).build()
          try writer.write(new SimpleGroupFactory(schema).newGroup().append("d", asStored.toEpochDay.toInt))
          finally writer.close()
        }
        withConf("spark.sql.parquet.datetimeRebaseModeInRead" -> mode) {
          spark.read.parquet(path.toString).as[java.time.LocalDate](org.apache.spark.sql.Encoders.LOCALDATE).head()
        }
      }
      for (mode <- Seq("CORRECTED", "LEGACY")) {
        assert(day(Some("2.4.8"), mode) === rebased)
        assert(day(Some("3.0.0"), mode) === asStored)
      }
      assert(day(None, "CORRECTED") === asStored)
      assert(day(None, "LEGACY") === rebased)
      assert(spark.conf.get("spark.sql.parquet.datetimeRebaseModeInRead") === "CORRECTED")
    }
  }
}

object ParquetScanSuite {
  /** Type in the file -> other types that it is read as. */
  val kTaken: Map[String, Set[String]] = {
    val integers = Set("tinyint", "smallint", "int", "bigint")
    // All that is in 4 bytes is taken for any other such type and for what widens it; a decimal needs as many digits before the point.
    val ofInt = integers ++ Set("double", "date", "decimal(12,2)", "decimal(14,2)", "decimal(25,2)", "decimal(19,0)", "decimal(20,0)", "decimal(38,2)")
    Map(
      "tinyint" -> (ofInt - "tinyint"),
      "smallint" -> (ofInt - "smallint"),
      "int" -> (ofInt - "int"),
      "bigint" -> Set("decimal(25,2)", "decimal(20,0)", "decimal(38,2)"),
      "float" -> Set("double"),
      "double" -> Set(),
      "decimal(5,2)" -> (ofInt - "decimal(19,0)" - "decimal(20,0)" ++ Set("decimal(7,2)", "decimal(7,4)", "decimal(11,2)")),
      "decimal(12,2)" -> Set("bigint", "decimal(14,2)", "decimal(25,2)", "decimal(38,2)"),
      "decimal(25,2)" -> Set("binary", "decimal(38,2)"),
      "date" -> (integers ++ Set("double", "timestamp_ntz")),
      "timestamp_ntz" -> Set("bigint"),
      "string" -> Set("binary"),
      "binary" -> Set("string"),
      "boolean" -> Set())
  }
}
