// 64-bit sizes that cannot wrap around.
#pragma once

#include <cstdint>

#include "base/fail.h"

namespace colonnade {

// a + b and a * b; kOutOfBudget naming `purpose` on overflow (no such size can ever be allocated).
inline int64_t checked_add(int64_t a, int64_t b, const char* purpose) {
  int64_t sum;
  if (__builtin_add_overflow(a, b, &sum))
    fail(ErrorCode::kOutOfBudget, "size overflow", "{}: {} + {}", purpose, a, b);
  return sum;
}
inline int64_t checked_mul(int64_t a, int64_t b, const char* purpose) {
  int64_t product;
  if (__builtin_mul_overflow(a, b, &product))
    fail(ErrorCode::kOutOfBudget, "size overflow", "{}: {} * {}", purpose, a, b);
  return product;
}

}  // namespace colonnade
