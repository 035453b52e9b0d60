#include "io/testing/faulty_file.h"

#include <algorithm>
#include <cerrno>
#include <memory>

#include <fmt/format.h>

#include <colonnade/error.h>

namespace colonnade::io::testing {

FaultyFile::FaultyFile(FilePtr file, FileFaults faults)
    : file_(std::move(file)), faults_(std::move(faults)) {}

void FaultyFile::read_many(std::span<const ReadRange> ranges) {
  const int64_t read = ++num_reads_;
  if (faults_.before_read) faults_.before_read(read);
  num_ranges_ += static_cast<int64_t>(ranges.size());
  for (const ReadRange& range : ranges) {
    read_bytes_ += range.length;
    const std::lock_guard lock(mutex_);
    ranges_read_.emplace_back(range.offset, range.length);
  }
  if (read == faults_.fail_read) {
    for (ReadRange range : ranges) {
      range.length /= 2;
      file_->read_many({&range, 1});
    }
    throw Error(ErrorCode::kIo, "reading failed").with_errno(EIO).locate({.file = name()});
  }
  if (has_shrunk(read)) {
    for (const ReadRange& range : ranges) {
      if (range.offset + range.length <= faults_.shrunk_bytes) continue;
      throw Error(ErrorCode::kIo, "the file changed while it was read",
                  fmt::format("{} bytes when opened, {} now", size(), faults_.shrunk_bytes))
          .locate({.file = name()});
    }
  }
  file_->read_many(ranges);
}

FileIdentity FaultyFile::identity() {
  FileIdentity identity = file_->identity();
  if (has_shrunk(num_reads_)) {
    identity.size = faults_.shrunk_bytes;
    ++identity.modified_ns;
  }
  return identity;
}

void FaultyFile::will_need(int64_t offset, int64_t length) noexcept {
  const std::lock_guard lock(mutex_);
  hints_.emplace_back(offset, length);
  file_->will_need(offset, length);
}

std::vector<std::pair<int64_t, int64_t>> FaultyFile::ranges_read() const {
  const std::lock_guard lock(mutex_);
  return ranges_read_;
}

std::vector<std::pair<int64_t, int64_t>> FaultyFile::hints() const {
  const std::lock_guard lock(mutex_);
  return hints_;
}

PreadvFunction faulty_preadv(const PreadFaults& faults, std::atomic<int64_t>* num_calls) {
  auto own_calls = std::make_shared<std::atomic<int64_t>>(0);
  return [faults, num_calls, own_calls](int fd, const iovec* parts, int num_parts,
                                        off_t offset) -> ssize_t {
    const int64_t call = ++*own_calls;
    if (num_calls != nullptr) ++*num_calls;
    if (call == faults.interrupt_call || call == faults.fail_call) {
      errno = call == faults.fail_call ? EIO : EINTR;
      return -1;
    }
    if (call == faults.end_call) return 0;
    if (faults.max_bytes == 0) return ::preadv(fd, parts, num_parts, offset);
    // The first parts, as far as the limit goes.
    std::vector<iovec> cut;
    size_t left = static_cast<size_t>(faults.max_bytes);
    for (int i = 0; i < num_parts && left > 0; ++i) {
      cut.push_back({parts[i].iov_base, std::min(parts[i].iov_len, left)});
      left -= cut.back().iov_len;
    }
    return ::preadv(fd, cut.data(), static_cast<int>(cut.size()), offset);
  };
}

}  // namespace colonnade::io::testing
