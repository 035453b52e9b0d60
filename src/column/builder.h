// Building columns row by row.
//
//   ColumnBuilder names(context, DataType(TypeId::kString));
//   names.append_bytes("a");
//   names.append_null();
//   ColumnPtr column = names.finish();
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

#include <colonnade/column.h>
#include <colonnade/context.h>

#include "column/decimal.h"

namespace colonnade {

// Grows one flat column in the context's memory; the cost of an append is constant on average. Null
// slots come out as zeroes. A function that does not fit the column's storage is kInvalidArgument.
// After an error (kOutOfBudget) the builder may only be destroyed. One user at a time.
class ColumnBuilder {
 public:
  // In the storage that Colonnade gives the type itself.
  ColumnBuilder(const Context& context, const DataType& type);
  // `storage` must fit the type (kInvalidArgument); children get their own usual storages.
  ColumnBuilder(const Context& context, DataType type, Storage storage);
  // For decimals held wider than they need: 4, 8, 16 or 32 bytes.
  static ColumnBuilder decimals(const Context& context, const DataType& type, int32_t byte_width);
  ColumnBuilder(ColumnBuilder&&) noexcept = default;
  ColumnBuilder& operator=(ColumnBuilder&&) noexcept = default;

  const DataType& type() const noexcept { return type_; }
  int64_t length() const noexcept { return length_; }
  int64_t null_count() const noexcept { return null_count_; }

  // A null row; in a struct or a fixed-size list its children get rows too: nulls where their field
  // allows it, else zeroes.
  void append_null();
  void append_nulls(int64_t rows);
  // A valid row of zero: 0, false, an empty string or list, zeroes in a struct.
  void append_zero();

  void append_bool(bool value);
  // The value's bytes as they lie in the buffer; sizeof(T) must be the byte width.
  template <typename T>
    requires std::is_trivially_copyable_v<T>
  void append(T value) {
    append_fixed(&value, sizeof(T));
  }
  // kInvalidArgument when the value has more digits than the type.
  void append_decimal(const Decimal256& value);
  // Strings, binary, and fixed binary of exactly its width. kOutOfBudget past 2 GiB - 1 with 32-bit
  // offsets.
  void append_bytes(std::string_view value);

  // What was appended to child(0) since the last row becomes this row: a list, a map (the child is
  // the struct of its entries), or exactly list_size values of a fixed-size list.
  void append_list();
  // Ends a row of a struct: each child must have got one row since the last (kInvalidArgument).
  void append_struct();
  ColumnBuilder& child(size_t index) { return children_.at(index); }
  size_t num_children() const noexcept { return children_.size(); }

  // The rows appended, as a column; the builder is empty again.
  ColumnPtr finish();

 private:
  void append_fixed(const void* value, size_t size_bytes);
  void append_validity(bool valid);
  void append_slot(bool valid);
  void append_offset(int64_t end);
  void append_view(std::string_view value);
  void expect(bool fits, const char* what) const;

  Context context_;
  DataType type_;
  Storage storage_;
  int32_t byte_width_ = 0;
  int64_t length_ = 0;
  int64_t null_count_ = 0;
  MutableBuffer validity_;  // empty until the first null
  MutableBuffer values_;
  MutableBuffer offsets_;
  MutableBuffer bytes_;               // kOffsets*, and the last view buffer
  std::vector<Buffer> view_buffers_;  // those that are full
  std::vector<ColumnBuilder> children_;
};

}  // namespace colonnade
