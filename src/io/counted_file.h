// A file together with what each read of it has to look at and to count.
#pragma once

#include <cstdint>

#include <colonnade/context.h>
#include <colonnade/file.h>

#include "io/read_plan.h"

namespace colonnade::io {

// Shared by a plan and its readers, and immutable. Thread-safe.
struct CountedFile {
  Context context;
  FilePtr file;
  ReadPlanOptions options;

  // One read into `out`: checks the cancel token before it, counts `reads` and `read_bytes` after
  // it.
  void read(int64_t offset, int64_t length, uint8_t* out) const;
};

}  // namespace colonnade::io
