// A file that appears under its name when it is complete, or not at all.
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>

#include <colonnade/context.h>
#include <colonnade/error.h>
#include <colonnade/memory.h>

#include "io/file_descriptor.h"

namespace colonnade::io {

struct OutputFileOptions {
  // Whether commit() waits until the bytes and the name are on the disk: without, a crash of the
  // machine soon after may leave an empty file.
  bool sync = true;
  int64_t buffer_bytes = int64_t{1} << 20;
};

// The system calls that write, for tests that make them fail. Each returns -1 with errno.
struct OutputCalls {
  std::function<ssize_t(int fd, const void* bytes, size_t num_bytes)> write;
  std::function<int(int fd)> sync;
  std::function<int(const char* from, const char* to)> rename;
  static OutputCalls system();
};

// Writes to ".<name>.<random>.tmp" in the folder of the target and renames it on commit().
// Destruction without commit() is abort(); a process that is killed leaves the target as it was and
// the hidden file behind. A file that exists is replaced and keeps its permissions; a link is
// followed, also one whose target does not exist. Pipes and devices are written to as they are:
// there, nothing is taken back by abort().
//
// One user at a time. A process that forked owns what it opened itself: the copy in a child does
// nothing. Order: write()*, then commit() or abort(). Writing to a pipe that nobody reads any more
// is kIo with EPIPE where the process ignores SIGPIPE.
class OutputFile {
 public:
  // kNotFound for a missing folder, kPermissionDenied, kInvalidArgument for a folder, kIo;
  // kOutOfBudget; kCancelled when a signal ends the wait for a pipe's reader.
  OutputFile(const Context& context, const std::string& path, const OutputFileOptions& options = {},
             OutputCalls calls = OutputCalls::system());
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // Appends. kIo with errno (a full disk is ENOSPC); after an error each further call gives the
  // same one. kCancelled when the context's token is set and bytes have to go to the system. Counts
  // `write_bytes`.
  void write(std::span<const uint8_t> bytes);
  // Writes what is buffered and gives the file its name. Once; nothing can be written afterwards
  // (kInternal).
  void commit();
  // Removes what was written. Without effect after commit() or abort().
  void abort() noexcept;

  // Bytes written so far, those in the buffer too.
  int64_t position() const noexcept { return position_; }
  const std::string& path() const noexcept { return path_; }

 private:
  void open_target();
  void open_temporary(const struct stat* replaced);
  void check_open() const;
  void flush();
  void write_out(const uint8_t* bytes, int64_t num_bytes);
  [[noreturn]] void fail_with(int system_errno, const char* what_happened);

  Context context_;
  const std::string path_;      // as given
  std::string target_path_;     // without links
  std::string temporary_path_;  // empty: written to the target itself
  const OutputFileOptions options_;
  const OutputCalls calls_;
  const pid_t owner_;
  FileDescriptor fd_;
  MutableBuffer buffer_;
  int64_t buffered_bytes_ = 0;
  int64_t position_ = 0;
  bool is_open_ = true;  // neither committed nor aborted
  std::optional<Error> failure_;
};

}  // namespace colonnade::io
