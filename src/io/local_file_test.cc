#include "io/local_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <initializer_list>
#include <limits>
#include <optional>
#include <thread>
#include <vector>

#include "io/testing/as_other_user.h"
#include "io/testing/error_of.h"
#include "io/testing/faulty_file.h"
#include "io/testing/patterned_bytes.h"
#include "io/testing/temporary_folder.h"

namespace colonnade::io {
namespace {

using testing::code_of;
using testing::error_of;
using testing::faulty_preadv;
using testing::patterned_bytes;
using testing::TemporaryFolder;

std::string read_range(RandomAccessFile& file, int64_t offset, int64_t length) {
  std::string bytes(static_cast<size_t>(length), '\0');
  const ReadRange range{offset, length, reinterpret_cast<uint8_t*>(bytes.data())};
  file.read_many({&range, 1});
  return bytes;
}

int num_descriptors() {
  int num = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    ++num;
  }
  return num;
}

class LocalFileTest : public ::testing::Test {
 protected:
  TemporaryFolder folder_;
  const std::string bytes_ = patterned_bytes(10'000);
  const std::string path_ = folder_.write("file", bytes_);
};

TEST_F(LocalFileTest, ReadsRangesInAnyOrder) {
  const FilePtr file = colonnade::open_local_file(path_);
  EXPECT_EQ(file->name(), path_);
  EXPECT_EQ(file->size(), 10'000);
  std::string out(5'000, '\0');
  auto* to = reinterpret_cast<uint8_t*>(out.data());
  const ReadRange ranges[] = {{9'000, 1'000, to},     {0, 1, to + 1'000}, {0, 0, nullptr},
                              {1, 1'999, to + 1'001}, {10'000, 0, to},    {500, 2'000, to + 3'000}};
  file->read_many(ranges);
  EXPECT_EQ(out, bytes_.substr(9'000) + bytes_.substr(0, 2'000) + bytes_.substr(500, 2'000));
  file->read_many({});
}

TEST_F(LocalFileTest, ReadsNeighboursInOneCall) {
  std::atomic<int64_t> num_calls = 0;
  const FilePtr file = io::open_local_file(path_, faulty_preadv({}, &num_calls));
  std::string out(10'000, '\0');
  auto* to = reinterpret_cast<uint8_t*>(out.data());
  std::vector<ReadRange> ranges;
  for (int64_t i = 0; i < 40; ++i) ranges.push_back({i * 100, 100, to + i * 100});
  file->read_many(ranges);
  EXPECT_EQ(num_calls, 1);
  EXPECT_EQ(out.substr(0, 4'000), bytes_.substr(0, 4'000));

  // A hole ends the call.
  ranges[20].length = 99;
  file->read_many(ranges);
  EXPECT_EQ(num_calls, 3);

  // So does the number of parts that a call takes.
  ranges.clear();
  for (int64_t i = 0; i < 1'000; ++i) ranges.push_back({i * 10, 10, to + i * 10});
  num_calls = 0;
  file->read_many(ranges);
  EXPECT_EQ(num_calls, 16);
  EXPECT_EQ(out, bytes_);
}

TEST_F(LocalFileTest, RefusesRangesOutsideTheFile) {
  const FilePtr file = colonnade::open_local_file(path_);
  uint8_t out[16] = {};
  for (const ReadRange& range : std::initializer_list<ReadRange>{
           {-1, 1, out},
           {0, -1, out},
           {9'999, 2, out},
           {10'001, 0, out},
           {std::numeric_limits<int64_t>::max(), std::numeric_limits<int64_t>::max(), out},
           {1, std::numeric_limits<int64_t>::max(), out},
           {std::numeric_limits<int64_t>::min(), std::numeric_limits<int64_t>::min(), out},
           {0, 1, nullptr}}) {
    EXPECT_EQ(code_of([&] { file->read_many({&range, 1}); }), ErrorCode::kInvalidArgument);
  }
  // Before anything is read.
  const ReadRange ranges[] = {{0, 16, out}, {9'999, 2, out}};
  EXPECT_EQ(code_of([&] { file->read_many(ranges); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(out[1], 0);
}

TEST_F(LocalFileTest, GoesOnAfterShortAndInterruptedReads) {
  std::string out(10'000, '\0');
  auto* to = reinterpret_cast<uint8_t*>(out.data());
  std::vector<ReadRange> ranges;
  for (int64_t i = 0; i < 100; ++i) ranges.push_back({i * 100, 100, to + i * 100});
  for (const int64_t max_bytes : {1, 7, 99, 100, 101, 6'399, 10'000}) {
    for (int64_t interrupted = 1; interrupted <= 4; ++interrupted) {
      out.assign(out.size(), '\0');
      const FilePtr file = io::open_local_file(
          path_, faulty_preadv({.interrupt_call = interrupted, .max_bytes = max_bytes}));
      file->read_many(ranges);
      EXPECT_EQ(out, bytes_) << max_bytes << ", " << interrupted;
    }
  }
}

TEST_F(LocalFileTest, TellsWhyAReadFailed) {
  for (int64_t failing = 1; failing <= 3; ++failing) {
    const FilePtr file =
        io::open_local_file(path_, faulty_preadv({.fail_call = failing, .max_bytes = 4'000}));
    const auto error = error_of([&] { read_range(*file, 0, 10'000); });
    ASSERT_TRUE(error);
    EXPECT_EQ(error->code(), ErrorCode::kIo);
    EXPECT_EQ(error->system_errno(), EIO);
    EXPECT_EQ(error->place().file, path_);
    // The file itself is unharmed.
    EXPECT_EQ(read_range(*file, 0, 10'000), bytes_);
  }
}

TEST_F(LocalFileTest, NoticesThatTheFileEndsEarlier) {
  for (int64_t ending = 1; ending <= 3; ++ending) {
    const FilePtr file =
        io::open_local_file(path_, faulty_preadv({.end_call = ending, .max_bytes = 4'000}));
    EXPECT_EQ(code_of([&] { read_range(*file, 0, 10'000); }), ErrorCode::kIo);
  }

  const FilePtr file = colonnade::open_local_file(path_);
  ASSERT_EQ(::truncate(path_.c_str(), 5'000), 0);
  EXPECT_EQ(read_range(*file, 0, 5'000), bytes_.substr(0, 5'000));
  const auto error = error_of([&] { read_range(*file, 4'000, 2'000); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::kIo);
  EXPECT_EQ(error->what(), "the file changed while it was read: file '" + path_ +
                               "': 10000 bytes when opened, 5000 now, 1000 wanted at 5000");
  EXPECT_EQ(file->size(), 10'000);
}

TEST_F(LocalFileTest, IdentityIsThatOfNow) {
  const FilePtr file = colonnade::open_local_file(path_);
  const FileIdentity before = file->identity();
  EXPECT_EQ(before.size, 10'000);
  EXPECT_GT(before.modified_ns, 0);
  EXPECT_NE(before.inode, 0u);
  EXPECT_EQ(file->identity(), before);

  const timespec times[] = {{0, UTIME_OMIT}, {1'700'000'000, 5}};
  ASSERT_EQ(::utimensat(AT_FDCWD, path_.c_str(), times, 0), 0);
  const FileIdentity touched = file->identity();
  EXPECT_NE(touched, before);
  EXPECT_EQ(touched.modified_ns, 1'700'000'000'000'000'005);

  ASSERT_EQ(::truncate(path_.c_str(), 1), 0);
  EXPECT_EQ(file->identity().size, 1);

  // A file that takes the other's place is another, but not the one that is open.
  const FileIdentity truncated = file->identity();
  std::filesystem::rename(folder_.write("other", bytes_), path_);
  EXPECT_EQ(file->identity(), truncated);
  EXPECT_NE(colonnade::open_local_file(path_)->identity().inode, truncated.inode);
}

TEST_F(LocalFileTest, OpensOnlyFiles) {
  const auto code = [](const std::string& path) {
    const auto error = error_of([&] { colonnade::open_local_file(path); });
    if (error && !path.empty() && path.find('\0') == path.npos) {
      EXPECT_EQ(error->place().file, path);
    }
    return error ? std::optional(error->code()) : std::nullopt;
  };
  EXPECT_EQ(code(folder_.path()), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(folder_ / "missing"), ErrorCode::kNotFound);
  EXPECT_EQ(code(path_ + "/below"), ErrorCode::kNotFound);
  EXPECT_EQ(code(""), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code(path_ + std::string(1, '\0') + "x"), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code("/dev/null"), ErrorCode::kInvalidArgument);

  // Neither waits for a writer nor wakes it.
  ASSERT_EQ(::mkfifo((folder_ / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(code(folder_ / "pipe"), ErrorCode::kInvalidArgument);

  std::filesystem::create_symlink("circle", folder_ / "circle");
  EXPECT_EQ(code(folder_ / "circle"), ErrorCode::kIo);
  std::filesystem::create_symlink("file", folder_ / "link");
  EXPECT_EQ(colonnade::open_local_file(folder_ / "link")->size(), 10'000);

  ASSERT_EQ(::chmod(path_.c_str(), 0), 0);
  const testing::AsOtherUser other;
  EXPECT_EQ(code(path_), ErrorCode::kPermissionDenied);
}

TEST_F(LocalFileTest, ClosesWhatItOpens) {
  const int before = num_descriptors();
  {
    const FilePtr file = colonnade::open_local_file(path_);
    EXPECT_EQ(num_descriptors(), before + 1);
    // Not handed on to programs that are started meanwhile.
    for (int fd = 3; fd < 1'000; ++fd) {
      const int flags = ::fcntl(fd, F_GETFD);
      struct stat status;
      if (flags < 0 || ::fstat(fd, &status) != 0) continue;
      if (status.st_ino != file->identity().inode) continue;
      EXPECT_TRUE(flags & FD_CLOEXEC);
    }
  }
  for (int i = 0; i < 1'000; ++i) {
    EXPECT_TRUE(error_of([&] { colonnade::open_local_file(folder_.path()); }));
    const FilePtr file = io::open_local_file(path_, faulty_preadv({.fail_call = 1}));
    EXPECT_TRUE(error_of([&] { read_range(*file, 0, 1); }));
  }
  EXPECT_EQ(num_descriptors(), before);
}

TEST_F(LocalFileTest, TakesHintsOfAllKinds) {
  const FilePtr file = colonnade::open_local_file(path_);
  file->will_need(0, 10'000);
  file->will_need(-5, 10);
  file->will_need(5, -10);
  file->will_need(1'000'000, std::numeric_limits<int64_t>::max());
  EXPECT_EQ(read_range(*file, 0, 10), bytes_.substr(0, 10));
}

TEST_F(LocalFileTest, ManyThreadsMayRead) {
  const FilePtr file = colonnade::open_local_file(path_);
  std::vector<std::thread> threads;
  std::atomic<int> num_right = 0;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int64_t i = 0; i < 500; ++i) {
        const int64_t offset = (i * 37 + t * 1'009) % 9'000;
        const std::string read = read_range(*file, offset, 1'000);
        if (testing::are_bytes_at(offset, read)) ++num_right;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(num_right, 2'000);
}

TEST_F(LocalFileTest, AnEmptyFileIsAFile) {
  const FilePtr file = colonnade::open_local_file(folder_.write("empty", ""));
  EXPECT_EQ(file->size(), 0);
  EXPECT_EQ(read_range(*file, 0, 0), "");
  EXPECT_EQ(code_of([&] { read_range(*file, 0, 1); }), ErrorCode::kInvalidArgument);
}

}  // namespace
}  // namespace colonnade::io
