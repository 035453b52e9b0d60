#include "parquet/column/byte_array_source.h"

#include <limits>
#include <utility>

#include "base/fail.h"

namespace colonnade::parquet {

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
  encoding_ = encoding;
  decoders_ = {};
  page_base_ = {page.values.data(), page.values.data() + page.values.size() + page.readable_behind};
  page_buffer_ = {};
  if (!page.memory.empty() && !page.values.empty()) {
    page_buffer_ = page.memory.slice(page.values.data() - page.memory.data(),
                                     static_cast<int64_t>(page.values.size()));
  }
  if (encoding == ValueEncoding::kDictionary) {
    if (!has_dictionary_ && num_valid > 0) {
      fail(ErrorCode::kCorruptData, "dictionary-encoded page without a dictionary page");
    }
    decoders_.ids.start(page.values, num_valid, dictionary_page_.num_entries);
  } else if (encoding == ValueEncoding::kDeltaLengthByteArray) {
    decoders_.delta_length.start(page.values, num_valid, page.readable_behind);
  } else if (encoding == ValueEncoding::kDeltaByteArray) {
    decoders_.delta.start(page.values, num_valid, page.readable_behind);
  } else {
    decoders_.plain.start(page.values, num_valid);
  }
}

namespace {

// Of memory from a pool, which may be read beyond its end.
SliceBase base_of(const Buffer& bytes) noexcept {
  if (bytes.empty()) return {};
  return {bytes.data(), bytes.data() + bytes.size() + MutableBuffer::kPaddingBytes};
}

}  // namespace

SliceBase ByteArraySource::dictionary_base() const noexcept {
  return base_of(dictionary_page_.bytes);
}

SliceBase ByteArraySource::base() const noexcept {
  if (base_changes()) return base_of(together_);
  return dictionary_encoded() ? dictionary_base() : page_base_;
}

const Buffer& ByteArraySource::base_buffer() const noexcept {
  if (base_changes()) return together_;
  return dictionary_encoded() ? dictionary_page_.bytes : page_buffer_;
}

int64_t ByteArraySource::locate(int64_t n, ByteSlice* out) {
  switch (encoding_) {
    case ValueEncoding::kDictionary:
      return gather(n, dictionary().data(), out);
    case ValueEncoding::kDeltaLengthByteArray:
      return decoders_.delta_length.decode(n, out);
    case ValueEncoding::kDeltaByteArray:
      return put_together(n, out);
    default:
      return decoders_.plain.decode(n, out);
  }
}

int64_t ByteArraySource::put_together(int64_t n, ByteSlice* out) {
  DeltaByteArrayPiece pieces[RowBlock::kMaxRows];
  const int64_t total = decoders_.delta.decode(n, pieces);
  if (total > std::numeric_limits<uint32_t>::max()) {
    fail(ErrorCode::kNotSupported, "values that share beginnings, of more than 4 GiB together",
         "{} values of {} bytes", n, total);
  }
  MutableBuffer values = context_.memory->allocate(total);
  decoders_.delta.build(pieces, n, decoders_.last.data(), values.data());
  together_ = std::move(values).freeze();
  uint32_t offset = 0;
  for (int64_t i = 0; i < n; ++i) {
    out[i] = {offset, static_cast<uint32_t>(pieces[i].length())};
    offset += out[i].length;
  }
  if (n > 0) decoders_.last = together_.slice(out[n - 1].offset, out[n - 1].length);
  return total;
}

}  // namespace colonnade::parquet
