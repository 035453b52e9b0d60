#include "parquet/column/byte_array_source.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/fail.h"

namespace colonnade::parquet {
namespace {

// Of memory from a pool, which may be read beyond its end.
SliceBase base_of(const Buffer& bytes) noexcept {
  if (bytes.empty()) return {};
  return {bytes.data(), bytes.data() + bytes.size() + MutableBuffer::kPaddingBytes};
}

}  // namespace

ByteArraySource::ByteArraySource(const Context& context) : context_(context) {}

void ByteArraySource::set_dictionary(DictionaryPage page) {
  PlainByteArrayDecoder decoder;
  decoder.start(page.bytes.as<uint8_t>(), page.num_entries);
  MutableBuffer entries =
      context_.memory->allocate(page.num_entries * static_cast<int64_t>(sizeof(ByteSlice)));
  decoder.decode(page.num_entries, entries.as<ByteSlice>());
  entries_ = std::move(entries).freeze();
  dictionary_page_ = std::move(page);
  has_dictionary_ = true;
}

void ByteArraySource::start_page(const DataPage& page, ValueEncoding encoding, int64_t num_valid) {
  page_base_ = {page.values.data(), page.values.data() + page.values.size() + page.readable_behind};
  page_buffer_ = {};
  if (!page.memory.empty() && !page.values.empty()) {
    page_buffer_ = page.memory.slice(page.values.data() - page.memory.data(),
                                     static_cast<int64_t>(page.values.size()));
  }
  switch (encoding) {
    case ValueEncoding::kDictionary:
      if (!has_dictionary_ && num_valid > 0) {
        fail(ErrorCode::kCorruptData, "dictionary-encoded page without a dictionary page");
      }
      position_.emplace<DictionaryIdDecoder>().start(page.values, num_valid,
                                                     dictionary_page_.num_entries);
      return;
    case ValueEncoding::kDeltaLengthByteArray:
      position_.emplace<DeltaLengthByteArrayDecoder>().start(page.values, num_valid,
                                                             page.readable_behind);
      return;
    case ValueEncoding::kDeltaByteArray:
      position_.emplace<SharedBeginnings>().decoder.start(page.values, num_valid,
                                                          page.readable_behind);
      apart_ = context_.memory->allocate(std::min(num_valid, RowBlock::kMaxRows) *
                                         static_cast<int64_t>(sizeof(DeltaByteArrayPiece)));
      num_apart_ = 0;
      return;
    case ValueEncoding::kPlain:
    case ValueEncoding::kRleBoolean:
    case ValueEncoding::kByteStreamSplit:
    case ValueEncoding::kDeltaBinaryPacked:
    case ValueEncoding::kAlp:
      break;  // value_encoding() gives no other than PLAIN of these for byte arrays
  }
  position_.emplace<PlainByteArrayDecoder>().start(page.values, num_valid);
}

SliceBase ByteArraySource::dictionary_base() const noexcept {
  return base_of(dictionary_page_.bytes);
}

SliceBase ByteArraySource::base() {
  if (base_changes()) {
    put_together();
    return base_of(together_);
  }
  return dictionary_encoded() ? dictionary_base() : page_base_;
}

const Buffer& ByteArraySource::base_buffer() const noexcept {
  if (base_changes()) return together_;
  return dictionary_encoded() ? dictionary_page_.bytes : page_buffer_;
}

int64_t ByteArraySource::locate(int64_t n, ByteSlice* out) {
  if (dictionary_encoded()) return gather(n, dictionary().data(), out);
  if (auto* const plain = std::get_if<PlainByteArrayDecoder>(&position_)) {
    return plain->decode(n, out);
  }
  if (auto* const delta_length = std::get_if<DeltaLengthByteArrayDecoder>(&position_)) {
    return delta_length->decode(n, out);
  }
  return locate_apart(*std::get_if<SharedBeginnings>(&position_), n, out);
}

void ByteArraySource::skip(int64_t n) {
  if (auto* const shared = std::get_if<SharedBeginnings>(&position_)) {
    put_together();
    shared->last = shared->decoder.skip(context_, n, shared->last);
  } else if (auto* const plain = std::get_if<PlainByteArrayDecoder>(&position_)) {
    plain->skip(n);
  } else if (auto* const delta_length = std::get_if<DeltaLengthByteArrayDecoder>(&position_)) {
    delta_length->skip(n);
  } else {
    id_decoder().skip(n);
  }
}

// The values may be far more bytes than the page: they are put together only once the caller found
// that the column has room for them.
int64_t ByteArraySource::locate_apart(SharedBeginnings& shared, int64_t n, ByteSlice* out) {
  put_together();
  auto* const pieces = apart_.as<DeltaByteArrayPiece>();
  apart_bytes_ = shared.decoder.decode(n, pieces);
  if (apart_bytes_ > std::numeric_limits<int32_t>::max()) {
    fail(ErrorCode::kNotSupported, "values of DELTA_BYTE_ARRAY of more than 2 GiB in one block",
         "{} values, {} bytes", n, apart_bytes_);
  }
  num_apart_ = n;
  uint32_t offset = 0;
  for (int64_t i = 0; i < n; ++i) {
    out[i] = {offset, static_cast<uint32_t>(pieces[i].length())};
    offset += out[i].length;
  }
  return apart_bytes_;
}

void ByteArraySource::put_together() {
  if (num_apart_ == 0) return;
  SharedBeginnings& shared = *std::get_if<SharedBeginnings>(&position_);
  MutableBuffer values = context_.memory->allocate(apart_bytes_);
  const auto* const pieces = apart_.as<DeltaByteArrayPiece>();
  shared.decoder.build(pieces, num_apart_, shared.last.data(), values.data());
  together_ = std::move(values).freeze();
  const int64_t last_bytes = pieces[num_apart_ - 1].length();
  shared.last = together_.slice(apart_bytes_ - last_bytes, last_bytes);
  num_apart_ = 0;
}

}  // namespace colonnade::parquet
