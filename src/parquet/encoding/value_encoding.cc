#include "parquet/encoding/value_encoding.h"

#include "base/fail.h"

namespace colonnade::parquet {
namespace {

[[noreturn]] void fail_encoding(EncodingId encoding, PhysicalType type) {
  throw Error(ErrorCode::kNotSupported,
              fmt::format("encoding {} of {} values is not read yet", name(encoding), name(type)));
}

}  // namespace

ValueEncoding value_encoding(EncodingId encoding, PhysicalType type) {
  const bool is_boolean = type == PhysicalType::kBoolean;
  switch (encoding) {
    case EncodingId::kPlain:
      return ValueEncoding::kPlain;
    case EncodingId::kPlainDictionary:
    case EncodingId::kRleDictionary:
      if (is_boolean) fail_encoding(encoding, type);
      return ValueEncoding::kDictionary;
    case EncodingId::kRle:
      if (!is_boolean) fail_encoding(encoding, type);
      return ValueEncoding::kRleBoolean;
    case EncodingId::kByteStreamSplit:
      if (is_boolean || type == PhysicalType::kByteArray || type == PhysicalType::kInt96) {
        fail_encoding(encoding, type);
      }
      return ValueEncoding::kByteStreamSplit;
    case EncodingId::kDeltaBinaryPacked:
      if (type != PhysicalType::kInt32 && type != PhysicalType::kInt64) {
        fail_encoding(encoding, type);
      }
      return ValueEncoding::kDeltaBinaryPacked;
    case EncodingId::kDeltaLengthByteArray:
      if (type != PhysicalType::kByteArray) fail_encoding(encoding, type);
      return ValueEncoding::kDeltaLengthByteArray;
    case EncodingId::kDeltaByteArray:
      if (type != PhysicalType::kByteArray && type != PhysicalType::kFixedLenByteArray) {
        fail_encoding(encoding, type);
      }
      return ValueEncoding::kDeltaByteArray;
    case EncodingId::kAlp:
      if (type != PhysicalType::kFloat && type != PhysicalType::kDouble) {
        fail_encoding(encoding, type);
      }
      return ValueEncoding::kAlp;
    case EncodingId::kBitPacked:
      fail_encoding(encoding, type);
  }
  fail(ErrorCode::kCorruptData, "unknown encoding", "encoding {}", static_cast<int>(encoding));
}

}  // namespace colonnade::parquet
