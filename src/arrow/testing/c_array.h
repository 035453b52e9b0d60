// ArrowArrays made by hand, for what Colonnade's own export never gives: odd offsets, small ids,
// run ends, broken arrays. Each counts its release.
#pragma once

#include <cstdint>
#include <cstring>
#include <list>
#include <memory>
#include <string>
#include <vector>

#include <colonnade/arrow_c.h>

namespace colonnade::arrow::testing {

// Builds one level; move_to() gives it away. Buffers are copied to exactly their size, so that
// AddressSanitizer sees a byte too many.
class CArray {
 public:
  CArray(int64_t length, int64_t null_count = 0, int64_t offset = 0);

  CArray& null_buffer();
  template <typename T>
  CArray& buffer(const std::vector<T>& values) {
    return bytes(values.data(), values.size() * sizeof(T));
  }
  CArray& buffer(const std::string& text) { return bytes(text.data(), text.size()); }
  CArray& child(CArray child);
  CArray& dictionary(CArray dictionary);
  // The structure, to be spoiled before it is given away.
  ArrowArray& raw() { return array_; }

  // `released` counts the call of the release function; children are released by their parent.
  void move_to(ArrowArray* out, int* released);

 private:
  struct Node;
  CArray& bytes(const void* data, size_t size_bytes);
  void finish();
  static void release(ArrowArray* array);

  std::shared_ptr<Node> node_;
  ArrowArray array_{};
};

}  // namespace colonnade::arrow::testing
