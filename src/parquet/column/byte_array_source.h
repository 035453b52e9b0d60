// Byte arrays of a column chunk, from its dictionary or its pages, as places in memory.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <variant>

#include <colonnade/context.h>
#include <colonnade/memory.h>

#include "parquet/column/value_reader.h"
#include "parquet/encoding/delta_byte_array.h"
#include "parquet/encoding/delta_length_byte_array.h"
#include "parquet/encoding/dictionary_ids.h"
#include "parquet/encoding/plain_byte_array.h"
#include "parquet/encoding/value_encoding.h"
#include "parquet/page/page_reader.h"

namespace colonnade::parquet {

// The bytes that slices refer to.
struct SliceBase {
  const uint8_t* bytes = nullptr;
  const uint8_t* readable_end = nullptr;  // the slices end here or before; wide loads may go so far
};

// Decodes the dictionary page once and the values of one data page at a time. n in its functions is
// at most RowBlock::kMaxRows and at most the values left in the page.
class ByteArraySource {
 public:
  explicit ByteArraySource(const Context& context);

  void set_dictionary(DictionaryPage page);
  void start_page(const DataPage& page, ValueEncoding encoding, int64_t num_valid);

  bool has_dictionary() const noexcept { return has_dictionary_; }
  std::span<const ByteSlice> dictionary() const noexcept { return entries_.as<ByteSlice>(); }
  // What dictionary() refers to.
  SliceBase dictionary_base() const noexcept;

  // Of the current page.
  bool dictionary_encoded() const noexcept {
    return std::holds_alternative<DictionaryIdDecoder>(position_);
  }
  // What locate() refers to: the dictionary, the page, or the values of DELTA_BYTE_ARRAY, which are
  // put together when this is called and stay until the next locate(), or for as long as
  // base_buffer() is shared.
  SliceBase base();
  bool base_changes() const noexcept { return std::holds_alternative<SharedBeginnings>(position_); }
  // The same as shared bytes, after base() was called. Data pages must be shared.
  const Buffer& base_buffer() const noexcept;

  // Where the next n values lie; returns the sum of their lengths.
  int64_t locate(int64_t n, ByteSlice* out);
  // The same for a dictionary-encoded page and what the caller made of dictionary(): entries[id] of
  // the next n values. Each has its `length`.
  template <typename Entry>
  int64_t gather(int64_t n, const Entry* entries, Entry* out);
  // The ids of the next n values of a dictionary-encoded page.
  void decode_ids(int64_t n, uint32_t* out) { id_decoder().decode(n, out); }

  // Passes over n values, however many.
  void skip(int64_t n);

  // To go back to where the page was read before: its decoder.
  struct SharedBeginnings {
    DeltaByteArrayDecoder decoder;
    Buffer last;  // the value before
  };
  using Position = std::variant<PlainByteArrayDecoder, DictionaryIdDecoder,
                                DeltaLengthByteArrayDecoder, SharedBeginnings>;
  const Position& position() const noexcept { return position_; }
  void restore(const Position& position) {
    position_ = position;
    num_apart_ = 0;
  }

 private:
  DictionaryIdDecoder& id_decoder() noexcept {
    return *std::get_if<DictionaryIdDecoder>(&position_);
  }
  int64_t locate_apart(SharedBeginnings& shared, int64_t n, ByteSlice* out);
  void put_together();

  Context context_;
  DictionaryPage dictionary_page_;
  Buffer entries_;  // ByteSlice for each entry
  bool has_dictionary_ = false;

  Position position_;
  SliceBase page_base_;
  Buffer page_buffer_;
  // Values of DELTA_BYTE_ARRAY that were located, and are not yet put together.
  MutableBuffer apart_;  // DeltaByteArrayPiece for each
  int64_t num_apart_ = 0;
  int64_t apart_bytes_ = 0;  // that they come to
  Buffer together_;
};

template <typename Entry>
int64_t ByteArraySource::gather(int64_t n, const Entry* entries, Entry* out) {
  int64_t total = 0;
  uint32_t id;
  while (n > 0) {
    const int64_t repeated = id_decoder().take_repeated(n, &id);
    if (repeated == 0) break;
    std::fill_n(out, repeated, entries[id]);
    total += repeated * entries[id].length;
    out += repeated;
    n -= repeated;
  }
  uint32_t ids[RowBlock::kMaxRows];
  if (n > 0) id_decoder().decode(n, ids);
  for (int64_t i = 0; i < n; ++i) {
    out[i] = entries[ids[i]];
    total += out[i].length;
  }
  return total;
}

}  // namespace colonnade::parquet
