#include "parquet/column/testing/random_chunk.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <span>
#include <stdexcept>
#include <utility>

#include "column/decimal.h"

namespace colonnade::parquet::testing {
namespace {

using colonnade::testing::FloatBits;
using colonnade::testing::Value;
using Written = ValueKind::Written;
using Kind = LogicalType::Kind;

// Numbers of all sizes: a random number of low bits, sometimes an extreme.
uint64_t random_bits(std::mt19937_64& random, int bits) {
  const uint64_t mask = bits == 64 ? ~uint64_t{0} : (uint64_t{1} << bits) - 1;
  switch (random() % 8) {
    case 0:
      return mask;
    case 1:
      return uint64_t{1} << (bits - 1);
    case 2:
      return 0;
    default:
      return (random() >> (random() % 64)) & mask;
  }
}

int64_t sign_extended(uint64_t value, int bits) {
  return static_cast<int64_t>(value << (64 - bits)) >> (64 - bits);
}

template <typename T>
Bytes little_endian(T value) {
  return plain(std::vector<T>{value});
}

// Values of `bits` bits in an INT32 or INT64.
template <int kBits>
Written make_signed(std::mt19937_64& random, const ValueKind& kind) {
  const int64_t value = sign_extended(random_bits(random, kBits), kBits);
  if (kind.type == PhysicalType::kInt32) {
    return {little_endian(static_cast<int32_t>(value)), {value}};
  }
  return {little_endian(value), {value}};
}
template <int kBits>
Written make_unsigned(std::mt19937_64& random, const ValueKind& kind) {
  const uint64_t value = random_bits(random, kBits);
  if (kind.type == PhysicalType::kInt32) {
    return {little_endian(static_cast<uint32_t>(value)), {value}};
  }
  return {little_endian(value), {value}};
}

Written make_boolean(std::mt19937_64& random, const ValueKind&) {
  const bool value = random() % 2 == 0;
  return {Bytes{static_cast<uint8_t>(value)}, {value}};
}

template <int kBytes>
Written make_float(std::mt19937_64& random, const ValueKind&) {
  const uint64_t bits = random_bits(random, 8 * kBytes);
  Bytes bytes(kBytes);
  std::memcpy(bytes.data(), &bits, kBytes);
  return {bytes, {FloatBits{bits, kBytes}}};
}

std::string random_text(std::mt19937_64& random) {
  static constexpr size_t kMostBytes[] = {0, 1, 4, 12, 13, 16, 17, 32, 33, 64, 300};
  std::string text(random() % (kMostBytes[random() % std::size(kMostBytes)] + 1), '\0');
  for (char& c : text) c = static_cast<char>(random());
  return text;
}

Written make_bytes(std::mt19937_64& random, const ValueKind&) {
  const std::string text = random_text(random);
  return {plain_byte_array({text}), {text}};
}

Written make_fixed_bytes(std::mt19937_64& random, const ValueKind& kind) {
  std::string text(static_cast<size_t>(kind.type_length), '\0');
  for (char& c : text) c = static_cast<char>(random());
  return {bytes_of(text), {text}};
}

// Any unscaled value of the kind's precision, as a random number of digits.
Decimal256 random_decimal(std::mt19937_64& random, int32_t precision) {
  Decimal256 value;
  for (int32_t digits = static_cast<int32_t>(random() % static_cast<uint64_t>(precision + 1));
       digits > 0; --digits) {
    value = value.multiply_add(10, random() % 10);
  }
  return random() % 2 == 0 ? value : value.negated();
}

// The last `num_bytes` bytes, most significant first.
Bytes big_endian(const Decimal256& value, int64_t num_bytes) {
  uint8_t little[32];
  value.store(little, 32);
  const uint8_t sign = value.is_negative() ? 0xFF : 0;
  Bytes bytes;
  for (int64_t i = num_bytes; i-- > 0;) bytes.push_back(i < 32 ? little[i] : sign);
  return bytes;
}

Written make_decimal(std::mt19937_64& random, const ValueKind& kind) {
  const Decimal256 value = random_decimal(random, kind.logical_type.precision);
  uint8_t little[32];
  value.store(little, 32);
  switch (kind.type) {
    case PhysicalType::kInt32:
      return {Bytes(little, little + 4), {value}};
    case PhysicalType::kInt64:
      return {Bytes(little, little + 8), {value}};
    case PhysicalType::kFixedLenByteArray:
      return {big_endian(value, kind.type_length), {value}};
    case PhysicalType::kByteArray: {
      // The fewest bytes that hold it, or some more.
      int64_t num_bytes = 1;
      const auto fits = [&] {
        const Bytes bytes = big_endian(value, 33);
        const Bytes kept = big_endian(value, num_bytes);
        const uint8_t sign = value.is_negative() ? 0xFF : 0;
        return ((kept[0] ^ sign) & 0x80) == 0 &&
               std::all_of(bytes.begin(), bytes.end() - num_bytes,
                           [&](uint8_t byte) { return byte == sign; });
      };
      while (!fits()) ++num_bytes;
      num_bytes += static_cast<int64_t>(random() % 3 == 0 ? random() % 40 : 0);
      const Bytes bytes = big_endian(value, num_bytes);
      return {plain_byte_array({{reinterpret_cast<const char*>(bytes.data()), bytes.size()}}),
              {value}};
    }
    default:
      throw std::logic_error("no decimals in this physical type");
  }
}

LogicalType logical(Kind kind) { return {.kind = kind}; }
LogicalType integer(int32_t bits, bool is_signed) {
  LogicalType type = logical(Kind::kInteger);
  type.bit_width = bits;
  type.is_signed = is_signed;
  return type;
}
LogicalType decimal(int32_t precision) {
  return {.kind = Kind::kDecimal, .precision = precision, .scale = precision / 2};
}
LogicalType timed(Kind kind, TimeUnit unit) { return {.kind = kind, .unit = unit}; }

std::vector<ValueKind> make_kinds() {
  using enum PhysicalType;
  std::vector<ValueKind> kinds = {
      {"boolean", kBoolean, 0, {}, make_boolean},
      {"int8", kInt32, 0, integer(8, true), make_signed<8>},
      {"int16", kInt32, 0, integer(16, true), make_signed<16>},
      {"int32", kInt32, 0, {}, make_signed<32>},
      {"int64", kInt64, 0, {}, make_signed<64>},
      {"uint8", kInt32, 0, integer(8, false), make_unsigned<8>},
      {"uint16", kInt32, 0, integer(16, false), make_unsigned<16>},
      {"uint32", kInt32, 0, integer(32, false), make_unsigned<32>},
      {"uint64", kInt64, 0, integer(64, false), make_unsigned<64>},
      {"float16", kFixedLenByteArray, 2, logical(Kind::kFloat16), make_float<2>},
      {"float", kFloat, 0, {}, make_float<4>},
      {"double", kDouble, 0, {}, make_float<8>},
      {"date", kInt32, 0, logical(Kind::kDate), make_signed<32>},
      {"time_ms", kInt32, 0, timed(Kind::kTime, TimeUnit::kMilli), make_signed<32>},
      {"time_us", kInt64, 0, timed(Kind::kTime, TimeUnit::kMicro), make_signed<64>},
      {"time_ns", kInt64, 0, timed(Kind::kTime, TimeUnit::kNano), make_signed<64>},
      {"timestamp_ms", kInt64, 0, timed(Kind::kTimestamp, TimeUnit::kMilli), make_signed<64>},
      {"timestamp_us", kInt64, 0, timed(Kind::kTimestamp, TimeUnit::kMicro), make_signed<64>},
      {"timestamp_ns", kInt64, 0, timed(Kind::kTimestamp, TimeUnit::kNano), make_signed<64>},
      {"string", kByteArray, 0, logical(Kind::kString), make_bytes},
      {"binary", kByteArray, 0, {}, make_bytes},
      {"decimal_int32", kInt32, 0, decimal(9), make_decimal},
      {"decimal_int64", kInt64, 0, decimal(18), make_decimal},
      {"decimal32_in_int64", kInt64, 0, decimal(7), make_decimal},
      {"decimal32_in_bytes", kByteArray, 0, decimal(9), make_decimal},
      {"decimal64_in_bytes", kByteArray, 0, decimal(18), make_decimal},
      {"decimal128_in_bytes", kByteArray, 0, decimal(38), make_decimal},
      {"decimal256_in_bytes", kByteArray, 0, decimal(76), make_decimal},
  };
  for (const int32_t width : {1, 3, 5, 7, 12, 16, 33}) {
    kinds.push_back(
        {"fixed" + std::to_string(width), kFixedLenByteArray, width, {}, make_fixed_bytes});
  }
  // The largest precision that fits the bytes, and the same value in more bytes than it needs.
  constexpr std::pair<int32_t, int32_t> kFixedDecimals[] = {
      {1, 2},   {2, 4},   {3, 6},   {4, 9},   {5, 9},   {7, 9},   {5, 11},  {6, 14},  {7, 16},
      {8, 18},  {9, 18},  {16, 18}, {17, 18}, {8, 9},   {12, 9},  {20, 9},  {9, 21},  {13, 30},
      {15, 35}, {16, 38}, {17, 38}, {20, 38}, {17, 40}, {25, 59}, {32, 76}, {33, 76}, {40, 76}};
  for (const auto& [width, precision] : kFixedDecimals) {
    kinds.push_back({"decimal" + std::to_string(precision) + "_fixed" + std::to_string(width),
                     kFixedLenByteArray, width, decimal(precision), make_decimal});
  }
  return kinds;
}

Bytes plain_values(const ValueKind& kind, const std::vector<Written>& pool,
                   std::span<const uint32_t> ids) {
  if (kind.type == PhysicalType::kBoolean) {
    std::vector<bool> values;
    for (const uint32_t id : ids) values.push_back(pool[id].plain[0] != 0);
    return plain_boolean(values);
  }
  Bytes bytes;
  for (const uint32_t id : ids) {
    bytes.insert(bytes.end(), pool[id].plain.begin(), pool[id].plain.end());
  }
  return bytes;
}

// Turns PLAIN values into another encoding that the type has.
void encode_otherwise(std::mt19937_64& random, const ValueKind& kind, Bytes* values,
                      EncodingId* encoding) {
  const PhysicalType type = kind.type;
  if (type == PhysicalType::kBoolean) return;
  const bool is_fixed = type == PhysicalType::kFixedLenByteArray;
  if (type == PhysicalType::kByteArray || (is_fixed && random() % 2 == 0)) {
    std::vector<std::string_view> texts;
    auto length = static_cast<uint32_t>(kind.type_length);
    for (size_t i = 0; i < values->size(); i += length) {
      if (!is_fixed) {
        std::memcpy(&length, values->data() + i, sizeof(length));
        i += sizeof(length);
      }
      texts.emplace_back(reinterpret_cast<const char*>(values->data()) + i, length);
    }
    const bool shares = is_fixed || random() % 2 == 0;
    *encoding = shares ? EncodingId::kDeltaByteArray : EncodingId::kDeltaLengthByteArray;
    *values = shares ? delta_byte_array(texts) : delta_length_byte_array(texts);
    return;
  }
  const bool is_narrow = type == PhysicalType::kInt32 || type == PhysicalType::kFloat;
  const int32_t width = is_fixed ? kind.type_length : is_narrow ? 4 : 8;
  const bool is_integer = type == PhysicalType::kInt32 || type == PhysicalType::kInt64;
  if (is_integer && random() % 2 == 0) {
    std::vector<int64_t> numbers;
    for (size_t i = 0; i < values->size(); i += static_cast<size_t>(width)) {
      uint64_t number = 0;
      std::memcpy(&number, values->data() + i, static_cast<size_t>(width));
      numbers.push_back(sign_extended(number, 8 * width));
    }
    *values = delta_binary_packed(numbers, 8 * width);
    *encoding = EncodingId::kDeltaBinaryPacked;
    return;
  }
  if ((type == PhysicalType::kFloat || type == PhysicalType::kDouble) && random() % 2 == 0) {
    const auto exponent = static_cast<int>(random() % 11);
    const auto factor = static_cast<int>(random() % static_cast<uint64_t>(exponent + 1));
    const auto log_vector_values = static_cast<int>(3 + random() % 13);
    const auto numbers = [&]<typename T>(std::vector<T> plain) {
      std::memcpy(plain.data(), values->data(), values->size());
      return alp(plain, exponent, factor, log_vector_values, random() % 2 == 0);
    };
    const size_t num_values = values->size() / static_cast<size_t>(width);
    if (num_values == 0) return;
    *values = is_narrow ? numbers(std::vector<float>(num_values))
                        : numbers(std::vector<double>(num_values));
    *encoding = EncodingId::kAlp;
    return;
  }
  *values = byte_stream_split(*values, width);
  *encoding = EncodingId::kByteStreamSplit;
}

}  // namespace

const std::vector<ValueKind>& value_kinds() {
  static const std::vector<ValueKind> kinds = make_kinds();
  return kinds;
}

const ValueKind& value_kind(const std::string& name) {
  for (const ValueKind& kind : value_kinds()) {
    if (kind.name == name) return kind;
  }
  throw std::logic_error("no such kind of value: " + name);
}

WrittenChunk write_random_chunk(const ValueKind& kind, const ChunkShape& shape, uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<Written> pool;
  for (int64_t i = 0; i < shape.distinct_values; ++i) pool.push_back(kind.make(random, kind));
  const auto chance = [&](double p) { return static_cast<double>(random() >> 11) * 0x1p-53 < p; };
  const Bytes no_bytes;
  const uint32_t max_level = shape.optional ? 1 : 0;
  const bool has_dictionary = shape.dictionary_fraction > 0 && kind.type != PhysicalType::kBoolean;
  const int id_bits = bit_width_for(pool.size() - 1);

  WrittenChunk written;
  FileBuilder builder;
  builder
      .column("c", kind.type, shape.optional ? Repetition::kOptional : Repetition::kRequired,
              kind.logical_type, kind.type_length)
      .row_group(shape.num_rows)
      .chunk(shape.codec);
  if (has_dictionary) {
    std::vector<uint32_t> all(pool.size());
    for (uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    const Bytes plain = plain_values(kind, pool, all);
    builder.dictionary_page({.num_values = static_cast<int32_t>(pool.size()),
                             .uncompressed_bytes = static_cast<int32_t>(plain.size())},
                            compressed(shape.codec, plain));
  }
  for (int64_t row = 0; row < shape.num_rows;) {
    const int64_t most = std::min(shape.max_page_rows, shape.num_rows - row);
    const int64_t n = 1 + static_cast<int64_t>(random() % static_cast<uint64_t>(most));
    const bool dictionary =
        has_dictionary &&
        static_cast<double>(row) < shape.dictionary_fraction * static_cast<double>(shape.num_rows);
    std::vector<uint32_t> levels;
    std::vector<uint32_t> ids;
    // Now and then the same again and again, so that runs of both kinds come.
    const bool repeats = random() % 3 == 0;
    for (int64_t i = 0; i < n; ++i) {
      const bool valid = !shape.optional || !chance(shape.null_fraction);
      levels.push_back(valid ? 1 : 0);
      if (!valid) {
        written.values.emplace_back();
        continue;
      }
      const bool again = repeats && !ids.empty() && random() % 50 != 0;
      ids.push_back(again ? ids.back() : static_cast<uint32_t>(random() % pool.size()));
      written.values.push_back(pool[ids.back()].value);
    }
    Bytes values = dictionary ? dictionary_ids(ids, id_bits) : plain_values(kind, pool, ids);
    EncodingId encoding = dictionary ? EncodingId::kRleDictionary : EncodingId::kPlain;
    if (!dictionary && random() % 2 == 0) encode_otherwise(random, kind, &values, &encoding);
    const int32_t num_values = static_cast<int32_t>(n);
    if (shape.v2) {
      const Bytes definition = levels_v2(levels, max_level);
      // Pages that do not gain are left uncompressed by some writers.
      const bool is_compressed = random() % 4 != 0;
      builder.page_v2(
          {.num_values = num_values,
           .num_nulls = num_values - static_cast<int32_t>(ids.size()),
           .encoding = encoding,
           .uncompressed_bytes = static_cast<int32_t>(definition.size() + values.size()),
           .is_compressed = is_compressed},
          is_compressed ? compressed(shape.codec, values) : values, definition);
    } else {
      const Bytes page = concat({levels_v1(levels, max_level), values});
      builder.page_v1({.num_values = num_values,
                       .encoding = encoding,
                       .uncompressed_bytes = static_cast<int32_t>(page.size())},
                      compressed(shape.codec, page));
    }
    row += n;
  }
  written.file = builder.build();
  return written;
}

}  // namespace colonnade::parquet::testing
