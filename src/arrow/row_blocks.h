// Loops over the rows of columns that may be long enough for somebody to cancel them.
#pragma once

#include <algorithm>
#include <cstdint>

#include <colonnade/context.h>

namespace colonnade::arrow {

// Calls run(begin, end) for one block of [0, length) after another; throws kCancelled before the
// next one once that is asked for.
template <typename Run>
void for_each_block(const CancelToken& cancel, int64_t length, Run&& run) {
  constexpr int64_t kRowsPerBlock = int64_t{1} << 16;
  for (int64_t begin = 0; begin < length; begin += kRowsPerBlock) {
    cancel.check();
    run(begin, std::min(begin + kRowsPerBlock, length));
  }
}

}  // namespace colonnade::arrow
