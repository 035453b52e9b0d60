#include "value_reader.h"

#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/fail.h"
#include "column/binary_view.h"
#include "column/decimal.h"
#include "interrupt.h"
#include "text.h"

namespace nb = nanobind;

namespace colonnade::python {
namespace {

nb::object checked(PyObject* fresh) {
  if (fresh == nullptr) nb::raise_python_error();
  return nb::steal(fresh);
}

class BoolReader final : public ValueReader {
 public:
  explicit BoolReader(const ColumnPtr& column) : ValueReader(column) {}
  nb::object value(int64_t row) override {
    const int64_t bit = parts().offset + row;
    return nb::bool_((parts().values.data()[bit / 8] >> (bit % 8) & 1) != 0);
  }
};

template <typename T>
class IntegerReader final : public ValueReader {
 public:
  explicit IntegerReader(const ColumnPtr& column) : ValueReader(column) {}
  nb::object value(int64_t row) override {
    const T number = load<T>(parts().values, parts().offset + row);
    return checked(std::is_signed_v<T> ? PyLong_FromLongLong(static_cast<long long>(number))
                                       : PyLong_FromUnsignedLongLong(number));
  }
};

template <typename T>
class FloatReader final : public ValueReader {
 public:
  explicit FloatReader(const ColumnPtr& column) : ValueReader(column) {}
  nb::object value(int64_t row) override {
    return checked(PyFloat_FromDouble(double{load<T>(parts().values, parts().offset + row)}));
  }
};

class HalfReader final : public ValueReader {
 public:
  explicit HalfReader(const ColumnPtr& column) : ValueReader(column) {}
  nb::object value(int64_t row) override {
    const auto* const bytes =
        reinterpret_cast<const char*>(parts().values.data()) + 2 * (parts().offset + row);
    return checked(PyFloat_FromDouble(PyFloat_Unpack2(bytes, /*little endian*/ 1)));
  }
};

class DecimalReader final : public ValueReader {
 public:
  explicit DecimalReader(const ColumnPtr& column)
      : ValueReader(column), decimal_(nb::module_::import_("decimal").attr("Decimal")) {}
  nb::object value(int64_t row) override {
    const int32_t width = parts().byte_width;
    const uint8_t* const bytes = parts().values.data() + (parts().offset + row) * width;
    const std::string text = Decimal256::load(bytes, width).to_string(parts().type.scale());
    return decimal_(nb::str(text.data(), text.size()));
  }

 private:
  nb::object decimal_;
};

// Strings and binaries: the bytes of a row in any of the three storages. What an imported column
// says about where they lie is checked: it may never have been validated.
class BytesReader : public ValueReader {
 public:
  explicit BytesReader(const ColumnPtr& column) : ValueReader(column) {}
  nb::object value(int64_t row) override {
    const std::string_view bytes = bytes_of(row);
    return checked(PyBytes_FromStringAndSize(bytes.data(), static_cast<Py_ssize_t>(bytes.size())));
  }

 protected:
  std::string_view bytes_of(int64_t row) const {
    const int64_t index = parts().offset + row;
    switch (parts().storage) {
      case Storage::kOffsets32:
        return between(load<int32_t>(parts().offsets, index),
                       load<int32_t>(parts().offsets, index + 1));
      case Storage::kOffsets64:
        return between(load<int64_t>(parts().offsets, index),
                       load<int64_t>(parts().offsets, index + 1));
      case Storage::kViews:
        return viewed(index);
      case Storage::kFixed: {
        const int64_t width = parts().byte_width;
        return {reinterpret_cast<const char*>(parts().values.data()) + index * width,
                static_cast<size_t>(width)};
      }
      case Storage::kNone:
      case Storage::kBits:
      case Storage::kList32:
      case Storage::kList64:
      case Storage::kFixedSizeList:
      case Storage::kStruct:
        break;
    }
    fail(ErrorCode::kInternal, "a string column in a storage that strings do not have");
  }

 private:
  std::string_view between(int64_t begin, int64_t end) const {
    if (begin < 0 || end < begin || end > parts().bytes.size()) {
      throw BadValue{ErrorCode::kCorruptData, "string offsets outside the bytes",
                     fmt::format("from {} to {} of {}", begin, end, parts().bytes.size())};
    }
    return {reinterpret_cast<const char*>(parts().bytes.data()) + begin,
            static_cast<size_t>(end - begin)};
  }

  std::string_view viewed(int64_t index) const {
    const uint8_t* const address =
        parts().values.data() + index * static_cast<int64_t>(sizeof(BinaryView));
    const auto view = load<BinaryView>(parts().values, index);
    if (view.length >= 0 && view.is_inline()) {
      return {reinterpret_cast<const char*>(address) + 4, static_cast<size_t>(view.length)};
    }
    const auto& buffers = parts().view_buffers;
    if (view.length < 0 || view.buffer_index < 0 || view.buffer_offset < 0 ||
        static_cast<size_t>(view.buffer_index) >= buffers.size() ||
        int64_t{view.buffer_offset} + view.length >
            buffers[static_cast<size_t>(view.buffer_index)].size()) {
      throw BadValue{ErrorCode::kCorruptData, "string view outside its buffers",
                     fmt::format("length {}, buffer {} of {}, offset {}", view.length,
                                 view.buffer_index, buffers.size(), view.buffer_offset)};
    }
    return view.bytes(buffers);
  }
};

class StringReader final : public BytesReader {
 public:
  using BytesReader::BytesReader;
  nb::object value(int64_t row) override {
    const std::string_view bytes = bytes_of(row);
    PyObject* const text =
        PyUnicode_DecodeUTF8(bytes.data(), static_cast<Py_ssize_t>(bytes.size()), nullptr);
    if (text == nullptr) {
      if (PyErr_ExceptionMatches(PyExc_UnicodeDecodeError) == 0) nb::raise_python_error();
      const nb::python_error undecodable;
      throw BadValue{
          ErrorCode::kCorruptData, "string is not UTF-8",
          fmt::format("first bad byte at {} of {}",
                      nb::cast<int64_t>(undecodable.value().attr("start")), bytes.size())};
    }
    return nb::steal(text);
  }
};

class NullReader final : public ValueReader {
 public:
  explicit NullReader(const ColumnPtr& column) : ValueReader(column) {}
  nb::object value(int64_t /*row*/) override { return nb::none(); }
};

// Each value of a dictionary is made once.
class DictionaryReader final : public ValueReader {
 public:
  DictionaryReader(const ColumnPtr& column, ValueReaderPtr values)
      : ValueReader(column),
        values_(std::move(values)),
        made_(static_cast<size_t>(parts().dictionary->values->length())) {}
  nb::object value(int64_t row) override {
    const auto id = load<int32_t>(parts().values, parts().offset + row);
    if (id < 0 || static_cast<size_t>(id) >= made_.size()) {
      throw BadValue{ErrorCode::kCorruptData, "dictionary id outside the dictionary",
                     fmt::format("id {}, size {}", id, made_.size())};
    }
    nb::object& made = made_[static_cast<size_t>(id)];
    if (!made.is_valid()) {
      nb::object fresh = values_->read(id);
      // A list or dict belongs to its row: somebody may change it.
      if (parts().type.is_nested()) return fresh;
      made = std::move(fresh);
    }
    return made;
  }

 private:
  ValueReaderPtr values_;
  std::vector<nb::object> made_;
};

class ConstantReader final : public ValueReader {
 public:
  ConstantReader(const ColumnPtr& column, ValueReaderPtr value)
      : ValueReader(column), value_(std::move(value)) {}
  nb::object value(int64_t /*row*/) override { return value_->read(0); }

 private:
  ValueReaderPtr value_;
};

ValueReaderPtr make_integer_reader(const ColumnPtr& column) {
  switch (column->byte_width()) {
    case 1:
      return std::make_unique<IntegerReader<int8_t>>(column);
    case 2:
      return std::make_unique<IntegerReader<int16_t>>(column);
    case 4:
      return std::make_unique<IntegerReader<int32_t>>(column);
    default:
      return std::make_unique<IntegerReader<int64_t>>(column);
  }
}

ValueReaderPtr make_flat_reader(const ColumnPtr& column, Temporal temporal) {
  switch (column->type().id()) {
    case TypeId::kNull:
      return std::make_unique<NullReader>(column);
    case TypeId::kBool:
      return std::make_unique<BoolReader>(column);
    case TypeId::kInt8:
    case TypeId::kInt16:
    case TypeId::kInt32:
    case TypeId::kInt64:
    case TypeId::kIntervalMonths:
      return make_integer_reader(column);
    case TypeId::kUInt8:
      return std::make_unique<IntegerReader<uint8_t>>(column);
    case TypeId::kUInt16:
      return std::make_unique<IntegerReader<uint16_t>>(column);
    case TypeId::kUInt32:
      return std::make_unique<IntegerReader<uint32_t>>(column);
    case TypeId::kUInt64:
      return std::make_unique<IntegerReader<uint64_t>>(column);
    case TypeId::kFloat16:
      return std::make_unique<HalfReader>(column);
    case TypeId::kFloat32:
      return std::make_unique<FloatReader<float>>(column);
    case TypeId::kFloat64:
      return std::make_unique<FloatReader<double>>(column);
    case TypeId::kDecimal:
      return std::make_unique<DecimalReader>(column);
    case TypeId::kDate32:
    case TypeId::kDate64:
    case TypeId::kTime:
    case TypeId::kTimestamp:
    case TypeId::kDuration:
      return temporal == Temporal::kInteger ? make_integer_reader(column)
                                            : make_temporal_reader(column);
    case TypeId::kIntervalDayTime:
    case TypeId::kIntervalMonthDayNano:
      return make_temporal_reader(column);
    case TypeId::kString:
      return std::make_unique<StringReader>(column);
    case TypeId::kBinary:
    case TypeId::kFixedBinary:
      return std::make_unique<BytesReader>(column);
    case TypeId::kList:
    case TypeId::kFixedSizeList:
    case TypeId::kStruct:
    case TypeId::kMap:
      return make_nested_reader(column, temporal);
  }
  fail(ErrorCode::kInternal, "a column of an unknown type");
}

}  // namespace

ValueReaderPtr make_reader(const ColumnPtr& column, Temporal temporal) {
  switch (column->encoding()) {
    case Encoding::kFlat:
      return make_flat_reader(column, temporal);
    case Encoding::kDictionary:
      return std::make_unique<DictionaryReader>(
          column, make_reader(column->parts().dictionary->values, temporal));
    case Encoding::kConstant:
      return std::make_unique<ConstantReader>(
          column, make_reader(column->parts().dictionary->values, temporal));
  }
  fail(ErrorCode::kInternal, "a column in an unknown encoding");
}

nb::list to_list(const std::string& name, std::span<const ColumnPtr> chunks, Temporal temporal,
                 int64_t first_row) {
  int64_t num_rows = 0;
  for (const ColumnPtr& chunk : chunks) num_rows += chunk->length();
  const nb::object list = checked(PyList_New(num_rows));
  // Nobody may find it through the collector before it is full.
  PyObject_GC_UnTrack(list.ptr());
  int64_t row = 0;
  try {
    for (const ColumnPtr& chunk : chunks) {
      const ValueReaderPtr reader = make_reader(chunk, temporal);
      for (int64_t i = 0; i < chunk->length(); ++i, ++row) {
        if (row % kRowsBetweenTurns == 0) let_others_run();
        PyList_SET_ITEM(list.ptr(), row, reader->read(i).release().ptr());
      }
    }
  } catch (const BadValue& bad) {
    std::string values = fmt::format("row {}", first_row + row);
    if (!bad.values.empty()) values += ", " + bad.values;
    Place place;
    place.column = name;
    throw Error(bad.code, bad.what_happened, std::move(values)).locate(place);
  }
  PyObject_GC_Track(list.ptr());
  return nb::borrow<nb::list>(list);
}

Temporal temporal_argument(nb::handle value) {
  const std::string name = from_text(value, "temporal");
  if (name == "datetime") return Temporal::kDatetime;
  if (name == "int") return Temporal::kInteger;
  PyErr_Format(PyExc_ValueError, "temporal must be 'datetime' or 'int', not %R", value.ptr());
  nb::raise_python_error();
}

}  // namespace colonnade::python
