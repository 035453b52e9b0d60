// The format strings of ArrowSchema
// (https://arrow.apache.org/docs/format/CDataInterface.html#data-type-description-format-strings).
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include <colonnade/column.h>
#include <colonnade/type.h>

namespace colonnade::arrow {

// The layout in which a field's values leave: what its form says for its type. kInvalidArgument
// naming field and form when the form does not fit.
struct Layout {
  Storage storage = Storage::kNone;
  int32_t byte_width = 0;  // kFixed
};
Layout layout_of(const Field& field);

// The format of a field's values, without regard to Field::dictionary. kInvalidArgument as
// layout_of.
std::string format_of(const Field& field);

// What a format says by itself; nested types take the rest from the children.
struct ParsedFormat {
  enum class Kind : uint8_t {
    kType,
    kList,
    kLargeList,
    kFixedSizeList,
    kStruct,
    kMap,
    kRunEndEncoded
  };
  Kind kind = Kind::kType;
  DataType type;               // kType
  Form form = Form::kDefault;  // kType
  int32_t list_size = 0;       // kFixedSizeList
};
// kNotSupported for unions, list views and unknown formats, kCorruptData for malformed parameters;
// both name the format and `field_name`.
ParsedFormat parse_format(std::string_view format, std::string_view field_name);

// The integer type of dictionary ids or run ends; kNotSupported for another format.
ImportEncoding::Integer parse_integer_format(std::string_view format, std::string_view field_name);
// Bytes of such an integer, and whether it is signed.
int32_t width_of(ImportEncoding::Integer integer) noexcept;
bool is_signed(ImportEncoding::Integer integer) noexcept;

}  // namespace colonnade::arrow
