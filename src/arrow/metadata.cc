#include "arrow/metadata.h"

#include <cstdint>
#include <cstring>
#include <limits>

#include "base/fail.h"

namespace colonnade::arrow {
namespace {

void append_number(std::string& out, size_t number) {
  if (number > static_cast<size_t>(std::numeric_limits<int32_t>::max())) {
    fail(ErrorCode::kInvalidArgument, "metadata of a field is too large", "{} bytes or keys",
         number);
  }
  const auto number32 = static_cast<int32_t>(number);
  out.append(reinterpret_cast<const char*>(&number32), sizeof(number32));
}

int32_t take_number(const char*& position) {
  int32_t number;
  std::memcpy(&number, position, sizeof(number));
  if (number < 0) {
    fail(ErrorCode::kCorruptData, "negative count or length in the metadata of an Arrow schema",
         "{}", number);
  }
  position += sizeof(number);
  return number;
}

std::string take_text(const char*& position) {
  const int32_t length = take_number(position);
  std::string text(position, static_cast<size_t>(length));
  position += length;
  return text;
}

}  // namespace

std::string encode_metadata(const std::vector<KeyValue>& metadata) {
  std::string encoded;
  if (metadata.empty()) return encoded;
  append_number(encoded, metadata.size());
  for (const auto& [key, value] : metadata) {
    append_number(encoded, key.size());
    encoded += key;
    append_number(encoded, value.size());
    encoded += value;
  }
  return encoded;
}

std::vector<KeyValue> decode_metadata(const char* encoded) {
  std::vector<KeyValue> metadata;
  if (encoded == nullptr) return metadata;
  const int32_t count = take_number(encoded);
  for (int32_t i = 0; i < count; ++i) {
    std::string key = take_text(encoded);
    std::string value = take_text(encoded);
    metadata.emplace_back(std::move(key), std::move(value));
  }
  return metadata;
}

}  // namespace colonnade::arrow
