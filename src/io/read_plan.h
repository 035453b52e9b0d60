// Reading many byte ranges of one file: neighbours in one read, long ranges window by window.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <colonnade/context.h>
#include <colonnade/file.h>

namespace colonnade::io {

struct ByteSpan {
  int64_t offset = 0;
  int64_t length = 0;
};

struct ReadPlanOptions {
  int64_t window_bytes = int64_t{1} << 20;     // a longer range is read in windows of this size
  int64_t max_gap_bytes = int64_t{64} << 10;   // ranges closer than this share a read
  int64_t max_group_bytes = int64_t{4} << 20;  // of one coalesced read
};

// Reads one range from front to back. One user at a time; lives on without its plan. Memory: one
// window (two while a span straddles their border), or the one span asked for where that is larger;
// given back as soon as it is passed. After an error the reader is where it was, and the call may
// be tried again.
class SequentialReader {
 public:
  // The next min(n, left()) bytes, contiguous; valid until the next call. Reads from the file as
  // needed. kCorruptData for a negative n.
  std::span<const uint8_t> peek(int64_t n);
  // Passes over n <= left() bytes (kCorruptData otherwise); bytes never peeked are not read.
  void skip(int64_t n);
  // The next n bytes (n <= left(), kCorruptData otherwise) as shared bytes that outlive the reader,
  // passed over. They share the window; copied where they would keep more than eight times their
  // size alive.
  Buffer take(int64_t n);

  int64_t left() const noexcept;
  int64_t position() const noexcept;  // offset in the file of the next byte

  SequentialReader(SequentialReader&&) noexcept;
  SequentialReader& operator=(SequentialReader&&) noexcept;
  ~SequentialReader();

 private:
  friend class ReadPlan;
  struct Impl;
  explicit SequentialReader(std::unique_ptr<Impl> impl);
  std::unique_ptr<Impl> impl_;
};

// Plans the reads of several ranges that will all be wanted (the column chunks of a row group).
// Ranges that lie close together and are no longer than a window are read together when the first
// of them is opened; the bytes live until the last of them is done (or, for those never opened,
// until the plan goes). Counts `read_bytes` and `reads` in the context's metrics, checks the cancel
// token before each read, and tells the file what comes next. Thread-safe.
class ReadPlan {
 public:
  // Ranges inside the file (kCorruptData otherwise), in any order; they may overlap. Reads nothing
  // yet.
  ReadPlan(const Context& context, FilePtr file, std::vector<ByteSpan> ranges,
           const ReadPlanOptions& options = {});
  // The reader of ranges[i]; each once (kInternal otherwise), but again after an error.
  SequentialReader open(size_t i);
  ~ReadPlan();

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace colonnade::io
