// Which rows of a column go where: the argument of every gather.
#pragma once

#include <cstdint>
#include <utility>
#include <variant>

#include <colonnade/column.h>
#include <colonnade/context.h>

namespace colonnade::arrow {

// subscript: row of the result -> row of the source; meaningful where the result is valid.
struct Ids32 {
  const int32_t* ids;
  int64_t operator[](int64_t i) const noexcept { return ids[i]; }
};
struct Ids64 {
  const int64_t* ids;
  int64_t operator[](int64_t i) const noexcept { return ids[i]; }
};
struct FirstRow {
  int64_t operator[](int64_t) const noexcept { return 0; }
};
struct EveryRow {
  int64_t operator[](int64_t i) const noexcept { return i; }
};

// Ids of valid rows lie inside the source (the maker sees to it); those of null rows are never
// used. Refers to the ids and bits, owns nothing.
struct RowSelection {
  std::variant<Ids32, Ids64, FirstRow, EveryRow> ids;
  int64_t length = 0;
  const uint8_t* validity = nullptr;  // null: every row is valid
  int64_t validity_offset = 0;        // of row 0 in `validity`, in bits

  // The ids and the validity of a dictionary column (into its dictionary's values), or FirstRow for
  // a constant.
  static RowSelection of_encoded(const Column& column) noexcept;
};

// Bits [offset, offset + length) so that the first is bit 0 of the result; shared, not copied,
// where they begin on a byte. Empty stays empty.
Buffer rebased_bits(const Context& context, const Buffer& bits, int64_t offset, int64_t length);

// Which rows of a gather are valid: where the selection and the selected row are.
struct GatheredValidity {
  Buffer bits;  // from bit 0; empty: all valid
  int64_t null_count = 0;
};
GatheredValidity gather_validity(const Context& context, const Column& source,
                                 const RowSelection& rows);

}  // namespace colonnade::arrow
