// Random columns of any type, encoding and storage, the same for the same seed on every machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <colonnade/column.h>
#include <colonnade/context.h>

namespace colonnade::testing {

// One of each kind of type: all widths of decimals, all units, widths 0 and up, nested types in one
// another.
std::vector<DataType> all_types();

struct ColumnShape {
  double null_fraction = 0.1;  // 0 and 1 are exact
  std::optional<Encoding> encoding =
      Encoding::kFlat;  // absent: any; children always any where this is absent
  std::optional<Storage> storage =
      {};                      // of strings, binary and lists that may have it; absent: any
  bool sliced = false;         // begins at an odd place of larger buffers, children too
  bool wide_decimals = false;  // sometimes in more bytes than they need
};

class RandomColumns {
 public:
  RandomColumns(const Context& context, uint64_t seed) : context_(context), state_(seed) {}

  // Numbers of a fixed generator (splitmix64).
  uint64_t next() noexcept;
  uint64_t below(uint64_t limit) noexcept { return next() % limit; }
  bool chance(double probability) noexcept;

  // Values as pyarrow's full validation wants them: UTF-8 in strings, decimals within their
  // precision, times within a day. Extreme values are frequent.
  ColumnPtr make(const DataType& type, int64_t length, const ColumnShape& shape);
  // Any type; nested at most `max_depth` deep.
  DataType type(int max_depth);
  std::string utf8_text(int64_t max_characters);

 private:
  ColumnPtr flat(const DataType& type, int64_t length, const ColumnShape& shape);
  ColumnPtr leaf(const DataType& type, int64_t length, const ColumnShape& shape);
  ColumnPtr list(const DataType& type, int64_t length, const ColumnShape& shape);
  ColumnPtr dictionary(const DataType& type, int64_t length, const ColumnShape& shape);
  Buffer validity(int64_t length, double null_fraction);
  ColumnPtr child(const Field& field, int64_t length, const ColumnShape& shape);

  Context context_;
  uint64_t state_;
};

}  // namespace colonnade::testing
