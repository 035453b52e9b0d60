// The type that takes in the values of two others.
#pragma once

#include <optional>

#include <colonnade/type.h>

namespace colonnade {

// The narrowest type that holds every value of both types, each exactly: a wider integer, float or
// decimal; an integer of up to 32 bits and a float as a float; the null type and any other as that.
// Lists, maps and structs by their parts: a field that one struct lacks may be null in the other's
// rows. Nothing where there is no such type: timestamps of two units, string and binary, uint64 and
// int64, more than 76 digits.
std::optional<DataType> common_type(const DataType& a, const DataType& b);

// The same of two fields of one name; nullable when one of them is. Name, metadata and form are
// those of `a`.
std::optional<Field> common_field(const Field& a, const Field& b);

}  // namespace colonnade
