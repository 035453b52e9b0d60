package org.apache.spark.colonnade

import java.util.concurrent.{CountDownLatch, TimeUnit}

import org.apache.spark.{SparkException, TaskContext, TaskKilledException}
import org.apache.spark.util.{TaskCompletionListener, TaskFailureListener}

/** What a task sees of being killed: native code has to look, nothing interrupts it. */
class TaskKillSuite extends ContractSuite with SharedSpark {
  import TaskKillSuite._

  /** Runs one task until `body` returns, cancels its job meanwhile, and gives what the task noted. */
  private def killed(interrupt: Boolean)(body: TaskContext => Unit): Notes = {
    val notes = new Notes
    current = notes
    val sc = spark.sparkContext
    val job = new Thread(() => {
      sc.setJobGroup("killed", "to be cancelled", interruptOnCancel = interrupt)
      notes.failure = scala.util.Try(sc.parallelize(Seq(1, 2), 1).foreach { _ =>
        val context = TaskContext.get()
        val own = current
        own.thread = Thread.currentThread
        context.addTaskFailureListener(new TaskFailureListener {
          override def onTaskFailure(context: TaskContext, error: Throwable): Unit = own.events :+= (("failure", Thread.currentThread, error))
        })
        context.addTaskCompletionListener(new TaskCompletionListener {
          override def onTaskCompletion(context: TaskContext): Unit = {
            own.events :+= (("completion", Thread.currentThread, null))
            own.completed.countDown()
          }
        })
        own.begun.countDown()
        own.records += 1
        body(context)
      }).failed.toOption
      notes.failed.countDown()
    })
    job.start()
    assert(notes.begun.await(60, TimeUnit.SECONDS))
    quietly(sc.cancelJobGroup("killed"))
    job.join(60000)
    assert(notes.completed.await(60, TimeUnit.SECONDS))
    notes
  }

  test("without interruptOnCancel only TaskContext.isInterrupted says that the task was killed") {
    val notes = killed(interrupt = false) { context =>
      val deadline = System.nanoTime + 60e9.toLong
      while (!context.isInterrupted() && System.nanoTime < deadline) Thread.onSpinWait()
      current.interrupted = Thread.currentThread.isInterrupted
      current.reason = context.getKillReason()
      context.killTaskIfInterrupted()
    }
    assert(!notes.interrupted)
    assert(notes.reason.exists(_.contains("cancelled")), notes.reason)
    assert(notes.failure.exists(_.isInstanceOf[SparkException]))
    // Both listeners run on the task's own thread, the failure's first.
    assert(notes.events.map(e => (e._1, e._2)) === Seq(("failure", notes.thread), ("completion", notes.thread)))
    assert(notes.events.head._3.isInstanceOf[TaskKilledException])
  }

  test("with interruptOnCancel the task's thread is interrupted once, too") {
    val notes = killed(interrupt = true) { context =>
      val deadline = System.nanoTime + 60e9.toLong
      while (!Thread.currentThread.isInterrupted && System.nanoTime < deadline) Thread.onSpinWait()
      current.interrupted = Thread.interrupted() // which takes the mark away
      current.reason = context.getKillReason()
      current.failed.await(60, TimeUnit.SECONDS)
      Thread.sleep(1000) // would throw
      context.killTaskIfInterrupted()
    }
    assert(notes.interrupted && notes.reason.isDefined)
    assert(notes.events.head._3.isInstanceOf[TaskKilledException])
  }

  test("a task that does not look goes on until it asks for its next record, though its job has failed") {
    val notes = killed(interrupt = false) { _ =>
      current.wentOn = current.failed.await(60, TimeUnit.SECONDS) && current.completed.getCount == 1
    }
    assert(notes.failure.isDefined && notes.wentOn && notes.records === 1)
    assert(notes.events.map(_._1) === Seq("failure", "completion"))
    assert(notes.events.head._3.isInstanceOf[TaskKilledException])
  }
}

object TaskKillSuite {
  final class Notes {
    val begun = new CountDownLatch(1)
    val completed = new CountDownLatch(1)
    /** The job has failed for whoever waits for it. */
    val failed = new CountDownLatch(1)
    @volatile var records = 0
    @volatile var thread: Thread = _
    @volatile var interrupted = false
    @volatile var wentOn = false
    @volatile var reason: Option[String] = None
    @volatile var failure: Option[Throwable] = None
    @volatile var events: Seq[(String, Thread, Throwable)] = Nil
  }

  /** Shared with the tasks, which run in this JVM. */
  @volatile var current: Notes = _
}
