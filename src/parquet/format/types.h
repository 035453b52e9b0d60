// The enumerations of the Parquet format, with the numbers of parquet.thrift.
// Source: https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace colonnade::parquet {

enum class PhysicalType : uint8_t {
  kBoolean = 0,
  kInt32 = 1,
  kInt64 = 2,
  kInt96 = 3,
  kFloat = 4,
  kDouble = 5,
  kByteArray = 6,
  kFixedLenByteArray = 7,
};

enum class Repetition : uint8_t { kRequired = 0, kOptional = 1, kRepeated = 2 };

enum class EncodingId : uint8_t {
  kPlain = 0,
  kPlainDictionary = 2,
  kRle = 3,
  kBitPacked = 4,
  kDeltaBinaryPacked = 5,
  kDeltaLengthByteArray = 6,
  kDeltaByteArray = 7,
  kRleDictionary = 8,
  kByteStreamSplit = 9,
  kAlp = 10,
};

enum class CompressionCodec : uint8_t {
  kUncompressed = 0,
  kSnappy = 1,
  kGzip = 2,
  kLzo = 3,
  kBrotli = 4,
  kLz4 = 5,
  kZstd = 6,
  kLz4Raw = 7,
};

enum class PageType : uint8_t {
  kDataPage = 0,
  kIndexPage = 1,
  kDictionaryPage = 2,
  kDataPageV2 = 3
};

// The enumerators for numbers from a file; nothing for numbers that this version does not know.
std::optional<PhysicalType> physical_type(int32_t number) noexcept;
std::optional<Repetition> repetition(int32_t number) noexcept;
std::optional<EncodingId> encoding_id(int32_t number) noexcept;
std::optional<CompressionCodec> compression_codec(int32_t number) noexcept;
std::optional<PageType> page_type(int32_t number) noexcept;

// Names as the specification spells them; "unknown(17)"-like text is made by whoever has the
// number.
std::string_view name(PhysicalType type) noexcept;
std::string_view name(EncodingId encoding) noexcept;
std::string_view name(CompressionCodec codec) noexcept;

}  // namespace colonnade::parquet
