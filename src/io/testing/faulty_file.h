// Files that fail on request.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include <colonnade/file.h>

#include "io/local_file.h"

namespace colonnade::io::testing {

// Reads are counted from 1, one for each call of read_many; 0: never.
struct FileFaults {
  int64_t fail_read =
      0;  // this one gives EIO, after having filled half of its bytes; later ones work
  int64_t shrink_read =
      0;  // from this one on, the file ends at `shrunk_bytes`, and its identity is another
  int64_t shrunk_bytes = 0;
  std::function<void(int64_t read)> before_read = {};  // may throw; empty: nothing
};

// Another file with faults. Thread-safe.
class FaultyFile final : public RandomAccessFile {
 public:
  explicit FaultyFile(FilePtr file, FileFaults faults = {});

  const std::string& name() const noexcept override { return file_->name(); }
  int64_t size() const override { return file_->size(); }
  void read_many(std::span<const ReadRange> ranges) override;
  FileIdentity identity() override;
  void will_need(int64_t offset, int64_t length) noexcept override;

  int64_t num_reads() const noexcept { return num_reads_; }
  int64_t num_ranges() const noexcept { return num_ranges_; }
  int64_t read_bytes() const noexcept { return read_bytes_; }
  // (offset, length), in the order of the calls.
  std::vector<std::pair<int64_t, int64_t>> ranges_read() const;
  std::vector<std::pair<int64_t, int64_t>> hints() const;

 private:
  bool has_shrunk(int64_t read) const noexcept {
    return faults_.shrink_read > 0 && read >= faults_.shrink_read;
  }

  const FilePtr file_;
  const FileFaults faults_;
  std::atomic<int64_t> num_reads_ = 0;
  std::atomic<int64_t> num_ranges_ = 0;
  std::atomic<int64_t> read_bytes_ = 0;
  mutable std::mutex mutex_;  // of the lists
  std::vector<std::pair<int64_t, int64_t>> ranges_read_;
  std::vector<std::pair<int64_t, int64_t>> hints_;
};

// Calls are counted from 1; 0: never.
struct PreadFaults {
  int64_t interrupt_call = 0;  // EINTR
  int64_t fail_call = 0;       // EIO
  int64_t end_call = 0;        // 0 bytes: the file ends there now
  int64_t max_bytes = 0;       // of each call; 0: no limit
};

// The system's preadv with faults. The counter may be null.
PreadvFunction faulty_preadv(const PreadFaults& faults, std::atomic<int64_t>* num_calls = nullptr);

}  // namespace colonnade::io::testing
