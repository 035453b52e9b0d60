// The rows of the registry, one defined in each codec's file.
#pragma once

#include "codec/codec.h"

namespace colonnade::codec {

extern const CodecInfo kNoneInfo;
extern const CodecInfo kSnappyInfo;
extern const CodecInfo kZstdInfo;
extern const CodecInfo kGzipInfo;
extern const CodecInfo kBrotliInfo;
extern const CodecInfo kLz4RawInfo;
extern const CodecInfo kLz4HadoopInfo;

}  // namespace colonnade::codec
