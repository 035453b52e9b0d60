// What no reader can go below on this machine: reading the cached file, decompressing its pages,
// and copying as many bytes as the output has. Each is done alone, by as many threads as asked,
// into buffers that were touched before. Called from Python by ctypes.
#include <fcntl.h>
#include <snappy.h>
#include <sys/mman.h>
#include <unistd.h>
#include <zstd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstring>
#include <memory>
#include <thread>
#include <vector>

#if __has_include(<snappy-stubs-public.h>)
#include <snappy-stubs-public.h>
#endif

namespace {

enum Codec : int32_t { kNone = 0, kSnappy = 1, kZstd = 2 };

// Mapped memory, in huge pages where the system gives them, every page touched.
class Touched {
 public:
  explicit Touched(int64_t num_bytes)
      : num_bytes_(static_cast<size_t>(std::max<int64_t>(num_bytes, 1))) {
    void* mapped =
        mmap(nullptr, num_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) return;
    madvise(mapped, num_bytes_, MADV_HUGEPAGE);
    std::memset(mapped, 1, num_bytes_);
    data_ = static_cast<uint8_t*>(mapped);
  }
  Touched(const Touched&) = delete;
  Touched& operator=(const Touched&) = delete;
  ~Touched() {
    if (data_ != nullptr) munmap(data_, num_bytes_);
  }
  uint8_t* data() const { return data_; }

 private:
  size_t num_bytes_;
  uint8_t* data_ = nullptr;
};

// Runs work(thread) on `num_threads` threads, the caller being one of them.
template <typename Work>
void in_parallel(int32_t num_threads, const Work& work) {
  std::vector<std::thread> others;
  for (int32_t thread = 1; thread < num_threads; ++thread) others.emplace_back(work, thread);
  work(0);
  for (std::thread& other : others) other.join();
}

}  // namespace

extern "C" {

// Where a page's compressed bytes stand in the file, and what they become. Levels of v2 pages,
// which are not compressed, are not part of it.
struct BenchPage {
  int64_t offset;
  int64_t compressed_bytes;
  int64_t uncompressed_bytes;
  int32_t codec;
  int32_t reserved;
};

struct BenchFloor {
  int fd = -1;
  int64_t file_bytes = 0;
  int64_t piece_bytes = 0;
  int64_t output_bytes = 0;
  int32_t num_threads = 1;
  std::vector<BenchPage> pages;
  std::vector<std::unique_ptr<Touched>> scratch;  // thread -> piece or largest page
  std::unique_ptr<Touched> file;                  // the whole file, for decompression alone
  std::unique_ptr<Touched> source;                // one piece of output per thread
  std::unique_ptr<Touched> output;                // one piece per thread, or all of the output
  ~BenchFloor() {
    if (fd >= 0) close(fd);
  }
};

void bench_floor_close(BenchFloor* floor) { delete floor; }

// Reads by pread in pieces of `piece_bytes` into one buffer per thread. Gives the bytes read, -1 on
// failure.
int64_t bench_floor_read(BenchFloor* floor) {
  std::atomic<int64_t> next{0};
  std::atomic<int64_t> num_read{0};
  in_parallel(floor->num_threads, [&](int32_t thread) {
    uint8_t* buffer = floor->scratch[static_cast<size_t>(thread)]->data();
    for (;;) {
      const int64_t offset = next.fetch_add(floor->piece_bytes);
      if (offset >= floor->file_bytes) return;
      int64_t done = 0;
      const int64_t wanted = std::min(floor->piece_bytes, floor->file_bytes - offset);
      while (done < wanted) {
        const ssize_t got =
            pread(floor->fd, buffer + done, static_cast<size_t>(wanted - done), offset + done);
        if (got <= 0) return;
        done += got;
      }
      num_read += done;
    }
  });
  return num_read == floor->file_bytes ? num_read.load() : -1;
}

// Decompresses every page from memory into one recycled buffer per thread. Gives the bytes that
// came out, -1 where a page does not become what its header says.
int64_t bench_floor_decompress(BenchFloor* floor) {
  std::atomic<size_t> next{0};
  std::atomic<int64_t> num_out{0};
  std::atomic<bool> failed{false};
  in_parallel(floor->num_threads, [&](int32_t thread) {
    uint8_t* out = floor->scratch[static_cast<size_t>(thread)]->data();
    std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> zstd(ZSTD_createDCtx(), ZSTD_freeDCtx);
    for (;;) {
      const size_t ordinal = next.fetch_add(1);
      if (ordinal >= floor->pages.size()) return;
      const BenchPage& page = floor->pages[ordinal];
      const uint8_t* in = floor->file->data() + page.offset;
      const auto in_bytes = static_cast<size_t>(page.compressed_bytes);
      const auto out_bytes = static_cast<size_t>(page.uncompressed_bytes);
      bool good = true;
      if (page.codec == kSnappy) {
        size_t announced = 0;
        const auto* text = reinterpret_cast<const char*>(in);
        good = snappy::GetUncompressedLength(text, in_bytes, &announced) &&
               announced == out_bytes &&
               snappy::RawUncompress(text, in_bytes, reinterpret_cast<char*>(out));
      } else if (page.codec == kZstd) {
        good = ZSTD_decompressDCtx(zstd.get(), out, out_bytes, in, in_bytes) == out_bytes;
      } else {
        continue;  // nothing to decompress: a reader can decode in place
      }
      if (!good) failed = true;
      num_out += page.uncompressed_bytes;
    }
  });
  return failed ? -1 : num_out.load();
}

// Copies `output_bytes` from a piece that stays in the cache to the output: all of it (kept), or
// one piece over and over (streaming), as bench_floor_open was told.
int64_t bench_floor_copy(BenchFloor* floor, int32_t kept) {
  const int64_t piece_bytes = floor->piece_bytes;
  std::atomic<int64_t> next{0};
  in_parallel(floor->num_threads, [&](int32_t thread) {
    const uint8_t* source = floor->source->data() + thread * piece_bytes;
    for (;;) {
      const int64_t offset = next.fetch_add(piece_bytes);
      if (offset >= floor->output_bytes) return;
      uint8_t* target = floor->output->data() + (kept != 0 ? offset : thread * piece_bytes);
      std::memcpy(target, source,
                  static_cast<size_t>(std::min(piece_bytes, floor->output_bytes - offset)));
    }
  });
  return floor->output_bytes;
}

// `output_bytes` is what all of the output takes, `piece_bytes` what is read or copied at a time;
// `kept` says whether the whole output is written or one piece again and again. Null where memory
// or the file cannot be had, or where a page lies outside of the file.
BenchFloor* bench_floor_open(const char* path, const BenchPage* pages, int64_t num_pages,
                             int64_t output_bytes, int64_t piece_bytes, int32_t kept,
                             int32_t num_threads) {
  auto floor = std::make_unique<BenchFloor>();
  floor->fd = open(path, O_RDONLY | O_CLOEXEC);
  if (floor->fd < 0) return nullptr;
  floor->file_bytes = lseek(floor->fd, 0, SEEK_END);
  floor->piece_bytes = piece_bytes;
  floor->output_bytes = output_bytes;
  floor->num_threads = num_threads;
  floor->pages.assign(pages, pages + num_pages);
  int64_t largest_bytes = piece_bytes;
  for (const BenchPage& page : floor->pages) {
    if (page.offset < 0 || page.compressed_bytes < 0 || page.uncompressed_bytes < 0 ||
        page.compressed_bytes > floor->file_bytes ||
        page.offset > floor->file_bytes - page.compressed_bytes) {
      return nullptr;
    }
    largest_bytes = std::max(largest_bytes, page.uncompressed_bytes);
  }
  for (int32_t thread = 0; thread < num_threads; ++thread) {
    floor->scratch.push_back(std::make_unique<Touched>(largest_bytes));
    if (floor->scratch.back()->data() == nullptr) return nullptr;
  }
  floor->file = std::make_unique<Touched>(num_pages != 0 ? floor->file_bytes : 0);
  floor->source = std::make_unique<Touched>(piece_bytes * num_threads);
  floor->output = std::make_unique<Touched>(kept != 0 ? output_bytes : piece_bytes * num_threads);
  if (floor->file->data() == nullptr || floor->source->data() == nullptr ||
      floor->output->data() == nullptr) {
    return nullptr;
  }
  for (int64_t done = 0; num_pages != 0 && done < floor->file_bytes;) {
    const ssize_t got = pread(floor->fd, floor->file->data() + done,
                              static_cast<size_t>(floor->file_bytes - done), done);
    if (got <= 0) return nullptr;
    done += got;
  }
  return floor.release();
}

// Writes to `num_bytes` of fresh memory and gives them back, so that a virtual machine has them at
// hand.
int64_t bench_touch(int64_t num_bytes) {
  return Touched(num_bytes).data() != nullptr ? num_bytes : -1;
}

const char* bench_snappy_version() {
#ifdef SNAPPY_MAJOR
#define BENCH_TEXT(x) #x
#define BENCH_VERSION(major, minor, patch) \
  BENCH_TEXT(major) "." BENCH_TEXT(minor) "." BENCH_TEXT(patch)
  return BENCH_VERSION(SNAPPY_MAJOR, SNAPPY_MINOR, SNAPPY_PATCHLEVEL);
#else
  return "unknown";
#endif
}

const char* bench_zstd_version() { return ZSTD_versionString(); }
}
