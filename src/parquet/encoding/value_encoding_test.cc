#include "parquet/encoding/value_encoding.h"

#include <string>

#include <gtest/gtest.h>

#include <colonnade/error.h>

namespace colonnade::parquet {
namespace {

TEST(ValueEncodings, NamesTheDecoder) {
  EXPECT_EQ(value_encoding(EncodingId::kPlain, PhysicalType::kInt32), ValueEncoding::kPlain);
  EXPECT_EQ(value_encoding(EncodingId::kPlainDictionary, PhysicalType::kByteArray),
            ValueEncoding::kDictionary);
  EXPECT_EQ(value_encoding(EncodingId::kRleDictionary, PhysicalType::kDouble),
            ValueEncoding::kDictionary);
  EXPECT_EQ(value_encoding(EncodingId::kRle, PhysicalType::kBoolean), ValueEncoding::kRleBoolean);
  for (const PhysicalType type : {PhysicalType::kInt32, PhysicalType::kInt64}) {
    EXPECT_EQ(value_encoding(EncodingId::kDeltaBinaryPacked, type),
              ValueEncoding::kDeltaBinaryPacked);
  }
  EXPECT_EQ(value_encoding(EncodingId::kDeltaLengthByteArray, PhysicalType::kByteArray),
            ValueEncoding::kDeltaLengthByteArray);
  for (const PhysicalType type : {PhysicalType::kByteArray, PhysicalType::kFixedLenByteArray}) {
    EXPECT_EQ(value_encoding(EncodingId::kDeltaByteArray, type), ValueEncoding::kDeltaByteArray);
  }
  for (const PhysicalType type : {PhysicalType::kInt32, PhysicalType::kInt64, PhysicalType::kFloat,
                                  PhysicalType::kDouble, PhysicalType::kFixedLenByteArray}) {
    EXPECT_EQ(value_encoding(EncodingId::kByteStreamSplit, type), ValueEncoding::kByteStreamSplit);
  }
}

TEST(ValueEncodings, RefusesTheOthersByName) {
  const auto refusal = [](EncodingId encoding, PhysicalType type) -> std::string {
    try {
      value_encoding(encoding, type);
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ErrorCode::kNotSupported);
      return error.what();
    }
    return "not refused";
  };
  EXPECT_EQ(refusal(EncodingId::kDeltaBinaryPacked, PhysicalType::kDouble),
            "encoding DELTA_BINARY_PACKED of DOUBLE values is not read yet");
  EXPECT_EQ(refusal(EncodingId::kDeltaLengthByteArray, PhysicalType::kFixedLenByteArray),
            "encoding DELTA_LENGTH_BYTE_ARRAY of FIXED_LEN_BYTE_ARRAY values is not read yet");
  EXPECT_EQ(refusal(EncodingId::kRle, PhysicalType::kInt64),
            "encoding RLE of INT64 values is not read yet");
  EXPECT_EQ(refusal(EncodingId::kRleDictionary, PhysicalType::kBoolean),
            "encoding RLE_DICTIONARY of BOOLEAN values is not read yet");
  for (const EncodingId encoding : {EncodingId::kBitPacked, EncodingId::kDeltaBinaryPacked,
                                    EncodingId::kByteStreamSplit, EncodingId::kAlp}) {
    EXPECT_NE(refusal(encoding, PhysicalType::kByteArray), "not refused");
  }
}

}  // namespace
}  // namespace colonnade::parquet
