#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <colonnade/file.h>

#include "base/testing/forked_child.h"
#include "io/testing/error_of.h"
#include "io/testing/patterned_bytes.h"

namespace colonnade {
namespace {

using io::testing::byte_at;
using io::testing::code_of;
using io::testing::error_of;

void fill(int64_t offset, std::span<uint8_t> out) {
  for (size_t i = 0; i < out.size(); ++i) out[i] = byte_at(offset + static_cast<int64_t>(i));
}

std::vector<uint8_t> read_range(RandomAccessFile& file, int64_t offset, int64_t length) {
  std::vector<uint8_t> bytes(static_cast<size_t>(length));
  const ReadRange range{offset, length, bytes.data()};
  file.read_many({&range, 1});
  return bytes;
}

TEST(CallbackFile, ReadsByItsFunction) {
  const FilePtr file = open_callback_file({.size = 1'000, .read = fill}, "callback://x");
  EXPECT_EQ(file->name(), "callback://x");
  EXPECT_EQ(file->size(), 1'000);
  EXPECT_TRUE(io::testing::are_bytes_at(900, read_range(*file, 900, 100)));
  EXPECT_EQ(file->identity(), file->identity());
  EXPECT_EQ(file->identity().size, 1'000);
  file->will_need(0, 10);
}

TEST(CallbackFile, IsNotAskedForNothingOrForMoreThanThereIs) {
  int num_calls = 0;
  const FilePtr file = open_callback_file(
      {.size = 10, .read = [&](int64_t, std::span<uint8_t>) { ++num_calls; }}, "x");
  read_range(*file, 10, 0);
  EXPECT_EQ(code_of([&] { read_range(*file, 5, 6); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(num_calls, 0);
  read_range(*file, 5, 5);
  EXPECT_EQ(num_calls, 1);
}

TEST(CallbackFile, GivesTheIdentityOfItsFunction) {
  int64_t version = 1;
  const FilePtr file = open_callback_file(
      {.size = 10,
       .read = fill,
       .identity = [&] { return FileIdentity{.size = 10, .version = std::to_string(version)}; }},
      "x");
  const FileIdentity before = file->identity();
  EXPECT_EQ(file->identity(), before);
  version = 2;
  EXPECT_NE(file->identity(), before);
}

TEST(CallbackFile, PassesErrorsOnAndWrapsOtherExceptions) {
  std::function<void()> thrower;
  const FilePtr file = open_callback_file({.size = 10,
                                           .read = [&](int64_t, std::span<uint8_t>) { thrower(); },
                                           .identity =
                                               [&] {
                                                 thrower();
                                                 return FileIdentity{};
                                               }},
                                          "x");
  thrower = [] { throw Error(ErrorCode::kCancelled, "stopped").with_errno(4); };
  auto error = error_of([&] { read_range(*file, 2, 3); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::kCancelled);
  EXPECT_EQ(error->system_errno(), 4);
  EXPECT_EQ(error->place().file, "x");

  thrower = [] { throw std::runtime_error("the network is down"); };
  error = error_of([&] { read_range(*file, 2, 3); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::kIo);
  EXPECT_STREQ(error->what(), "reading failed: file 'x': 3 bytes at 2: the network is down");
  error = error_of([&] { file->identity(); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::kIo);

  thrower = [] { throw 7; };
  EXPECT_EQ(code_of([&] { read_range(*file, 2, 3); }), ErrorCode::kIo);
}

TEST(CallbackFile, IsCalledAloneWhereItAsksForThat) {
  std::atomic<int> inside = 0;
  std::atomic<bool> overlapped = false;
  const auto read = [&](int64_t offset, std::span<uint8_t> out) {
    if (++inside > 1) overlapped = true;
    std::this_thread::yield();
    fill(offset, out);
    --inside;
  };
  const FilePtr file =
      open_callback_file({.size = 1'000, .read = read, .one_at_a_time = true}, "x");
  std::vector<std::thread> threads;
  std::atomic<int> num_right = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int64_t i = 0; i < 200; ++i) {
        if (io::testing::are_bytes_at(i, read_range(*file, i, 100))) ++num_right;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_FALSE(overlapped);
  EXPECT_EQ(num_right, 800);
}

TEST(CallbackFile, FailsWhereAReadReadsTheFileItself) {
  FilePtr file;
  const auto read = [&](int64_t offset, std::span<uint8_t> out) {
    if (offset == 0) read_range(*file, 1, 2);
    fill(offset, out);
  };
  file = open_callback_file({.size = 10, .read = read, .one_at_a_time = true}, "x");
  for (int round = 0; round < 2; ++round) {
    const auto error = error_of([&] { read_range(*file, 0, 4); });
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code(), ErrorCode::kInvalidArgument);
    EXPECT_EQ(error->place().file, "x");
    EXPECT_TRUE(io::testing::are_bytes_at(2, read_range(*file, 2, 4)));
  }
}

TEST(CallbackFile, FailsInTheChildOfAForkDuringACall) {
  std::atomic<bool> reading = false;
  std::atomic<bool> may_end = false;
  const auto read = [&](int64_t offset, std::span<uint8_t> out) {
    reading = true;
    while (!may_end) std::this_thread::yield();
    fill(offset, out);
  };
  const FilePtr file = open_callback_file({.size = 10, .read = read, .one_at_a_time = true}, "x");
  std::thread reader([&] { read_range(*file, 0, 4); });
  while (!reading) std::this_thread::yield();
  EXPECT_TRUE(testing::holds_in_child(
      [&] { return code_of([&] { read_range(*file, 0, 4); }) == ErrorCode::kInvalidArgument; }));
  may_end = true;
  reader.join();
  EXPECT_TRUE(testing::holds_in_child(
      [&] { return io::testing::are_bytes_at(0, read_range(*file, 0, 4)); }));
}

TEST(CallbackFile, RefusesCallbacksThatCannotWork) {
  EXPECT_EQ(code_of([] { open_callback_file({.size = -1, .read = fill}, "x"); }),
            ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([] { open_callback_file({.size = 1}, "x"); }), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace colonnade
