// Byte arrays of a column chunk, from its dictionary or its PLAIN pages, as places in memory.
#pragma once

#include <cstdint>
#include <span>

#include <colonnade/context.h>
#include <colonnade/memory.h>

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
  bool dictionary_encoded() const noexcept { return encoding_ == ValueEncoding::kDictionary; }
  // What locate() refers to: the dictionary, or the page.
  SliceBase base() const noexcept;
  // The same as shared bytes. Data pages must be shared.
  const Buffer& base_buffer() const noexcept;

  // Where the next n values lie; returns the sum of their lengths.
  int64_t locate(int64_t n, ByteSlice* out);
  // The ids of the next n values of a dictionary-encoded page.
  void decode_ids(int64_t n, uint32_t* out) { decoders_.ids.decode(n, out); }

  // To go back to where the page was read before.
  struct Position {
    PlainByteArrayDecoder plain;
    DictionaryIdDecoder ids;
  };
  const Position& position() const noexcept { return decoders_; }
  void restore(const Position& position) noexcept { decoders_ = position; }

 private:
  int64_t locate_in_dictionary(int64_t n, ByteSlice* out);

  Context context_;
  DictionaryPage dictionary_page_;
  Buffer entries_;  // ByteSlice for each entry
  bool has_dictionary_ = false;

  ValueEncoding encoding_ = ValueEncoding::kPlain;
  SliceBase page_base_;
  Buffer page_buffer_;
  Position decoders_;
};

}  // namespace colonnade::parquet
