#include "parquet/testing/page_bytes.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

#include "codec/codec.h"
#include "parquet/page/page_reader.h"

namespace colonnade::parquet::testing {

namespace {

void append(Bytes& out, const Bytes& more) { out.insert(out.end(), more.begin(), more.end()); }

void append_little_endian(Bytes& out, uint64_t value, int num_bytes) {
  for (int i = 0; i < num_bytes; ++i) out.push_back(static_cast<uint8_t>(value >> (8 * i)));
}

// The lowest `bit_width` bits of each value, least significant first.
template <typename T>
Bytes packed_bits(const std::vector<T>& values, int bit_width) {
  Bytes packed((values.size() * static_cast<size_t>(bit_width) + 7) / 8);
  size_t bit = 0;
  for (const T value : values) {
    for (int i = 0; i < bit_width; ++i, ++bit) {
      if (value >> i & 1) packed[bit / 8] = static_cast<uint8_t>(packed[bit / 8] | 1u << (bit % 8));
    }
  }
  return packed;
}

}  // namespace

Bytes concat(std::initializer_list<Bytes> parts) {
  Bytes out;
  for (const Bytes& part : parts) append(out, part);
  return out;
}

Bytes bytes_of(std::string_view text) { return Bytes(text.begin(), text.end()); }

Bytes plain_int32(const std::vector<int32_t>& values) { return plain(values); }
Bytes plain_int64(const std::vector<int64_t>& values) { return plain(values); }

Bytes plain_boolean(const std::vector<bool>& values) {
  Bytes out((values.size() + 7) / 8);
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i]) out[i / 8] = static_cast<uint8_t>(out[i / 8] | 1u << (i % 8));
  }
  return out;
}

Bytes plain_byte_array(const std::vector<std::string_view>& values) {
  Bytes out;
  for (const std::string_view value : values) {
    append_little_endian(out, value.size(), 4);
    out.insert(out.end(), value.begin(), value.end());
  }
  return out;
}

Bytes plain_fixed(const std::vector<std::string_view>& values) {
  Bytes out;
  for (const std::string_view value : values) out.insert(out.end(), value.begin(), value.end());
  return out;
}

int bit_width_for(uint64_t max_value) { return std::bit_width(max_value); }

Bytes rle_run(uint64_t count, uint64_t value, int bit_width) {
  ThriftWriter header;
  header.varint(count << 1);
  Bytes out = header.bytes();
  append_little_endian(out, value, (bit_width + 7) / 8);
  return out;
}

Bytes bit_packed_run(const std::vector<uint32_t>& values, int bit_width) {
  const size_t num_groups = (values.size() + 7) / 8;
  ThriftWriter header;
  header.varint(num_groups << 1 | 1);
  Bytes packed = packed_bits(values, bit_width);
  packed.resize(num_groups * static_cast<size_t>(bit_width));
  return concat({header.bytes(), packed});
}

Bytes hybrid(const std::vector<uint32_t>& values, int bit_width) {
  Bytes out;
  std::vector<uint32_t> loose;  // of a multiple of eight when a run follows
  for (size_t i = 0; i < values.size();) {
    size_t end = i;
    while (end < values.size() && values[end] == values[i]) ++end;
    while (loose.size() % 8 != 0 && i < end) loose.push_back(values[i++]);
    if (end - i >= 8) {
      if (!loose.empty()) append(out, bit_packed_run(loose, bit_width));
      loose.clear();
      append(out, rle_run(end - i, values[i], bit_width));
      i = end;
    }
    while (i < end) loose.push_back(values[i++]);
  }
  if (!loose.empty()) append(out, bit_packed_run(loose, bit_width));
  return out;
}

Bytes levels_v1(const std::vector<uint32_t>& levels, uint32_t max_level) {
  if (max_level == 0) return {};
  const Bytes encoded = levels_v2(levels, max_level);
  Bytes out;
  append_little_endian(out, encoded.size(), 4);
  append(out, encoded);
  return out;
}

Bytes delta_binary_packed(const std::vector<int64_t>& values, int bits) {
  constexpr size_t kBlock = 128;
  constexpr size_t kMiniblock = 32;
  const auto zigzag = [](int64_t value) {
    return static_cast<uint64_t>(value) << 1 ^ static_cast<uint64_t>(value >> 63);
  };
  ThriftWriter out;
  out.varint(kBlock).varint(kBlock / kMiniblock).varint(values.size());
  out.varint(values.empty() ? 0 : zigzag(values[0]));
  for (size_t begin = 1; begin < values.size(); begin += kBlock) {
    std::vector<int64_t> deltas;
    for (size_t i = begin; i < std::min(begin + kBlock, values.size()); ++i) {
      const uint64_t delta =
          static_cast<uint64_t>(values[i]) - static_cast<uint64_t>(values[i - 1]);
      deltas.push_back(static_cast<int64_t>(delta << (64 - bits)) >> (64 - bits));
    }
    const int64_t least = *std::min_element(deltas.begin(), deltas.end());
    out.varint(zigzag(least));
    Bytes widths;
    Bytes packed;
    for (size_t first = 0; first < kBlock; first += kMiniblock) {
      std::vector<uint64_t> offsets(kMiniblock);
      for (size_t i = first; i < std::min(first + kMiniblock, deltas.size()); ++i) {
        offsets[i - first] = static_cast<uint64_t>(deltas[i]) - static_cast<uint64_t>(least);
      }
      const int width = bit_width_for(*std::max_element(offsets.begin(), offsets.end()));
      // Widths of miniblocks without values may be anything.
      widths.push_back(static_cast<uint8_t>(first < deltas.size() ? width : 0xA5));
      if (first >= deltas.size()) continue;
      append(packed, packed_bits(offsets, width));
    }
    for (const uint8_t byte : concat({widths, packed})) out.byte(byte);
  }
  return out.bytes();
}

Bytes delta_length_byte_array(const std::vector<std::string_view>& values) {
  std::vector<int64_t> lengths;
  Bytes bytes;
  for (const std::string_view value : values) {
    lengths.push_back(static_cast<int64_t>(value.size()));
    append(bytes, bytes_of(value));
  }
  return concat({delta_binary_packed(lengths, 32), bytes});
}

Bytes delta_byte_array(const std::vector<std::string_view>& values) {
  std::vector<int64_t> prefix_lengths;
  std::vector<std::string_view> suffixes;
  std::string_view previous;
  for (const std::string_view value : values) {
    size_t shared = 0;
    while (shared < std::min(value.size(), previous.size()) && value[shared] == previous[shared]) {
      ++shared;
    }
    prefix_lengths.push_back(static_cast<int64_t>(shared));
    suffixes.push_back(value.substr(shared));
    previous = value;
  }
  return concat({delta_binary_packed(prefix_lengths, 32), delta_length_byte_array(suffixes)});
}

Bytes byte_stream_split(const Bytes& plain, int32_t width) {
  Bytes out;
  for (int32_t byte = 0; byte < width; ++byte) {
    for (size_t i = static_cast<size_t>(byte); i < plain.size(); i += static_cast<size_t>(width)) {
      out.push_back(plain[i]);
    }
  }
  return out;
}

template <typename T>
Bytes alp(const std::vector<T>& values, int exponent, int factor, int log_vector_values,
          bool shuffled) {
  using Integer = std::conditional_t<sizeof(T) == sizeof(float), int32_t, int64_t>;
  // "1e-7" as the compiler of a reader has it, whatever pow() does.
  const auto power = [](int e) {
    const std::string text = "1e" + std::to_string(e);
    return sizeof(T) == sizeof(float) ? static_cast<T>(std::strtof(text.c_str(), nullptr))
                                      : static_cast<T>(std::strtod(text.c_str(), nullptr));
  };
  const auto decoded = [&](Integer integer) {
    const T product = static_cast<T>(integer) * power(factor);
    return product * power(-exponent);
  };
  Bytes offsets;
  Bytes vectors;
  const size_t vector_values = size_t{1} << log_vector_values;
  const size_t num_vectors = (values.size() + vector_values - 1) / vector_values;
  for (size_t begin = 0; begin < values.size(); begin += vector_values) {
    const size_t end = std::min(begin + vector_values, values.size());
    std::vector<Integer> integers;
    std::vector<size_t> exceptions;
    for (size_t i = begin; i < end; ++i) {
      const long double scaled =
          std::nearbyint(static_cast<long double>(values[i]) * power(exponent) * power(-factor));
      // Limits that the type's float has exactly, so that the cast is defined.
      constexpr long double kLimit =
          static_cast<long double>(Integer{1} << (8 * sizeof(Integer) - 2));
      const bool fits = scaled > -kLimit && scaled < kLimit;
      const Integer integer = fits ? static_cast<Integer>(scaled) : 0;
      const T back = decoded(integer);
      if (!fits || std::memcmp(&back, &values[i], sizeof(T)) != 0) exceptions.push_back(i - begin);
      integers.push_back(integer);
    }
    const Integer least = *std::min_element(integers.begin(), integers.end());
    std::vector<uint64_t> deltas;
    uint64_t most = 0;
    for (const Integer integer : integers) {
      deltas.push_back(static_cast<uint64_t>(integer) - static_cast<uint64_t>(least));
      most = std::max(most, deltas.back());
    }
    if (shuffled) {
      std::stable_partition(exceptions.begin(), exceptions.end(), [](size_t i) { return i % 2; });
    }
    append_little_endian(offsets, num_vectors * 4 + vectors.size(), 4);
    vectors.push_back(static_cast<uint8_t>(exponent));
    vectors.push_back(static_cast<uint8_t>(factor));
    append_little_endian(vectors, exceptions.size(), 2);
    append(vectors, plain(std::vector<Integer>{least}));
    vectors.push_back(static_cast<uint8_t>(bit_width_for(most)));
    append(vectors, packed_bits(deltas, bit_width_for(most)));
    for (const size_t position : exceptions) append_little_endian(vectors, position, 2);
    for (const size_t position : exceptions) {
      append(vectors, plain(std::vector<T>{values[begin + position]}));
    }
  }
  Bytes header = {0, 0, static_cast<uint8_t>(log_vector_values)};
  append_little_endian(header, values.size(), 4);
  return concat({header, offsets, vectors});
}
template Bytes alp(const std::vector<float>&, int, int, int, bool);
template Bytes alp(const std::vector<double>&, int, int, int, bool);

Bytes levels_v2(const std::vector<uint32_t>& levels, uint32_t max_level) {
  if (max_level == 0) return {};
  return hybrid(levels, bit_width_for(max_level));
}

Bytes dictionary_ids(const std::vector<uint32_t>& ids, int bit_width) {
  return concat({Bytes{static_cast<uint8_t>(bit_width)}, hybrid(ids, bit_width)});
}

Bytes compressed(CompressionCodec codec, const Bytes& bytes) {
  if (codec == CompressionCodec::kUncompressed) return bytes;
  const codec::CodecInfo& info = codec::info(codec_of(codec));
  const int64_t size = static_cast<int64_t>(bytes.size());
  Bytes out(static_cast<size_t>(info.max_compressed_bytes(size)));
  out.resize(static_cast<size_t>(info.compress(bytes, out, 0)));
  return out;
}

}  // namespace colonnade::parquet::testing
