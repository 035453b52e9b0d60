#include "parquet/column/byte_array_source.h"

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
  } else {
    decoders_.plain.start(page.values, num_valid);
  }
}

SliceBase ByteArraySource::dictionary_base() const noexcept {
  const Buffer& bytes = dictionary_page_.bytes;
  if (bytes.empty()) return {};
  return {bytes.data(), bytes.data() + bytes.size() + MutableBuffer::kPaddingBytes};
}

SliceBase ByteArraySource::base() const noexcept {
  return dictionary_encoded() ? dictionary_base() : page_base_;
}

const Buffer& ByteArraySource::base_buffer() const noexcept {
  return dictionary_encoded() ? dictionary_page_.bytes : page_buffer_;
}

int64_t ByteArraySource::locate(int64_t n, ByteSlice* out) {
  if (dictionary_encoded()) return gather(n, dictionary().data(), out);
  return encoding_ == ValueEncoding::kDeltaLengthByteArray ? decoders_.delta_length.decode(n, out)
                                                           : decoders_.plain.decode(n, out);
}

}  // namespace colonnade::parquet
