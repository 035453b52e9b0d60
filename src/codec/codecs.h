// The rows of the registry, one defined in each codec's file.
#pragma once

#include "codec/codec.h"

namespace colonnade::codec {

extern const CodecInfo kNoneInfo;
extern const CodecInfo kSnappyInfo;
extern const CodecInfo kZstdInfo;

}  // namespace colonnade::codec
