#include "io/sequential_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <colonnade/error.h>

namespace colonnade::io {
namespace {

// Bytes to be shared are copied when a slice would keep more than so many times their size alive.
constexpr int64_t kMaxKeptAlive = 8;

}  // namespace

void SequentialReader::Impl::check_inside(int64_t n) const {
  if (n >= 0 && n <= left()) [[likely]]
    return;
  throw Error(ErrorCode::kCorruptData, "bytes wanted past the end of their range",
              fmt::format("{} bytes at {}, {} left", n, position, left()))
      .locate({.file = source->file->name()});
}

std::span<const uint8_t> SequentialReader::Impl::ready(int64_t n) {
  const int64_t held_bytes = window_bytes() == 0 ? 0 : window_begin + window_bytes() - position;
  if (n > held_bytes) {
    const int64_t window = source->options.window_bytes;
    // At least as many bytes are read as are carried over, so that any sequence of small steps with
    // large looks ahead copies no more than it reads. A span above the window has its exact size.
    const int64_t size_bytes = n > window ? n : std::min(left(), std::max(window, 2 * held_bytes));
    read_window(held_bytes, size_bytes);
  }
  return {n == 0 ? nullptr : next_byte(), static_cast<size_t>(n)};
}

void SequentialReader::Impl::read_window(int64_t carried_bytes, int64_t size_bytes) {
  const int64_t from = position + carried_bytes;
  const int64_t length = size_bytes - carried_bytes;
  if (carried_bytes > 0 && own.size() > 0 && size_bytes <= own.capacity()) {
    // The memory is still in the cache: keep it.
    std::memmove(own.data(), next_byte(), static_cast<size_t>(carried_bytes));
    window_begin = position;
    own.resize(size_bytes);
    try {
      source->read(from, length, own.data() + carried_bytes);
    } catch (...) {
      own.resize(carried_bytes);
      throw;
    }
  } else {
    MutableBuffer window = source->context.memory->allocate(size_bytes);
    if (carried_bytes > 0) {
      std::memcpy(window.data(), next_byte(), static_cast<size_t>(carried_bytes));
    }
    source->read(from, length, window.data() + carried_bytes);
    drop_window();
    own = std::move(window);
    window_begin = position;
  }
  const int64_t window_end = position + size_bytes;
  if (window_end < end) {
    source->file->will_need(window_end, std::min(source->options.window_bytes, end - window_end));
  }
}

void SequentialReader::Impl::pass(int64_t n) noexcept {
  position += n;
  if (position >= window_begin + window_bytes()) drop_window();
}

Buffer SequentialReader::Impl::share(int64_t n) {
  const std::span<const uint8_t> bytes = ready(n);
  const int64_t kept_alive = own.size() > 0 ? own.size() : kept_alive_bytes;
  if (kept_alive / kMaxKeptAlive > n) {
    MutableBuffer copy = source->context.memory->allocate(n);
    std::memcpy(copy.data(), bytes.data(), bytes.size());
    return std::move(copy).freeze();
  }
  if (own.size() > 0) {
    kept_alive_bytes = own.size();
    shared = std::move(own).freeze();
    own = MutableBuffer();
  }
  return shared.slice(position - window_begin, n);
}

void SequentialReader::Impl::drop_window() noexcept {
  own = MutableBuffer();
  shared = Buffer();
}

SequentialReader::SequentialReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
SequentialReader::SequentialReader(SequentialReader&&) noexcept = default;
SequentialReader& SequentialReader::operator=(SequentialReader&&) noexcept = default;
SequentialReader::~SequentialReader() = default;

int64_t SequentialReader::left() const noexcept { return impl_->left(); }
int64_t SequentialReader::position() const noexcept { return impl_->position; }

std::span<const uint8_t> SequentialReader::peek(int64_t n) {
  if (n < 0) impl_->check_inside(n);
  return impl_->ready(std::min(n, impl_->left()));
}

void SequentialReader::skip(int64_t n) {
  impl_->check_inside(n);
  impl_->pass(n);
}

Buffer SequentialReader::take(int64_t n) {
  impl_->check_inside(n);
  if (n == 0) return {};
  Buffer bytes = impl_->share(n);
  impl_->pass(n);
  return bytes;
}

}  // namespace colonnade::io
