// Files as Colonnade reads them: bytes by range.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include <colonnade/export.h>
#include <colonnade/memory.h>

namespace colonnade {

// `length` bytes at `offset` go to `out`.
struct ReadRange {
  int64_t offset = 0;
  int64_t length = 0;
  uint8_t* out = nullptr;
};

// What a file is, to notice that it changed while being read. Compared as a whole.
struct FileIdentity {
  int64_t size = 0;         // bytes
  int64_t modified_ns = 0;  // 0: unknown
  uint64_t device = 0;
  uint64_t inode = 0;
  std::string version = {};  // an object store's tag
  friend bool operator==(const FileIdentity&, const FileIdentity&) = default;
};

// Thread-safe: any number of threads may read at once.
class COLONNADE_API RandomAccessFile {
 public:
  virtual ~RandomAccessFile() = default;
  RandomAccessFile(const RandomAccessFile&) = delete;
  RandomAccessFile& operator=(const RandomAccessFile&) = delete;

  // For messages: a path or a URL.
  virtual const std::string& name() const noexcept = 0;
  // As it was when the file was opened, bytes.
  virtual int64_t size() const = 0;
  // Fills every range or throws: kIo with errno; kIo "file changed" when a range inside size()
  // cannot be filled any more. Ranges lie inside [0, size()); kInvalidArgument otherwise.
  virtual void read_many(std::span<const ReadRange> ranges) = 0;
  // As it is now.
  virtual FileIdentity identity() = 0;
  // A hint that [offset, offset + length) will be read soon. Never fails.
  virtual void will_need(int64_t offset, int64_t length) noexcept;

 protected:
  RandomAccessFile() = default;
};

using FilePtr = std::shared_ptr<RandomAccessFile>;

// A local file, read with pread(2). kNotFound, kPermissionDenied, kIo; kInvalidArgument for a
// folder.
COLONNADE_API FilePtr open_local_file(const std::string& path);
// Bytes in memory.
COLONNADE_API FilePtr open_memory_file(Buffer bytes, std::string name = "<memory>");

// A file somebody else reads: `read` fills all of one range or throws; it may be called from
// several threads at once unless `one_at_a_time`. With it, a `read` that reads the file itself
// fails (kInvalidArgument), and so does the child of a fork() that happened during a call.
struct FileCallbacks {
  int64_t size = 0;
  std::function<void(int64_t offset, std::span<uint8_t> out)> read = {};
  std::function<FileIdentity()> identity = {};  // may be empty: never changes
  bool one_at_a_time = false;
};
COLONNADE_API FilePtr open_callback_file(FileCallbacks callbacks, std::string name);

}  // namespace colonnade
