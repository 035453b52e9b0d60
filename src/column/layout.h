// Which storages a type may have and how large the buffers of each must be.
#pragma once

#include <cstdint>

#include <colonnade/column.h>

namespace colonnade {

// The storage that Colonnade gives a type itself: 32-bit offsets for strings and lists.
Storage default_storage(const DataType& type) noexcept;

// Whether a column of `type` may lie in `storage`; `byte_width` counts for kFixed alone (decimals
// may be wider than they need, in 4, 8, 16 or 32 bytes).
bool storage_fits(const DataType& type, Storage storage, int32_t byte_width) noexcept;

// What the address of fixed-width values of `type` is a multiple of, in bytes; at most 8.
int64_t value_alignment(const DataType& type, int32_t byte_width) noexcept;

constexpr bool has_offsets(Storage storage) noexcept {
  return storage == Storage::kOffsets32 || storage == Storage::kOffsets64 ||
         storage == Storage::kList32 || storage == Storage::kList64;
}
// Bytes of one offset of a storage that has offsets.
constexpr int64_t offset_width(Storage storage) noexcept {
  return storage == Storage::kOffsets64 || storage == Storage::kList64 ? 8 : 4;
}

// Throws kInvalidArgument unless encoding, storage and type fit, the buffers hold offset + length
// rows and the children are long enough: what Column::make promises.
void check_layout(const ColumnParts& parts);

}  // namespace colonnade
