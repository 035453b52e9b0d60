// What a consumer asks for through `requested_schema`: the same types in other forms.
#pragma once

#include <nanobind/nanobind.h>

#include <colonnade/context.h>
#include <colonnade/parquet.h>
#include <colonnade/type.h>

namespace colonnade::python {

// `own` with the forms that the capsule `requested` (or None) asks for, field by field, by position
// and name. A field that is asked for with another type, or in a form it cannot take, keeps its own
// form, and so does everything when the fields are not the same: the consumer looks at what it
// gets.
Schema requested_forms(const Context& context, const Schema& own, nanobind::handle requested);
Field requested_form(const Context& context, const Field& own, nanobind::handle requested);

// The form in which a scan should decode strings so that least is converted for `schema`: that of
// its string and binary fields where they agree, else `fallback`.
parquet::StringForm string_form_for(const Schema& schema, parquet::StringForm fallback);

}  // namespace colonnade::python
