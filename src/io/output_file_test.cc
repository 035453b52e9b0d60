#include "io/output_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include "io/path_list.h"
#include "io/testing/as_other_user.h"
#include "io/testing/error_of.h"
#include "io/testing/patterned_bytes.h"
#include "io/testing/temporary_folder.h"

namespace colonnade::io {
namespace {

namespace fs = std::filesystem;
using testing::code_of;
using testing::error_of;
using testing::read_file;

std::span<const uint8_t> bytes_of(std::string_view text) {
  return {reinterpret_cast<const uint8_t*>(text.data()), text.size()};
}

class OutputFileTest : public ::testing::Test {
 protected:
  OutputFileTest() { context_.memory = pool_; }
  ~OutputFileTest() override { EXPECT_EQ(pool_->used_bytes(), 0); }

  std::vector<std::string> names() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
  }
  using Names = std::vector<std::string>;

  const std::shared_ptr<MemoryPool> pool_ = MemoryPool::make_root("test");
  testing::TemporaryFolder folder_;
  const std::string path_ = folder_ / "out.bin";
  Context context_;
};

TEST_F(OutputFileTest, AppearsWhenItIsCommitted) {
  OutputFile file(context_, path_);
  EXPECT_EQ(file.path(), path_);
  file.write(bytes_of("colon"));
  file.write({});
  file.write(bytes_of("nade"));
  EXPECT_EQ(file.position(), 9);
  EXPECT_FALSE(fs::exists(path_));
  ASSERT_EQ(names().size(), 1u);
  EXPECT_TRUE(names()[0].starts_with(".out.bin.")) << names()[0];
  // Nobody takes it for data.
  EXPECT_EQ(code_of([&] { list_files({}, folder_.path()); }), ErrorCode::kNotFound);
  file.commit();
  EXPECT_EQ(names(), Names{"out.bin"});
  EXPECT_EQ(read_file(path_), "colonnade");
  EXPECT_EQ(context_.metrics->snapshot().at("write_bytes"), 9);
  EXPECT_EQ(pool_->used_bytes(), 0);
}

TEST_F(OutputFileTest, AnEmptyFileIsAFile) {
  OutputFile(context_, path_).commit();
  EXPECT_EQ(read_file(path_), "");
}

TEST_F(OutputFileTest, WritesOfAllSizesComeOutInOrder) {
  const std::string all = testing::patterned_bytes(50'000);
  for (const int64_t buffer_bytes : {1, 7, 1'000, 100'000}) {
    OutputFile file(context_, path_, {.sync = false, .buffer_bytes = buffer_bytes});
    std::string_view left = all;
    for (size_t step = 0; !left.empty(); step = (step * 5 + 3) % 4'001) {
      file.write(bytes_of(left.substr(0, step)));
      left.remove_prefix(std::min(step, left.size()));
      ASSERT_EQ(file.position(), static_cast<int64_t>(all.size() - left.size()));
    }
    file.commit();
    EXPECT_TRUE(read_file(path_) == all) << buffer_bytes;
  }
}

TEST_F(OutputFileTest, LeavesNothingWhenItIsNotCommitted) {
  folder_.write("out.bin", "old");
  {
    OutputFile file(context_, path_, {.buffer_bytes = 2});
    file.write(bytes_of("new bytes"));
  }
  EXPECT_EQ(names(), Names{"out.bin"});
  EXPECT_EQ(read_file(path_), "old");

  OutputFile file(context_, path_);
  file.write(bytes_of("new bytes"));
  file.abort();
  EXPECT_EQ(names(), Names{"out.bin"});
  file.abort();
  EXPECT_EQ(code_of([&] { file.write(bytes_of("x")); }), ErrorCode::kInternal);
  EXPECT_EQ(code_of([&] { file.commit(); }), ErrorCode::kInternal);
}

TEST_F(OutputFileTest, IsCommittedOnce) {
  OutputFile file(context_, path_);
  file.commit();
  EXPECT_EQ(code_of([&] { file.commit(); }), ErrorCode::kInternal);
  EXPECT_EQ(code_of([&] { file.write(bytes_of("x")); }), ErrorCode::kInternal);
  file.abort();
  EXPECT_TRUE(fs::exists(path_));
}

TEST_F(OutputFileTest, ReplacesAndKeepsPermissions) {
  folder_.write("out.bin", "old");
  ASSERT_EQ(::chmod(path_.c_str(), 0604), 0);
  OutputFile file(context_, path_);
  file.write(bytes_of("new"));
  EXPECT_EQ(read_file(path_), "old");
  file.commit();
  EXPECT_EQ(read_file(path_), "new");
  struct stat status;
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0604u);
}

TEST_F(OutputFileTest, ANewFileHasThePermissionsOfTheProcess) {
  const mode_t before = ::umask(027);
  OutputFile(context_, path_).commit();
  ::umask(before);
  struct stat status;
  ASSERT_EQ(::stat(path_.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, 0640u);
}

TEST_F(OutputFileTest, FollowsALink) {
  folder_.write("elsewhere/target", "old");
  fs::create_symlink("elsewhere/target", path_);
  OutputFile file(context_, path_);
  file.write(bytes_of("new"));
  file.commit();
  EXPECT_TRUE(fs::is_symlink(path_));
  EXPECT_EQ(read_file(folder_ / "elsewhere/target"), "new");
}

TEST_F(OutputFileTest, FollowsLinksToAFileThatDoesNotExist) {
  fs::create_directory(folder_ / "elsewhere");
  fs::create_symlink("elsewhere/second", path_);
  fs::create_symlink(folder_ / "target", folder_ / "elsewhere/second");
  {
    OutputFile file(context_, path_);
    file.write(bytes_of("never"));
  }
  EXPECT_EQ(names(), (Names{"elsewhere", "out.bin"}));
  OutputFile file(context_, path_);
  file.write(bytes_of("new"));
  file.commit();
  EXPECT_EQ(names(), (Names{"elsewhere", "out.bin", "target"}));
  EXPECT_EQ(fs::read_symlink(path_), "elsewhere/second");
  EXPECT_EQ(read_file(folder_ / "target"), "new");

  fs::create_symlink("no/file", folder_ / "astray");
  EXPECT_EQ(code_of([&] { OutputFile(context_, folder_ / "astray"); }), ErrorCode::kNotFound);
}

TEST_F(OutputFileTest, TakesTheLongestName) {
  const std::string longest = folder_ / std::string(255, 'n');
  OutputFile file(context_, longest);
  file.write(bytes_of("x"));
  file.commit();
  EXPECT_EQ(read_file(longest), "x");
  EXPECT_EQ(code_of([&] { OutputFile(context_, longest + "n"); }), ErrorCode::kInvalidArgument);
}

TEST_F(OutputFileTest, RefusesWhatCannotBeWritten) {
  EXPECT_EQ(code_of([&] { OutputFile(context_, folder_.path()); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([&] { OutputFile(context_, path_ + "/"); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([&] { OutputFile(context_, folder_ / "no/file"); }), ErrorCode::kNotFound);
  EXPECT_EQ(code_of([&] { OutputFile(context_, ""); }), ErrorCode::kInvalidArgument);
  EXPECT_EQ(code_of([&] { OutputFile(context_, path_, {.buffer_bytes = 0}); }),
            ErrorCode::kInvalidArgument);
  folder_.write("file", "");
  EXPECT_EQ(code_of([&] { OutputFile(context_, folder_ / "file/below"); }), ErrorCode::kNotFound);

  folder_.write("protected", "old");
  fs::create_directories(folder_ / "closed");
  ASSERT_EQ(::chmod((folder_ / "protected").c_str(), 0444), 0);
  ASSERT_EQ(::chmod(folder_.path().c_str(), 0777), 0);
  {
    const testing::AsOtherUser other;
    EXPECT_EQ(code_of([&] { OutputFile(context_, folder_ / "protected"); }),
              ErrorCode::kPermissionDenied);
    EXPECT_EQ(code_of([&] { OutputFile(context_, folder_ / "closed/file"); }),
              ::getuid() == 0 ? std::optional(ErrorCode::kPermissionDenied) : std::nullopt);
  }
  EXPECT_EQ(read_file(folder_ / "protected"), "old");
}

TEST_F(OutputFileTest, NeedsItsBufferInTheBudget) {
  context_.memory = MemoryPool::make_root("small", {.limit_bytes = 1'000});
  EXPECT_EQ(code_of([&] { OutputFile(context_, path_, {.buffer_bytes = 10'000}); }),
            ErrorCode::kOutOfBudget);
  EXPECT_EQ(names(), Names{});
}

TEST_F(OutputFileTest, DevicesAndPipesAreWrittenAsTheyAre) {
  OutputFile null(context_, "/dev/null");
  null.write(bytes_of("gone"));
  null.commit();
  struct stat status;
  ASSERT_EQ(::stat("/dev/null", &status), 0);
  EXPECT_TRUE(S_ISCHR(status.st_mode));

  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  const FileDescriptor reader(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK));
  ASSERT_TRUE(reader.valid());
  OutputFile file(context_, pipe);
  file.write(bytes_of("through"));
  file.commit();
  char out[16] = {};
  EXPECT_EQ(::read(reader.get(), out, sizeof(out)), 7);
  EXPECT_STREQ(out, "through");
  EXPECT_EQ(names(), Names{"pipe"});
}

TEST_F(OutputFileTest, AFullDiskIsNamed) {
  OutputFile file(context_, "/dev/full", {.buffer_bytes = 4});
  file.write(bytes_of("abc"));
  const auto error = error_of([&] { file.write(bytes_of("def")); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::kIo);
  EXPECT_EQ(error->system_errno(), ENOSPC);
  EXPECT_EQ(error->place().file, "/dev/full");
  // And again: what was written cannot be relied on.
  EXPECT_EQ(error_of([&] { file.write(bytes_of("g")); })->system_errno(), ENOSPC);
  EXPECT_EQ(error_of([&] { file.commit(); })->system_errno(), ENOSPC);
}

TEST_F(OutputFileTest, APipeThatNobodyReadsIsNamed) {
  const auto before = ::signal(SIGPIPE, SIG_IGN);
  const std::string pipe = folder_ / "pipe";
  ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
  FileDescriptor reader(::open(pipe.c_str(), O_RDONLY | O_NONBLOCK));
  OutputFile file(context_, pipe);
  file.write(bytes_of("x"));
  reader.close();
  const auto error = error_of([&] { file.commit(); });
  ASSERT_TRUE(error);
  EXPECT_EQ(error->code(), ErrorCode::kIo);
  EXPECT_EQ(error->system_errno(), EPIPE);
  ::signal(SIGPIPE, before);
}

TEST_F(OutputFileTest, EveryFailingCallLeavesTheTargetAsItWas) {
  const std::string all = testing::patterned_bytes(1'000);
  // The n-th call fails with EIO, whichever it is; the last round has no failure left.
  for (int failing = 1;; ++failing) {
    ASSERT_LT(failing, 30);
    folder_.write("out.bin", "old");
    int num_calls = 0;
    bool renamed = false;
    const auto fails = [&] {
      if (++num_calls != failing) return false;
      errno = EIO;
      return true;
    };
    const OutputCalls system = OutputCalls::system();
    const OutputCalls calls = {
        .write = [&](int fd, const void* bytes,
                     size_t n) { return fails() ? -1 : system.write(fd, bytes, n); },
        .sync = [&](int fd) { return fails() ? -1 : system.sync(fd); },
        .rename =
            [&](const char* from, const char* to) {
              if (fails()) return -1;
              renamed = true;
              return system.rename(from, to);
            }};
    std::optional<Error> error;
    {
      OutputFile file(context_, path_, {.buffer_bytes = 300}, calls);
      error = error_of([&] {
        for (size_t i = 0; i < all.size(); i += 100) {
          file.write(bytes_of(std::string_view(all).substr(i, 100)));
        }
        file.commit();
      });
    }
    EXPECT_EQ(names(), Names{"out.bin"}) << failing;
    EXPECT_EQ(read_file(path_), renamed ? all : "old") << failing;
    if (!error) {
      EXPECT_EQ(failing, 4 + 1 + 1 + 1 + 1);  // writes, sync, rename, sync of the folder, and none
      break;
    }
    EXPECT_EQ(error->code(), ErrorCode::kIo);
    EXPECT_EQ(error->system_errno(), EIO);
    EXPECT_EQ(error->place().file, path_);
  }
}

TEST_F(OutputFileTest, ShortAndInterruptedWritesGoOn) {
  const std::string all = testing::patterned_bytes(1'000);
  int num_calls = 0;
  OutputCalls calls = OutputCalls::system();
  calls.write = [&](int fd, const void* bytes, size_t n) -> ssize_t {
    if (++num_calls % 3 == 0) {
      errno = EINTR;
      return -1;
    }
    return ::write(fd, bytes, std::min<size_t>(n, 37));
  };
  OutputFile file(context_, path_, {.buffer_bytes = 100}, calls);
  file.write(bytes_of(all));
  file.commit();
  EXPECT_TRUE(read_file(path_) == all);
}

TEST_F(OutputFileTest, SyncsOnlyWhenAsked) {
  for (const bool sync : {true, false}) {
    int num_syncs = 0;
    OutputCalls calls = OutputCalls::system();
    calls.sync = [&](int) { return ++num_syncs, 0; };
    OutputFile file(context_, path_, {.sync = sync}, calls);
    file.write(bytes_of("x"));
    EXPECT_EQ(num_syncs, 0);
    file.commit();
    EXPECT_EQ(num_syncs, sync ? 2 : 0);
  }
}

TEST_F(OutputFileTest, CancellingKeepsTheTarget) {
  folder_.write("out.bin", "old");
  {
    OutputFile file(context_, path_, {.buffer_bytes = 4});
    file.write(bytes_of("abcd"));
    context_.cancel.cancel();
    file.write(bytes_of("e"));  // stays in the buffer
    EXPECT_EQ(code_of([&] { file.write(bytes_of("fghi")); }), ErrorCode::kCancelled);
    EXPECT_EQ(code_of([&] { file.commit(); }), ErrorCode::kCancelled);
  }
  EXPECT_EQ(names(), Names{"out.bin"});
  EXPECT_EQ(read_file(path_), "old");
}

TEST_F(OutputFileTest, AKilledProcessLeavesTheTargetAsItWas) {
  folder_.write("out.bin", "old");
  const pid_t child = ::fork();
  if (child == 0) {
    OutputFile file(context_, path_, {.buffer_bytes = 4});
    file.write(bytes_of("new bytes"));
    ::kill(::getpid(), SIGKILL);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(read_file(path_), "old");
  EXPECT_EQ(list_files({}, folder_.path()), std::vector<std::string>{path_});
  EXPECT_EQ(names().size(), 2u);
}

TEST_F(OutputFileTest, AForkedChildDoesNotRemoveItsParentsFile) {
  auto file = std::make_unique<OutputFile>(context_, path_);
  file->write(bytes_of("parent"));
  const pid_t child = ::fork();
  if (child == 0) {
    file.reset();
    ::_exit(0);
  }
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  file->commit();
  EXPECT_EQ(read_file(path_), "parent");
}

}  // namespace
}  // namespace colonnade::io
