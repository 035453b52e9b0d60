#include <cstring>

#include "base/fail.h"
#include "codec/codecs.h"

namespace colonnade::codec {
namespace {

void decompress(std::span<const uint8_t> in, std::span<uint8_t> out) {
  if (in.size() != out.size()) {
    fail(ErrorCode::kCorruptData, "uncompressed bytes have another size than stated",
         "{} bytes held, {} stated", in.size(), out.size());
  }
  if (!in.empty()) std::memcpy(out.data(), in.data(), in.size());
}

int64_t max_compressed_bytes(int64_t size_bytes) { return size_bytes; }

int64_t compress(std::span<const uint8_t> in, std::span<uint8_t> out, int32_t level) {
  check_no_level("none", level);
  check_room("none", in.size(), out.size(), max_compressed_bytes(static_cast<int64_t>(in.size())));
  if (!in.empty()) std::memcpy(out.data(), in.data(), in.size());
  return static_cast<int64_t>(in.size());
}

std::optional<int64_t> claimed_bytes(std::span<const uint8_t> in) {
  return static_cast<int64_t>(in.size());
}

}  // namespace

const CodecInfo kNoneInfo = {Codec::kNone, "none",       1, decompress, max_compressed_bytes,
                             compress,     claimed_bytes};

}  // namespace colonnade::codec
