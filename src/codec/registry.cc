#include "base/fail.h"
#include "codec/codecs.h"

namespace colonnade::codec {

void fail_size(std::string_view codec, size_t held_bytes, size_t stated_bytes) {
  fail(ErrorCode::kCorruptData, "compressed bytes hold another size than stated",
       "codec {}, {} bytes held, {} stated", codec, held_bytes, stated_bytes);
}

void check_room(std::string_view codec, size_t in_bytes, size_t out_bytes, int64_t most_bytes) {
  if (static_cast<int64_t>(out_bytes) < most_bytes) {
    fail(ErrorCode::kInternal, "output of the compressor is too small", "{}, {} bytes for {}",
         codec, out_bytes, in_bytes);
  }
}

void check_level(std::string_view codec, int32_t level, int32_t least, int32_t most) {
  if (level < least || level > most) {
    fail(ErrorCode::kInvalidArgument, "level outside the codec's levels", "{}, level {}, {} to {}",
         codec, level, least, most);
  }
}

void check_no_level(std::string_view codec, int32_t level) {
  if (level != 0) {
    fail(ErrorCode::kInvalidArgument, "codec has no levels", "{}, level {}", codec, level);
  }
}

size_t checked_size(int64_t size_bytes) {
  if (size_bytes < 0 || size_bytes > (int64_t{1} << 60)) {
    fail(ErrorCode::kInvalidArgument, "too many bytes to compress", "{} bytes", size_bytes);
  }
  return static_cast<size_t>(size_bytes);
}

const CodecInfo& info(Codec codec) {
  switch (codec) {
    case Codec::kNone:
      return kNoneInfo;
    case Codec::kSnappy:
      return kSnappyInfo;
    case Codec::kZstd:
      return kZstdInfo;
    case Codec::kGzip:
      return kGzipInfo;
    case Codec::kBrotli:
      return kBrotliInfo;
    case Codec::kLz4Raw:
      return kLz4RawInfo;
    case Codec::kLz4Hadoop:
      return kLz4HadoopInfo;
  }
  fail(ErrorCode::kInternal, "unknown codec", "codec {}", static_cast<int>(codec));
}

void check_expansion(Codec codec, std::span<const uint8_t> in, int64_t out_bytes,
                     int64_t limit_bytes) {
  const CodecInfo& row = info(codec);
  if (out_bytes < 0) {
    fail(ErrorCode::kCorruptData, "negative decompressed size", "{} bytes", out_bytes);
  }
  const int64_t in_bytes = static_cast<int64_t>(in.size());
  // ceil(out_bytes / max_expansion) > in_bytes, without an overflow.
  if (out_bytes > 0 && (out_bytes - 1) / row.max_expansion >= in_bytes) {
    fail(ErrorCode::kCorruptData, "decompressed size is more than the codec can expand to",
         "codec {}, {} bytes compressed, {} claimed decompressed", row.name, in_bytes, out_bytes);
  }
  if (in_bytes > 0) {
    const std::optional<int64_t> claimed = row.claimed_bytes(in);
    if (claimed && *claimed != out_bytes) {
      fail_size(row.name, static_cast<size_t>(*claimed), static_cast<size_t>(out_bytes));
    }
  }
  if (out_bytes > limit_bytes) {
    fail(ErrorCode::kOutOfBudget, "decompressed size is above the limit",
         "codec {}, {} bytes, limit {}", row.name, out_bytes, limit_bytes);
  }
}

}  // namespace colonnade::codec
