#include <colonnade/file.h>

#include <cstring>
#include <utility>

#include "io/range_check.h"

namespace colonnade {
namespace {

class MemoryFile final : public RandomAccessFile {
 public:
  MemoryFile(Buffer bytes, std::string name) : bytes_(std::move(bytes)), name_(std::move(name)) {}

  const std::string& name() const noexcept override { return name_; }
  int64_t size() const override { return bytes_.size(); }
  FileIdentity identity() override { return {.size = bytes_.size()}; }

  void read_many(std::span<const ReadRange> ranges) override {
    io::check_ranges(ranges, bytes_.size(), name_);
    for (const ReadRange& range : ranges) {
      if (range.length == 0) continue;
      std::memcpy(range.out, bytes_.data() + range.offset, static_cast<size_t>(range.length));
    }
  }

 private:
  const Buffer bytes_;
  const std::string name_;
};

}  // namespace

FilePtr open_memory_file(Buffer bytes, std::string name) {
  return std::make_shared<MemoryFile>(std::move(bytes), std::move(name));
}

}  // namespace colonnade
