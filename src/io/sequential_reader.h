// The inside of SequentialReader, which a ReadPlan fills in.
#pragma once

#include <cstdint>
#include <memory>

#include <colonnade/memory.h>

#include "io/counted_file.h"
#include "io/read_plan.h"

namespace colonnade::io {

struct SequentialReader::Impl {
  std::shared_ptr<const CountedFile> source;
  int64_t position = 0;  // offset in the file of the next byte, at most `end`
  int64_t end = 0;

  // The window: bytes of the file from `window_begin` on, never past `end`. They are in `own` until
  // somebody shares them, in `shared` from then on; the other one is empty. A window that is not
  // empty holds at least one byte at or behind `position`.
  int64_t window_begin = 0;
  MutableBuffer own;
  Buffer shared;
  int64_t kept_alive_bytes = 0;  // by a slice of `shared`: the size of the whole allocation

  int64_t left() const noexcept { return end - position; }
  // kCorruptData for n outside [0, left()].
  void check_inside(int64_t n) const;
  // The next n <= left() bytes, in the window.
  std::span<const uint8_t> ready(int64_t n);
  // Passes over n <= left() bytes.
  void pass(int64_t n) noexcept;
  // ready(n) as shared bytes; n > 0.
  Buffer share(int64_t n);

 private:
  int64_t window_bytes() const noexcept { return own.size() > 0 ? own.size() : shared.size(); }
  const uint8_t* next_byte() const noexcept {
    return (own.size() > 0 ? own.data() : shared.data()) + (position - window_begin);
  }
  void drop_window() noexcept;
  // Reads a window of `size_bytes` that begins at `position`, of which the old window holds the
  // first `carried_bytes`.
  void read_window(int64_t carried_bytes, int64_t size_bytes);
};

}  // namespace colonnade::io
