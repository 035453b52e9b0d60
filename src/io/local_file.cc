#include "io/local_file.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "base/fail.h"
#include "io/file_descriptor.h"
#include "io/range_check.h"
#include "io/system_error.h"

namespace colonnade {
namespace io {
namespace {

// Ranges that follow one another in the file go into one call, so many at most (Linux takes 1,024).
constexpr size_t kMaxParts = 64;

FileIdentity identity_of(const struct stat& status) {
  // A time that a file system made up may wrap around: it is only compared.
  const uint64_t modified_ns = static_cast<uint64_t>(status.st_mtim.tv_sec) * 1'000'000'000 +
                               static_cast<uint64_t>(status.st_mtim.tv_nsec);
  return {.size = static_cast<int64_t>(status.st_size),
          .modified_ns = static_cast<int64_t>(modified_ns),
          .device = static_cast<uint64_t>(status.st_dev),
          .inode = static_cast<uint64_t>(status.st_ino)};
}

void check_regular(const struct stat& status, const std::string& path) {
  if (S_ISREG(status.st_mode)) return;
  if (S_ISDIR(status.st_mode)) {
    throw Error(ErrorCode::kInvalidArgument, "is a folder, not a file").locate({.file = path});
  }
  const char* kind = S_ISFIFO(status.st_mode)   ? "a pipe"
                     : S_ISSOCK(status.st_mode) ? "a socket"
                                                : "a device";
  throw Error(ErrorCode::kInvalidArgument,
              "cannot be read at any offset: copy it to a file first, or give it to the command "
              "line as '-'",
              kind)
      .locate({.file = path});
}

class LocalFile final : public RandomAccessFile {
 public:
  LocalFile(FileDescriptor fd, const struct stat& status, std::string path,
            PreadvFunction preadv_function)
      : fd_(std::move(fd)),
        size_bytes_(static_cast<int64_t>(status.st_size)),
        path_(std::move(path)),
        preadv_(std::move(preadv_function)) {}

  const std::string& name() const noexcept override { return path_; }
  int64_t size() const override { return size_bytes_; }

  void read_many(std::span<const ReadRange> ranges) override {
    check_ranges(ranges, size_bytes_, path_);
    std::array<iovec, kMaxParts> parts;
    size_t i = 0;
    while (i < ranges.size()) {
      int64_t offset = 0;
      int64_t length = 0;
      size_t num_parts = 0;
      for (; i < ranges.size() && num_parts < kMaxParts; ++i) {
        const ReadRange& range = ranges[i];
        if (range.length == 0) continue;
        if (num_parts == 0) {
          offset = range.offset;
        } else if (range.offset != offset + length) {
          break;
        }
        parts[num_parts++] = {range.out, static_cast<size_t>(range.length)};
        length += range.length;
      }
      fill({parts.data(), num_parts}, offset, length);
    }
  }

  FileIdentity identity() override {
    struct stat status;
    if (::fstat(fd_.get(), &status) != 0) {
      throw system_error(errno, "the file's status cannot be read", path_);
    }
    return identity_of(status);
  }

  void will_need(int64_t offset, int64_t length) noexcept override {
    if (offset < 0 || length <= 0) return;
    // Advice: whether it was taken does not matter.
    (void)::posix_fadvise(fd_.get(), static_cast<off_t>(offset), static_cast<off_t>(length),
                          POSIX_FADV_WILLNEED);
  }

 private:
  // Reads until all parts are full: a call may be interrupted or give less than was asked for.
  void fill(std::span<iovec> parts, int64_t offset, int64_t length) {
    while (length > 0) {
      const ssize_t got = preadv_(fd_.get(), parts.data(), static_cast<int>(parts.size()),
                                  static_cast<off_t>(offset));
      if (got < 0) {
        const int system_errno = errno;
        if (system_errno == EINTR) continue;
        throw Error(ErrorCode::kIo, "reading failed", fmt::format("{} bytes at {}", length, offset))
            .with_errno(system_errno)
            .locate({.file = path_});
      }
      if (got == 0) fail_changed(offset, length);
      offset += got;
      length -= got;
      size_t passed = static_cast<size_t>(got);
      while (passed > 0) {
        iovec& part = parts.front();
        const size_t step = std::min(passed, part.iov_len);
        part.iov_base = static_cast<uint8_t*>(part.iov_base) + step;
        part.iov_len -= step;
        passed -= step;
        if (part.iov_len == 0) parts = parts.subspan(1);
      }
    }
  }

  [[noreturn, gnu::cold]] void fail_changed(int64_t offset, int64_t length) {
    throw Error(ErrorCode::kIo, "the file changed while it was read",
                fmt::format("{} bytes when opened, {} now, {} wanted at {}", size_bytes_,
                            identity().size, length, offset))
        .locate({.file = path_});
  }

  const FileDescriptor fd_;
  const int64_t size_bytes_;
  const std::string path_;
  const PreadvFunction preadv_;
};

}  // namespace

FilePtr open_local_file(const std::string& path, PreadvFunction preadv_function) {
  check_path(path);
  constexpr const char* kCannotOpen = "the file cannot be opened";
  struct stat status;
  // Asked first: opening a pipe would wake its writer, and opening a device may do anything.
  if (::stat(path.c_str(), &status) != 0) throw system_error(errno, kCannotOpen, path);
  check_regular(status, path);
  // O_NONBLOCK: should a pipe have taken the file's place meanwhile, this does not wait for a
  // writer.
  int raw_fd;
  do {
    raw_fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
  } while (raw_fd < 0 && errno == EINTR);
  if (raw_fd < 0) throw system_error(errno, kCannotOpen, path);
  FileDescriptor fd(raw_fd);
  if (::fstat(fd.get(), &status) != 0) throw system_error(errno, kCannotOpen, path);
  check_regular(status, path);
  if (::fcntl(fd.get(), F_SETFL, 0) != 0) throw system_error(errno, kCannotOpen, path);
  return std::make_shared<LocalFile>(std::move(fd), status, path, std::move(preadv_function));
}

}  // namespace io

FilePtr open_local_file(const std::string& path) { return io::open_local_file(path, ::preadv); }

}  // namespace colonnade
