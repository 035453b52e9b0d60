#include "io/counted_file.h"

namespace colonnade::io {

void CountedFile::read(int64_t offset, int64_t length, uint8_t* out) const {
  context.cancel.check();
  const ReadRange range{offset, length, out};
  file->read_many({&range, 1});
  context.metrics->add("reads", 1);
  context.metrics->add("read_bytes", length);
}

}  // namespace colonnade::io
