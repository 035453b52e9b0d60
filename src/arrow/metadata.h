// The key-value metadata of ArrowSchema, as its specification packs it: int32 counts and lengths in
// the machine's byte order, each followed by its bytes.
#pragma once

#include <string>
#include <vector>

#include <colonnade/type.h>

namespace colonnade::arrow {

// Empty for no metadata (ArrowSchema.metadata is null then).
std::string encode_metadata(const std::vector<KeyValue>& metadata);
// `encoded` may be null. kCorruptData for negative counts and lengths; more can't be checked, as
// the bytes have no end.
std::vector<KeyValue> decode_metadata(const char* encoded);

}  // namespace colonnade::arrow
