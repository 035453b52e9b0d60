#include <colonnade/context.h>

#include <csignal>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <colonnade/error.h>

#include "base/executor.h"

namespace colonnade {
namespace {

ErrorCode code_of_check(const CancelToken& token) {
  try {
    token.check();
  } catch (const Error& error) {
    return error.code();
  }
  return ErrorCode{};
}

TEST(Cancel, CopiesShareTheRequest) {
  CancelToken token;
  const CancelToken copy = token;
  EXPECT_FALSE(copy.cancelled());
  EXPECT_EQ(code_of_check(copy), ErrorCode{});
  token.cancel();
  EXPECT_TRUE(copy.cancelled());
  EXPECT_EQ(code_of_check(copy), ErrorCode::kCancelled);
}

TEST(Cancel, ReachesChildrenButNotParents) {
  CancelToken token;
  CancelToken child = token.child();
  const CancelToken grandchild = child.child();
  const CancelToken sibling = token.child();
  child.cancel();
  EXPECT_TRUE(grandchild.cancelled());
  EXPECT_FALSE(sibling.cancelled());
  EXPECT_FALSE(token.cancelled());
  token.cancel();
  EXPECT_TRUE(sibling.cancelled());
}

TEST(Cancel, AChildMayOutliveItsParent) {
  CancelToken child;
  {
    CancelToken token;
    child = token.child();
    token.cancel();
  }
  EXPECT_TRUE(child.cancelled());
}

CancelToken* signalled_token = nullptr;

TEST(Cancel, IsSetBySignalHandlers) {
  CancelToken token;
  signalled_token = &token;
  struct sigaction action = {};
  struct sigaction before = {};
  action.sa_handler = [](int) { signalled_token->cancel(); };
  ASSERT_EQ(sigaction(SIGUSR1, &action, &before), 0);
  ASSERT_EQ(raise(SIGUSR1), 0);
  sigaction(SIGUSR1, &before, nullptr);
  EXPECT_TRUE(token.cancelled());
}

TEST(Cancel, IsSeenByAnotherThread) {
  CancelToken token;
  std::thread waiting([child = token.child()] {
    while (!child.cancelled()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  token.cancel();
  waiting.join();
}

TEST(Cancel, PollCancelsWithItsOwnToken) {
  CancelToken token;
  bool answer = false;
  token.set_poll([&answer] { return answer; });
  const CancelToken child = token.child();
  EXPECT_NO_THROW(child.poll());
  answer = true;
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  EXPECT_THROW(child.poll(), Error);
  EXPECT_TRUE(token.cancelled());
}

TEST(Cancel, PollIsAskedAtMostEvery50Milliseconds) {
  CancelToken token;
  int calls = 0;
  token.set_poll([&calls] {
    ++calls;
    return false;
  });
  const auto start = std::chrono::steady_clock::now();
  do {
    token.poll();
  } while (calls < 3);
  const auto passed = std::chrono::steady_clock::now() - start;
  EXPECT_GE(passed, std::chrono::milliseconds(100));
}

TEST(Cancel, CheckPollsOnTheConsumersThreadOnly) {
  CancelToken token;
  const CancelToken child = token.child();
  int calls = 0;
  token.set_poll([&calls] {
    ++calls;
    return true;
  });
  EXPECT_NO_THROW(child.check());
  EXPECT_EQ(calls, 0);  // nobody has polled yet

  std::thread consumer([&child] { EXPECT_THROW(child.poll(), Error); });
  consumer.join();
  EXPECT_EQ(calls, 1);

  CancelToken other;
  int other_calls = 0;
  bool answer = false;
  other.set_poll([&] {
    ++other_calls;
    return answer;
  });
  EXPECT_NO_THROW(other.poll());
  answer = true;
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  std::thread worker([&other] { EXPECT_NO_THROW(other.check()); });
  worker.join();
  EXPECT_EQ(other_calls, 1);
  EXPECT_THROW(other.check(), Error);
  EXPECT_EQ(other_calls, 2);
}

TEST(Cancel, PollThrowsWhatItsFunctionThrows) {
  CancelToken token;
  token.set_poll([]() -> bool { throw 17; });
  EXPECT_THROW(token.poll(), int);
  EXPECT_FALSE(token.cancelled());
}

TEST(Metrics, SumsByName) {
  Metrics metrics;
  metrics.add("read_bytes", 5);
  metrics.add("decode_ns", 1);
  metrics.add("read_bytes", 7);
  EXPECT_EQ(metrics.snapshot(), (Metrics::Snapshot{{"decode_ns", 1}, {"read_bytes", 12}}));
}

TEST(Metrics, CountsFromManyThreads) {
  Metrics metrics;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&metrics] {
      for (int i = 0; i < 1000; ++i) metrics.add("rows", 2);
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_EQ(metrics.snapshot().at("rows"), 8000);
}

TEST(Context, DefaultsAreTheProcesss) {
  const Context context;
  EXPECT_EQ(context.memory, MemoryPool::process());
  EXPECT_EQ(context.executor, Executor::process());
  EXPECT_EQ(context.spill, nullptr);
  ASSERT_NE(context.metrics, nullptr);
  EXPECT_NE(context.metrics, Context().metrics);
  EXPECT_FALSE(context.cancel.cancelled());
  Context copy = context;
  copy.cancel.cancel();
  EXPECT_TRUE(context.cancel.cancelled());
}

}  // namespace
}  // namespace colonnade
