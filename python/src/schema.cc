// colonnade.Schema, colonnade.Field and colonnade.DataType.
#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

#include <colonnade/arrow.h>
#include <colonnade/type.h>

#include "capsule.h"
#include "lookup.h"
#include "module.h"
#include "text.h"

namespace nb = nanobind;

namespace colonnade::python {
namespace {

const char* unit_text(TimeUnit unit) {
  switch (unit) {
    case TimeUnit::kSecond:
      return "s";
    case TimeUnit::kMilli:
      return "ms";
    case TimeUnit::kMicro:
      return "us";
    case TimeUnit::kNano:
      return "ns";
  }
  return "?";
}

// An attribute that types of one kind have and others answer with None.
template <typename Value>
nb::object only_for(bool has, Value value) {
  return has ? nb::cast(value) : nb::none();
}

bool has_unit(TypeId id) {
  return id == TypeId::kTime || id == TypeId::kTimestamp || id == TypeId::kDuration;
}

nb::dict metadata_dict(const std::vector<KeyValue>& metadata) {
  nb::dict result;
  for (const auto& [key, value] : metadata) result[to_text(key)] = to_text(value);
  return result;
}

// What cannot be printed as Python escapes it in a repr.
nb::object to_line(const std::string& text) {
  return nb::module_::import_("colonnade._preview").attr("one_line")(to_text(text));
}

nb::list field_list(const std::vector<Field>& fields) {
  nb::list result;
  for (const Field& field : fields) result.append(nb::cast(field));
  return result;
}

nb::object schema_capsule(const Field& field) {
  auto [capsule, content] = new_schema_capsule();
  arrow::export_field(field, content);
  return capsule;
}

bool equals_type(const DataType& type, nb::handle other) {
  if (nb::isinstance<DataType>(other)) return type == nb::cast<const DataType&>(other);
  return PyUnicode_Check(other.ptr()) && from_text(other, "type") == type.to_string();
}

void define_data_type(nb::module_& module) {
  nb::class_<DataType>(module, "DataType", nb::is_final(), R"doc(What the values of a column mean.

It compares equal to its text, and attributes that a type does not have are None.

>>> t = colonnade.open("trips.parquet").schema.field("fare").type
>>> t
DataType(decimal(9, 2))
>>> t == "decimal(9, 2)", t.precision, t.scale, t.unit
(True, 9, 2, None)
)doc")
      .def("__str__", [](const DataType& self) { return to_text(self.to_string()); })
      .def("__repr__",
           [](const DataType& self) { return to_line("DataType(" + self.to_string() + ")"); })
      .def("__eq__", equals_type, nb::arg("other").none(),
           nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const DataType& self) { return nb::hash(to_text(self.to_string())); })
      .def_prop_ro(
          "precision",
          [](const DataType& self) {
            return only_for(self.id() == TypeId::kDecimal, self.precision());
          },
          nb::sig("def precision(self) -> int | None"), "Digits of a decimal.")
      .def_prop_ro(
          "scale",
          [](const DataType& self) {
            return only_for(self.id() == TypeId::kDecimal, self.scale());
          },
          nb::sig("def scale(self) -> int | None"), "Digits of a decimal behind the point.")
      .def_prop_ro(
          "unit",
          [](const DataType& self) {
            return only_for(has_unit(self.id()), unit_text(self.unit()));
          },
          nb::sig("def unit(self) -> str | None"),
          "'s', 'ms', 'us' or 'ns' of a time, timestamp or duration.")
      .def_prop_ro(
          "timezone",
          [](const DataType& self) -> nb::object {
            const bool has = self.id() == TypeId::kTimestamp && !self.timezone().empty();
            return has ? nb::object(to_text(self.timezone())) : nb::none();
          },
          nb::sig("def timezone(self) -> str | None"),
          "The time zone of a timestamp that counts in UTC.")
      .def_prop_ro(
          "byte_width",
          [](const DataType& self) {
            return only_for(self.id() == TypeId::kFixedBinary, self.byte_width());
          },
          nb::sig("def byte_width(self) -> int | None"), "Bytes of each fixed_binary value.")
      .def_prop_ro(
          "list_size",
          [](const DataType& self) {
            return only_for(self.id() == TypeId::kFixedSizeList, self.list_size());
          },
          nb::sig("def list_size(self) -> int | None"), "Elements of each fixed_size_list value.")
      .def_prop_ro(
          "fields", [](const DataType& self) { return field_list(self.fields()); },
          nb::sig("def fields(self) -> list[Field]"),
          "The children: a list's element, a struct's fields, a map's entries.")
      .def(
          "__arrow_c_schema__",
          [](const DataType& self) { return schema_capsule(Field{.name = {}, .type = self}); },
          nb::sig("def __arrow_c_schema__(self) -> object"),
          "The type as an Arrow C schema in a PyCapsule.");
}

void define_field(nb::module_& module) {
  nb::class_<Field>(module, "Field", nb::is_final(), R"doc(A column's name and type.

>>> colonnade.open("trips.parquet").schema.field("city")
Field(city: string not null)
)doc")
      .def("__repr__", [](const Field& self) { return to_line("Field(" + self.to_string() + ")"); })
      .def(
          "__eq__",
          [](const Field& self, nb::handle other) {
            return nb::isinstance<Field>(other) && self == nb::cast<const Field&>(other);
          },
          nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const Field& self) { return nb::hash(to_text(self.to_string())); })
      .def_prop_ro(
          "name", [](const Field& self) { return to_text(self.name); },
          nb::sig("def name(self) -> str"),
          "Its name; where that is not UTF-8, the odd bytes are surrogates (PEP 383).")
      .def_prop_ro(
          "type", [](const Field& self) { return self.type; },
          nb::sig("def type(self) -> DataType"), "What its values mean.")
      .def_prop_ro(
          "nullable", [](const Field& self) { return self.nullable; },
          nb::sig("def nullable(self) -> bool"), "Whether it may hold nulls.")
      .def_prop_ro(
          "metadata", [](const Field& self) { return metadata_dict(self.metadata); },
          nb::sig("def metadata(self) -> dict[str, str]"), "Key and value pairs.")
      .def("__arrow_c_schema__", schema_capsule, nb::sig("def __arrow_c_schema__(self) -> object"),
           "The field as an Arrow C schema in a PyCapsule.");
}

void define_schema(nb::module_& module) {
  nb::class_<Schema>(module, "Schema", nb::is_final(), R"doc(The fields of a table.

>>> schema = colonnade.open("trips.parquet").schema
>>> schema
Schema
  city: string not null
  day: date32
  riders: int64
  fare: decimal(9, 2)
>>> schema.names
['city', 'day', 'riders', 'fare']
>>> schema.field("day").type, schema.field(1).nullable, len(schema)
(DataType(date32), True, 4)
)doc")
      .def("__repr__",
           [](const Schema& self) {
             nb::str text("Schema");
             for (const Field& field : self.fields())
               text = nb::str("{}\n  {}").format(text, to_line(field.to_string()));
             return text;
           })
      .def(
          "__eq__",
          [](const Schema& self, nb::handle other) {
            return nb::isinstance<Schema>(other) && self == nb::cast<const Schema&>(other);
          },
          nb::arg("other").none(), nb::sig("def __eq__(self, other: object, /) -> bool"))
      .def("__hash__", [](const Schema& self) { return nb::hash(to_text(self.to_string())); })
      .def("__len__", [](const Schema& self) { return self.num_fields(); })
      .def(
          "__contains__",
          [](const Schema& self, nb::handle name) {
            return PyUnicode_Check(name.ptr()) &&
                   self.index_of(from_text(name, "name")).has_value();
          },
          nb::sig("def __contains__(self, name: object, /) -> bool"))
      .def(
          "__iter__", [](const Schema& self) { return nb::iter(field_list(self.fields())); },
          nb::sig("def __iter__(self) -> Iterator[Field]"))
      .def(
          "__getitem__",
          [](const Schema& self, nb::handle key) { return self.field(find_column(self, key)); },
          nb::sig("def __getitem__(self, key: str | int, /) -> Field"))
      .def_prop_ro(
          "fields", [](const Schema& self) { return field_list(self.fields()); },
          nb::sig("def fields(self) -> list[Field]"),
          "The fields, in order; iterating gives the same.")
      .def_prop_ro(
          "names", [](const Schema& self) { return column_names(self); },
          nb::sig("def names(self) -> list[str]"), "Their names, in order.")
      .def_prop_ro(
          "metadata", [](const Schema& self) { return metadata_dict(self.metadata()); },
          nb::sig("def metadata(self) -> dict[str, str]"),
          "Key and value pairs; of a file, what its writer put into the footer.")
      .def(
          "field",
          [](const Schema& self, nb::handle key) { return self.field(find_column(self, key)); },
          nb::arg("key"), nb::sig("def field(self, key: str | int) -> Field"),
          "The field of that name or index; a negative index counts from the end.")
      .def(
          "__arrow_c_schema__",
          [](const Schema& self) {
            auto [capsule, content] = new_schema_capsule();
            arrow::export_schema(self, content);
            return capsule;
          },
          nb::sig("def __arrow_c_schema__(self) -> object"),
          "The schema as an Arrow C schema in a PyCapsule.");
}

}  // namespace

void define_schema_types(nb::module_& module) {
  define_data_type(module);
  define_field(module);
  define_schema(module);
}

}  // namespace colonnade::python
