// The 16-byte view of a string, as Arrow lays it out
// (https://arrow.apache.org/docs/format/Columnar.html#variable-size-binary-view-layout).
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include <colonnade/memory.h>

namespace colonnade {

// Up to kInlineBytes bytes lie in the view itself, zero-padded; longer values are a prefix and the
// place of the whole value in one of the column's view buffers.
struct BinaryView {
  static constexpr int32_t kInlineBytes = 12;

  int32_t length;         // bytes
  uint8_t prefix[4];      // the first bytes; of inline values bytes 0 to 3
  int32_t buffer_index;   // of inline values bytes 4 to 7
  int32_t buffer_offset;  // of inline values bytes 8 to 11

  bool is_inline() const noexcept { return length <= kInlineBytes; }

  // length <= kInlineBytes
  static BinaryView of_inline(const void* data, int32_t length) noexcept {
    BinaryView view{};
    view.length = length;
    if (length > 0)
      std::memcpy(reinterpret_cast<uint8_t*>(&view) + 4, data, static_cast<size_t>(length));
    return view;
  }
  // length > kInlineBytes; `data` are the value's bytes, at `buffer_offset` of buffer
  // `buffer_index`.
  static BinaryView of_reference(const void* data, int32_t length, int32_t buffer_index,
                                 int32_t buffer_offset) noexcept {
    BinaryView view{};
    view.length = length;
    std::memcpy(view.prefix, data, sizeof(view.prefix));
    view.buffer_index = buffer_index;
    view.buffer_offset = buffer_offset;
    return view;
  }

  // The bytes; valid as long as this view and the buffers are. The view must refer into `buffers`.
  std::string_view bytes(const std::vector<Buffer>& buffers) const noexcept {
    const uint8_t* data = is_inline()
                              ? reinterpret_cast<const uint8_t*>(this) + 4
                              : buffers[static_cast<size_t>(buffer_index)].data() + buffer_offset;
    return {reinterpret_cast<const char*>(data), static_cast<size_t>(length)};
  }
};
static_assert(sizeof(BinaryView) == 16);

}  // namespace colonnade
