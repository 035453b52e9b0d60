// Statistics as people read them.
#pragma once

#include <optional>
#include <string>

#include <colonnade/type.h>

#include "parquet/format/metadata.h"

namespace colonnade::parquet {

struct StatisticsText {
  std::optional<std::string> min;
  std::optional<std::string> max;
};

// The bounds of a column of `field`'s type as append_text (column/scalar_text.h) prints such
// values, with U+FFFD for what is not UTF-8 (a bound of strings may be cut within a character).
// min_value and max_value are used; the deprecated min and max only for types whose order is that
// of signed numbers. Absent where the file has none, where their order is not known, where a bound
// is NaN, where its length is not that of a value, and for types whose order is not defined.
StatisticsText statistics_text(const Statistics& statistics, PhysicalType physical_type,
                               const Field& field);

}  // namespace colonnade::parquet
