// The registry of value encodings: which decoder reads what a page header names.
#pragma once

#include <cstdint>

#include "parquet/format/types.h"

namespace colonnade::parquet {

enum class ValueEncoding : uint8_t {
  kPlain,                 // PlainFixedDecoder, PlainBooleanDecoder, PlainByteArrayDecoder
  kDictionary,            // DictionaryIdDecoder
  kRleBoolean,            // RleBitsDecoder behind 4 bytes of length
  kByteStreamSplit,       // ByteStreamSplitDecoder
  kDeltaBinaryPacked,     // DeltaBinaryPackedDecoder
  kDeltaLengthByteArray,  // DeltaLengthByteArrayDecoder
  kDeltaByteArray,        // DeltaByteArrayDecoder
  kAlp,                   // AlpDecoder
};

// kNotSupported for an encoding that this version does not read, or not for this physical type.
ValueEncoding value_encoding(EncodingId encoding, PhysicalType type);

}  // namespace colonnade::parquet
