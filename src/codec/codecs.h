// The rows of the registry, one defined in each codec's file.
#pragma once

#include <string_view>

#include "codec/codec.h"

namespace colonnade::codec {

// What the rows' functions refuse alike. `codec` is the name that the message begins with.
[[noreturn]] void fail_size(std::string_view codec, size_t held_bytes, size_t stated_bytes);
// kInternal where the output cannot take the `most_bytes` that the compressor may write.
void check_room(std::string_view codec, size_t in_bytes, size_t out_bytes, int64_t most_bytes);
// kInvalidArgument.
void check_level(std::string_view codec, int32_t level, int32_t least, int32_t most);
void check_no_level(std::string_view codec, int32_t level);
// kInvalidArgument for a size below 0 or above 2^60: a compressor's bound for it could pass 64
// bits, and no buffer is that large.
size_t checked_size(int64_t size_bytes);

extern const CodecInfo kNoneInfo;
extern const CodecInfo kSnappyInfo;
extern const CodecInfo kZstdInfo;
extern const CodecInfo kGzipInfo;
extern const CodecInfo kBrotliInfo;
extern const CodecInfo kLz4RawInfo;
extern const CodecInfo kLz4HadoopInfo;

}  // namespace colonnade::codec
