#include "parquet/format/types.h"

namespace colonnade::parquet {

namespace {

// For enumerations without gaps that begin at 0.
template <typename Enum>
std::optional<Enum> up_to(Enum last, int32_t number) noexcept {
  if (number < 0 || number > static_cast<int32_t>(last)) return std::nullopt;
  return static_cast<Enum>(number);
}

}  // namespace

std::optional<PhysicalType> physical_type(int32_t number) noexcept {
  return up_to(PhysicalType::kFixedLenByteArray, number);
}

std::optional<Repetition> repetition(int32_t number) noexcept {
  return up_to(Repetition::kRepeated, number);
}

std::optional<EncodingId> encoding_id(int32_t number) noexcept {
  if (number == 1) return std::nullopt;  // GROUP_VAR_INT, never written
  return up_to(EncodingId::kAlp, number);
}

std::optional<CompressionCodec> compression_codec(int32_t number) noexcept {
  return up_to(CompressionCodec::kLz4Raw, number);
}

std::optional<PageType> page_type(int32_t number) noexcept {
  return up_to(PageType::kDataPageV2, number);
}

std::string_view name(PhysicalType type) noexcept {
  switch (type) {
    case PhysicalType::kBoolean:
      return "BOOLEAN";
    case PhysicalType::kInt32:
      return "INT32";
    case PhysicalType::kInt64:
      return "INT64";
    case PhysicalType::kInt96:
      return "INT96";
    case PhysicalType::kFloat:
      return "FLOAT";
    case PhysicalType::kDouble:
      return "DOUBLE";
    case PhysicalType::kByteArray:
      return "BYTE_ARRAY";
    case PhysicalType::kFixedLenByteArray:
      return "FIXED_LEN_BYTE_ARRAY";
  }
  return "unknown";
}

std::string_view name(EncodingId encoding) noexcept {
  switch (encoding) {
    case EncodingId::kPlain:
      return "PLAIN";
    case EncodingId::kPlainDictionary:
      return "PLAIN_DICTIONARY";
    case EncodingId::kRle:
      return "RLE";
    case EncodingId::kBitPacked:
      return "BIT_PACKED";
    case EncodingId::kDeltaBinaryPacked:
      return "DELTA_BINARY_PACKED";
    case EncodingId::kDeltaLengthByteArray:
      return "DELTA_LENGTH_BYTE_ARRAY";
    case EncodingId::kDeltaByteArray:
      return "DELTA_BYTE_ARRAY";
    case EncodingId::kRleDictionary:
      return "RLE_DICTIONARY";
    case EncodingId::kByteStreamSplit:
      return "BYTE_STREAM_SPLIT";
    case EncodingId::kAlp:
      return "ALP";
  }
  return "unknown";
}

std::string_view name(CompressionCodec codec) noexcept {
  switch (codec) {
    case CompressionCodec::kUncompressed:
      return "UNCOMPRESSED";
    case CompressionCodec::kSnappy:
      return "SNAPPY";
    case CompressionCodec::kGzip:
      return "GZIP";
    case CompressionCodec::kLzo:
      return "LZO";
    case CompressionCodec::kBrotli:
      return "BROTLI";
    case CompressionCodec::kLz4:
      return "LZ4";
    case CompressionCodec::kZstd:
      return "ZSTD";
    case CompressionCodec::kLz4Raw:
      return "LZ4_RAW";
  }
  return "unknown";
}

}  // namespace colonnade::parquet
