// A consumer of Arrow C streams that costs next to nothing, the same for whoever exports: it takes
// every batch over the C interface and lets it go (drain), or holds all of them until told
// otherwise (keep). Called from Python by ctypes, which gives up the GIL meanwhile.
#include <cstdio>
#include <vector>

#include <colonnade/arrow_c.h>

namespace {

// What was taken from a stream; released in the order of arrival.
struct Kept {
  std::vector<ArrowArray> arrays;
  Kept() = default;
  Kept(const Kept&) = delete;
  Kept& operator=(const Kept&) = delete;
  ~Kept() {
    for (ArrowArray& array : arrays) array.release(&array);
  }
};

// Takes the stream over and releases it at the end.
class Stream {
 public:
  explicit Stream(ArrowArrayStream* moved) : stream_(*moved) { moved->release = nullptr; }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  ~Stream() { stream_.release(&stream_); }

  // False at the end and after an error; the error's text is in `message`.
  bool next(ArrowArray* out, char* message, int64_t message_bytes, int* status) {
    *status = stream_.get_next(&stream_, out);
    if (*status != 0) {
      const char* text = stream_.get_last_error(&stream_);
      std::snprintf(message, static_cast<size_t>(message_bytes), "%s",
                    text != nullptr ? text : "the stream gave no message");
      return false;
    }
    return out->release != nullptr;
  }

 private:
  ArrowArrayStream stream_;
};

}  // namespace

extern "C" {

// Gives the number of rows, or -1 with a text in `message`.
int64_t bench_drain(ArrowArrayStream* moved, char* message, int64_t message_bytes) {
  if (moved->release == nullptr) {
    std::snprintf(message, static_cast<size_t>(message_bytes), "the stream was used already");
    return -1;
  }
  Stream stream(moved);
  int64_t num_rows = 0;
  int status = 0;
  ArrowArray array;
  while (stream.next(&array, message, message_bytes, &status)) {
    num_rows += array.length;
    array.release(&array);
  }
  return status == 0 ? num_rows : -1;
}

// As above, but the batches stay in memory until bench_let_go(*kept).
int64_t bench_keep(ArrowArrayStream* moved, void** kept, char* message, int64_t message_bytes) {
  *kept = nullptr;
  if (moved->release == nullptr) {
    std::snprintf(message, static_cast<size_t>(message_bytes), "the stream was used already");
    return -1;
  }
  Stream stream(moved);
  auto* taken = new Kept;
  int64_t num_rows = 0;
  int status = 0;
  ArrowArray array;
  while (stream.next(&array, message, message_bytes, &status)) {
    num_rows += array.length;
    taken->arrays.push_back(array);
  }
  if (status != 0) {
    delete taken;
    return -1;
  }
  *kept = taken;
  return num_rows;
}

void bench_let_go(void* kept) { delete static_cast<Kept*>(kept); }
}
