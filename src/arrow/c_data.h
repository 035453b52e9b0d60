// Owners of the structures of the Arrow C Data and C Stream interfaces.
#pragma once

#include <utility>

#include <colonnade/arrow_c.h>

namespace colonnade::arrow {

// Owns an ArrowSchema, ArrowArray or ArrowArrayStream: releases it unless it was moved out. Moving
// follows the specification: the structure is copied bitwise and its source marked as released.
template <typename T>
class COwner {
 public:
  COwner() = default;
  // Moves `source` in, which may be released already.
  explicit COwner(T* source) noexcept : value_(std::exchange(*source, T{})) {}
  COwner(COwner&& other) noexcept : value_(std::exchange(other.value_, T{})) {}
  COwner& operator=(COwner&& other) noexcept {
    if (this != &other) {
      reset();
      value_ = std::exchange(other.value_, T{});
    }
    return *this;
  }
  ~COwner() { reset(); }

  // Whether there is something to release.
  explicit operator bool() const noexcept { return value_.release != nullptr; }
  T* get() noexcept { return &value_; }
  const T& operator*() const noexcept { return value_; }
  T* operator->() noexcept { return &value_; }
  const T* operator->() const noexcept { return &value_; }

  void move_to(T* out) noexcept { *out = std::exchange(value_, T{}); }
  void reset() noexcept {
    if (value_.release != nullptr) value_.release(&value_);
    value_ = T{};
  }

 private:
  T value_{};
};

using SchemaOwner = COwner<ArrowSchema>;
using ArrayOwner = COwner<ArrowArray>;
using StreamOwner = COwner<ArrowArrayStream>;

}  // namespace colonnade::arrow
