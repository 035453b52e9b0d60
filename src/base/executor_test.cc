#include "base/executor.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <set>
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include <colonnade/error.h>

#include "base/fork_hook.h"
#include "base/testing/forked_child.h"

#if defined(__SANITIZE_THREAD__)
#define COLONNADE_TSAN 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define COLONNADE_TSAN 1
#endif
#endif

namespace colonnade {
namespace {

// Lets threads wait until `count_down` was called n times.
class Latch {
 public:
  explicit Latch(int n) : left_(n) {}
  void count_down() {
    const std::lock_guard lock(mutex_);
    --left_;
    changed_.notify_all();
  }
  void wait() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return left_ <= 0; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int left_;
};

// The signals that the calling thread blocks.
std::set<int> blocked_signals() {
  sigset_t mask;
  pthread_sigmask(SIG_BLOCK, nullptr, &mask);
  std::set<int> blocked;
  for (int signal = 1; signal < NSIG; ++signal) {
    if (sigismember(&mask, signal) == 1) blocked.insert(signal);
  }
  return blocked;
}

TEST(Executor, WorkersTakeSignalsOnlyInCodeOfTheProgram) {
  const std::set<int> here = blocked_signals();
  {
    const ProgramSignals signals;
    EXPECT_EQ(blocked_signals(), here);
  }
  Executor executor(1);
  Latch done(1);
  executor.submit([&] {
    EXPECT_TRUE(blocked_signals().contains(SIGTERM));
    {
      const ProgramSignals signals;
      EXPECT_EQ(blocked_signals(), here);
    }
    EXPECT_TRUE(blocked_signals().contains(SIGTERM));
    done.count_down();
  });
  done.wait();
}

TEST(Executor, RunsEveryTaskBeforeItGoes) {
  std::atomic<int> done{0};
  {
    Executor executor(3);
    EXPECT_EQ(executor.num_threads(), 3);
    for (int i = 0; i < 500; ++i) executor.submit([&done] { ++done; });
  }
  EXPECT_EQ(done, 500);
}

TEST(Executor, OneThreadKeepsTheOrder) {
  std::string order;
  {
    Executor executor(1);
    for (char c = 'a'; c <= 'z'; ++c) executor.submit([&order, c] { order += c; });
  }
  EXPECT_EQ(order, "abcdefghijklmnopqrstuvwxyz");
}

TEST(Executor, UsesAllItsThreadsAndNoMore) {
  std::mutex mutex;
  std::set<std::thread::id> threads;
  Executor executor(3);
  // Each task waits until all three run: fewer threads would never get there.
  Latch running(3);
  Latch finished(3);
  for (int i = 0; i < 3; ++i) {
    executor.submit([&] {
      running.count_down();
      running.wait();
      {
        const std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
      }
      finished.count_down();
    });
  }
  finished.wait();
  EXPECT_EQ(threads.size(), 3u);
  Latch again(50);
  for (int i = 0; i < 50; ++i) {
    executor.submit([&] {
      {
        const std::lock_guard lock(mutex);
        threads.insert(std::this_thread::get_id());
      }
      again.count_down();
    });
  }
  again.wait();
  EXPECT_EQ(threads.size(), 3u);
}

TEST(Executor, WorkersAreNamedAndBlockSignals) {
  std::string name;
  sigset_t mask;
  sigset_t own_before;
  sigset_t own_after;
  pthread_sigmask(SIG_SETMASK, nullptr, &own_before);
  {
    Executor executor(1);
    executor.submit([&] {
      char buffer[16] = {};
      pthread_getname_np(pthread_self(), buffer, sizeof(buffer));
      name = buffer;
      pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    });
  }
  pthread_sigmask(SIG_SETMASK, nullptr, &own_after);
  EXPECT_EQ(name, "colonnade-1");
  for (const int signal : {SIGINT, SIGTERM, SIGALRM, SIGPIPE, SIGUSR1}) {
    EXPECT_EQ(sigismember(&mask, signal), 1) << signal;
    EXPECT_EQ(sigismember(&own_after, signal), sigismember(&own_before, signal)) << signal;
  }
}

TEST(Executor, ATaskMayDropTheLastReference) {
  Latch dropped(1);
  std::atomic<int> later{0};
  auto executor = std::make_shared<Executor>(2);
  Latch submitted(1);
  Executor& same = *executor;
  same.submit([&, mine = std::move(executor)]() mutable {
    submitted.wait();
    mine.reset();
    dropped.count_down();
  });
  same.submit([&later] { ++later; });
  submitted.count_down();
  dropped.wait();
  EXPECT_EQ(later, 1);  // ran before the Executor went
}

TEST(Executor, NeedsAThread) { EXPECT_THROW(Executor executor(0), Error); }

TEST(Executor, TheProcesssFitsTheMachine) {
  EXPECT_EQ(Executor::process()->num_threads(), available_cpus());
  EXPECT_GE(available_cpus(), 1);
}

TEST(Executor, AvailableCpusFollowTheAffinity) {
  cpu_set_t before;
  ASSERT_EQ(sched_getaffinity(0, sizeof(before), &before), 0);
  cpu_set_t one;
  CPU_ZERO(&one);
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &before)) {
      CPU_SET(cpu, &one);
      break;
    }
  }
  ASSERT_EQ(sched_setaffinity(0, sizeof(one), &one), 0);
  EXPECT_EQ(available_cpus(), 1);
  ASSERT_EQ(sched_setaffinity(0, sizeof(before), &before), 0);
}

#if !defined(COLONNADE_TSAN)  // it allows no new threads after a fork

using colonnade::testing::holds_in_child;

TEST(Executor, WorksInAForkedChild) {
  Executor executor(2);
  // At the fork one thread waits for work, one is inside a task, and one task is queued.
  Latch go_on(1);
  Latch inside(2);
  std::atomic<int> done{0};
  const auto block = [&] {
    inside.count_down();
    go_on.wait();
    ++done;
  };
  executor.submit(block);
  executor.submit(block);
  inside.wait();
  executor.submit([&done] { ++done; });
  EXPECT_TRUE(holds_in_child([&] {
    done = 0;
    Latch finished(10);
    for (int i = 0; i < 10; ++i) {
      executor.submit([&] {
        ++done;
        finished.count_down();
      });
    }
    finished.wait();
    return done == 10;  // and the parent's tasks did not run
  }));
  go_on.count_down();
  Latch parent_finished(1);
  executor.submit([&] { parent_finished.count_down(); });
  parent_finished.wait();
}

TEST(Executor, IdleThreadsAreForgottenInAForkedChild) {
  auto executor = std::make_unique<Executor>(2);
  Latch ran(1);
  executor->submit([&ran] { ran.count_down(); });
  ran.wait();
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // the thread waits now
  EXPECT_TRUE(holds_in_child([&] {
    std::atomic<int> done{0};
    for (int i = 0; i < 100; ++i) executor->submit([&done] { ++done; });
    executor.reset();  // runs them and joins
    return done == 100;
  }));
}

TEST(Executor, ForkWhileOthersSubmit) {
  if (!colonnade::testing::kAllocatorSurvivesFork)
    GTEST_SKIP() << "the sanitizer's allocator does not";
  Executor executor(2);
  std::atomic<bool> stop{false};
  std::thread submitting([&] {
    while (!stop) {
      executor.submit([] {});
      std::this_thread::sleep_for(std::chrono::microseconds(50));
    }
  });
  for (int i = 0; i < 20; ++i) {
    EXPECT_TRUE(holds_in_child([&] {
      Latch finished(1);
      executor.submit([&finished] { finished.count_down(); });
      finished.wait();
      return true;
    }));
  }
  stop = true;
  submitting.join();
}

#endif

class CountingHook final : public ForkHook {
 public:
  void before_fork() noexcept override { ++before; }
  void after_fork_in_parent() noexcept override { ++in_parent; }
  void after_fork_in_child() noexcept override { ++in_child; }
  int before = 0;
  int in_parent = 0;
  int in_child = 0;
};

TEST(ForkHook, IsToldOnBothSidesWhileRegistered) {
  CountingHook hook;
  const auto fork_once = [&hook] {
    const pid_t child = fork();
    if (child == 0) _exit(10 * hook.before + hook.in_child);
    int status = 0;
    waitpid(child, &status, 0);
    return WEXITSTATUS(status);
  };
  {
    const ForkRegistration registration(hook);
    EXPECT_EQ(fork_once(), 11);
    EXPECT_EQ(hook.before, 1);
    EXPECT_EQ(hook.in_parent, 1);
    EXPECT_EQ(hook.in_child, 0);
  }
  EXPECT_EQ(fork_once(), 10);
  EXPECT_EQ(hook.before, 1);
}

}  // namespace
}  // namespace colonnade
