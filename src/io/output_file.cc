#include "io/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <utility>

#include "base/fail.h"
#include "io/system_error.h"

namespace colonnade::io {
namespace {

constexpr const char* kCannotCreate = "the file cannot be created";
constexpr const char* kCannotComplete = "the file cannot be completed";

// What one system call is given at most; Linux takes 2 GiB less a page.
constexpr int64_t kMaxWriteBytes = int64_t{1} << 30;

constexpr int kMaxNameTries = 100;
constexpr int kMaxLinks = 40;  // as Linux

std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return path.substr(0, std::max<size_t>(slash, 1));
}

// Where the links in the path of a file lead.
std::string resolved(const std::string& path) {
  struct FreeMemory {
    void operator()(char* memory) const noexcept { std::free(memory); }
  };
  const std::unique_ptr<char, FreeMemory> target(::realpath(path.c_str(), nullptr));
  if (!target) throw system_error(errno, kCannotCreate, path);
  return target.get();
}

// Where links lead whose last target does not exist; the path itself when it is no link.
std::string missing_target(std::string path) {
  for (int links = 0; links < kMaxLinks; ++links) {
    char target[PATH_MAX];
    const ssize_t length = ::readlink(path.c_str(), target, sizeof(target));
    if (length < 0) break;
    const std::string_view name(target, static_cast<size_t>(length));
    path = name.starts_with('/') ? std::string(name) : fmt::format("{}/{}", folder_of(path), name);
  }
  return path;
}

// ".<name>.<16 hex digits>.tmp" beside `path`; the name is cut so that the whole stays a legal
// name.
std::string temporary_name(const std::string& path) {
  static constexpr size_t kMaxKeptName = NAME_MAX - 1 - 1 - 16 - 4;
  const size_t slash = path.rfind('/');
  const size_t name_begin = slash == std::string::npos ? 0 : slash + 1;
  std::random_device random;
  const uint64_t number = uint64_t{random()} << 32 | random();
  return fmt::format("{}.{}.{:016x}.tmp", path.substr(0, name_begin),
                     path.substr(name_begin, kMaxKeptName), number);
}

// Makes the rename itself durable. File systems that cannot do this for folders have nothing to
// wait for.
int sync_folder(const OutputCalls& calls, const std::string& path) {
  const FileDescriptor folder(::open(folder_of(path).c_str(), O_RDONLY | O_CLOEXEC | O_DIRECTORY));
  if (!folder.valid()) return errno == EACCES ? 0 : -1;
  if (calls.sync(folder.get()) == 0 || errno == EINVAL || errno == ENOTSUP) return 0;
  return -1;
}

}  // namespace

OutputCalls OutputCalls::system() {
  return {.write = ::write, .sync = ::fsync, .rename = std::rename};
}

OutputFile::OutputFile(const Context& context, const std::string& path,
                       const OutputFileOptions& options, OutputCalls calls)
    : context_(context),
      path_(path),
      options_(options),
      calls_(std::move(calls)),
      owner_(::getpid()) {
  check_path(path_);
  if (options_.buffer_bytes < 1) {
    fail(ErrorCode::kInvalidArgument, "the buffer of an output file is too small", "{} bytes",
         options_.buffer_bytes);
  }
  buffer_ = context_.memory->allocate(options_.buffer_bytes);
  struct stat status;
  if (::stat(path_.c_str(), &status) == 0) {
    if (S_ISDIR(status.st_mode) || path_.back() == '/') {
      throw Error(ErrorCode::kInvalidArgument, "is a folder, not a file").locate({.file = path_});
    }
    if (!S_ISREG(status.st_mode)) {
      open_target();
    } else {
      target_path_ = resolved(path_);
      open_temporary(&status);
    }
  } else if (errno == ENOENT) {
    if (path_.back() == '/') {
      throw Error(ErrorCode::kInvalidArgument, "is a folder, not a file").locate({.file = path_});
    }
    target_path_ = missing_target(path_);
    open_temporary(nullptr);
  } else {
    throw system_error(errno, kCannotCreate, path_);
  }
}

void OutputFile::open_target() {
  int fd;
  do {
    context_.cancel.check();  // a pipe's writer waits for its reader
    fd = ::open(path_.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) throw system_error(errno, "the file cannot be opened", path_);
  fd_ = FileDescriptor(fd);
}

void OutputFile::open_temporary(const struct stat* replaced) {
  if (replaced != nullptr && ::faccessat(AT_FDCWD, target_path_.c_str(), W_OK, AT_EACCESS) != 0) {
    // The folder's permission alone would do for a rename; but who may not write a file may not
    // replace it.
    throw system_error(errno, kCannotCreate, path_);
  }
  for (int tries = 1;; ++tries) {
    std::string name = temporary_name(target_path_);
    const int fd = ::open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOCTTY, 0666);
    if (fd >= 0) {
      fd_ = FileDescriptor(fd);
      temporary_path_ = std::move(name);
      break;
    }
    const bool again = errno == EINTR || errno == EEXIST;
    if (!again || tries == kMaxNameTries) throw system_error(errno, kCannotCreate, path_);
  }
  // Not every file system has permissions.
  if (replaced != nullptr) (void)::fchmod(fd_.get(), replaced->st_mode & 0777);
}

OutputFile::~OutputFile() { abort(); }

void OutputFile::check_open() const {
  if (failure_) throw *failure_;
  if (!is_open_) {
    throw Error(ErrorCode::kInternal, "output file used after commit or abort")
        .locate({.file = path_});
  }
}

void OutputFile::fail_with(int system_errno, const char* what_happened) {
  Error error(ErrorCode::kIo, what_happened, fmt::format("{} bytes in all", position_));
  error.with_errno(system_errno).locate({.file = path_});
  failure_ = error;
  throw error;
}

void OutputFile::write(std::span<const uint8_t> bytes) {
  check_open();
  const uint8_t* next = bytes.data();
  int64_t left = static_cast<int64_t>(bytes.size());
  while (left > 0) {
    if (buffered_bytes_ == 0 && left >= buffer_.size()) {
      // Nothing to gain from a copy.
      const int64_t direct = left - left % buffer_.size();
      write_out(next, direct);
      position_ += direct;
      next += direct;
      left -= direct;
      continue;
    }
    const int64_t step = std::min(left, buffer_.size() - buffered_bytes_);
    std::memcpy(buffer_.data() + buffered_bytes_, next, static_cast<size_t>(step));
    buffered_bytes_ += step;
    position_ += step;
    next += step;
    left -= step;
    if (buffered_bytes_ == buffer_.size()) flush();
  }
}

void OutputFile::flush() {
  write_out(buffer_.data(), buffered_bytes_);
  buffered_bytes_ = 0;
}

void OutputFile::write_out(const uint8_t* bytes, int64_t num_bytes) {
  while (num_bytes > 0) {
    try {
      context_.cancel.check();
    } catch (const Error& error) {
      failure_ = error;  // some of the bytes may be written: there is no going on
      throw;
    }
    const ssize_t written =
        calls_.write(fd_.get(), bytes, static_cast<size_t>(std::min(num_bytes, kMaxWriteBytes)));
    if (written < 0) {
      if (errno == EINTR) continue;
      fail_with(errno, "writing failed");
    }
    // A file that takes nothing at all without saying why would be asked for ever.
    if (written == 0) fail_with(EIO, "writing failed");
    context_.metrics->add("write_bytes", written);
    bytes += written;
    num_bytes -= written;
  }
}

void OutputFile::commit() {
  check_open();
  flush();
  const bool has_name_to_come = !temporary_path_.empty();
  if (has_name_to_come && options_.sync && calls_.sync(fd_.get()) != 0) {
    fail_with(errno, kCannotComplete);
  }
  if (fd_.close() != 0 && errno != EINTR) fail_with(errno, kCannotComplete);
  if (has_name_to_come) {
    if (calls_.rename(temporary_path_.c_str(), target_path_.c_str()) != 0) {
      fail_with(errno, kCannotComplete);
    }
    temporary_path_.clear();
  }
  is_open_ = false;
  buffer_ = MutableBuffer();
  // The file is complete and has its name; it only may not be there after a crash of the machine.
  if (has_name_to_come && options_.sync && sync_folder(calls_, target_path_) != 0) {
    fail_with(errno, "the folder cannot be written to the disk");
  }
}

void OutputFile::abort() noexcept {
  if (!is_open_ || ::getpid() != owner_) return;
  is_open_ = false;
  fd_.close();
  if (!temporary_path_.empty()) ::unlink(temporary_path_.c_str());
  temporary_path_.clear();
  buffer_ = MutableBuffer();
}

}  // namespace colonnade::io
