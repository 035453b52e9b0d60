#include "capsule.h"

namespace nb = nanobind;

namespace colonnade::python {
namespace {

template <typename CStruct>
constexpr const char* kName = nullptr;
template <>
constexpr const char* kName<ArrowSchema> = "arrow_schema";
template <>
constexpr const char* kName<ArrowArray> = "arrow_array";
template <>
constexpr const char* kName<ArrowArrayStream> = "arrow_array_stream";

template <typename CStruct>
void destroy(PyObject* capsule) {
  auto* const content = static_cast<CStruct*>(PyCapsule_GetPointer(capsule, kName<CStruct>));
  if (content == nullptr) {
    PyErr_WriteUnraisable(capsule);
    return;
  }
  if (content->release != nullptr) content->release(content);
  delete content;
}

template <typename CStruct>
NewCapsule<CStruct> new_capsule() {
  auto* const content = new CStruct{};
  nb::object capsule = nb::steal(PyCapsule_New(content, kName<CStruct>, destroy<CStruct>));
  if (!capsule.is_valid()) {
    delete content;
    nb::raise_python_error();
  }
  return {std::move(capsule), content};
}

template <typename CStruct>
CStruct* content_of(nb::handle capsule) {
  if (PyCapsule_IsValid(capsule.ptr(), kName<CStruct>) == 0) {
    PyErr_Format(PyExc_TypeError, "a capsule named '%s' is wanted, not %R", kName<CStruct>,
                 capsule.ptr());
    nb::raise_python_error();
  }
  auto* const content = static_cast<CStruct*>(PyCapsule_GetPointer(capsule.ptr(), kName<CStruct>));
  if (content->release == nullptr) {
    throw nb::value_error("what was in the Arrow capsule has been taken already");
  }
  return content;
}

}  // namespace

NewCapsule<ArrowSchema> new_schema_capsule() { return new_capsule<ArrowSchema>(); }
NewCapsule<ArrowArray> new_array_capsule() { return new_capsule<ArrowArray>(); }
NewCapsule<ArrowArrayStream> new_stream_capsule() { return new_capsule<ArrowArrayStream>(); }

ArrowSchema* schema_in(nb::handle capsule) { return content_of<ArrowSchema>(capsule); }
ArrowArray* array_in(nb::handle capsule) { return content_of<ArrowArray>(capsule); }
ArrowArrayStream* stream_in(nb::handle capsule) { return content_of<ArrowArrayStream>(capsule); }

ArrowSchema borrowed(const ArrowSchema& schema) noexcept {
  ArrowSchema copy = schema;
  copy.release = [](ArrowSchema* released) { released->release = nullptr; };
  return copy;
}

}  // namespace colonnade::python
