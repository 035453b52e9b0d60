#include <colonnade/file.h>

namespace colonnade {

void RandomAccessFile::will_need(int64_t, int64_t) noexcept {}

}  // namespace colonnade
