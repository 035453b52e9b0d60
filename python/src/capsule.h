// Arrow's PyCapsule protocol: C Data structures in capsules that release what nobody took.
// https://arrow.apache.org/docs/format/CDataInterface/PyCapsuleInterface.html
#pragma once

#include <nanobind/nanobind.h>

#include <colonnade/arrow_c.h>

namespace colonnade::python {

// A new structure with `release` null, for an export function to fill, inside its capsule.
template <typename CStruct>
struct NewCapsule {
  nanobind::object capsule;
  CStruct* content;
};
// "arrow_schema", "arrow_array", "arrow_array_stream".
NewCapsule<ArrowSchema> new_schema_capsule();
NewCapsule<ArrowArray> new_array_capsule();
NewCapsule<ArrowArrayStream> new_stream_capsule();

// What a capsule holds; stays the capsule's. TypeError for another capsule, ValueError for one
// whose content was taken already.
ArrowSchema* schema_in(nanobind::handle capsule);
ArrowArray* array_in(nanobind::handle capsule);
ArrowArrayStream* stream_in(nanobind::handle capsule);

// Reads like the capsule's schema but owns nothing: releasing it does nothing. Valid as long as the
// capsule is.
ArrowSchema borrowed(const ArrowSchema& schema) noexcept;

}  // namespace colonnade::python
