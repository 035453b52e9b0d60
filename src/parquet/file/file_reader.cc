#include "parquet/file/file_reader.h"

#include <array>
#include <cstring>
#include <utility>

#include "base/checked.h"
#include "base/fail.h"

namespace colonnade::parquet {

namespace {

// "PAR1" at both ends; before the last one stands the footer's length as 4 bytes, little endian.
constexpr std::string_view kMagic = "PAR1";
constexpr std::string_view kEncryptedFooterMagic = "PARE";
constexpr int64_t kMagicBytes = 4;
constexpr int64_t kTailBytes = 8;

// One read gets the tail and, for most files, the whole footer.
constexpr int64_t kFirstReadBytes = int64_t{64} << 10;

Buffer read_bytes(const Context& context, RandomAccessFile& file, int64_t offset, int64_t length) {
  MutableBuffer bytes = context.memory->allocate(length);
  const ReadRange range{offset, length, bytes.data()};
  file.read_many({&range, 1});
  context.metrics->add("read_bytes", length);
  context.metrics->add("reads", 1);
  return std::move(bytes).freeze();
}

Buffer read_footer(const Context& context, RandomAccessFile& file) {
  const int64_t size = file.size();
  if (size < kMagicBytes + kTailBytes) {
    fail(ErrorCode::kCorruptData, "not a Parquet file: too short",
         "{} bytes, at least {} are needed", size, kMagicBytes + kTailBytes);
  }
  const int64_t tail_bytes = std::min(size, kFirstReadBytes);
  const Buffer tail = read_bytes(context, file, size - tail_bytes, tail_bytes);
  const uint8_t* end = tail.data() + tail_bytes;
  const std::string_view magic(reinterpret_cast<const char*>(end) - kMagicBytes, kMagicBytes);
  if (magic == kEncryptedFooterMagic) {
    fail(ErrorCode::kNotSupported,
         "the file is encrypted (encrypted footer), which is not read yet");
  }
  if (magic != kMagic) {
    const Buffer begin = read_bytes(context, file, 0, kMagicBytes);
    const bool is_cut = std::memcmp(begin.data(), kMagic.data(), kMagicBytes) == 0;
    fail(ErrorCode::kCorruptData,
         is_cut ? "the file begins as Parquet, but does not end in PAR1: is it cut off?"
                : "not a Parquet file: it does not end in PAR1",
         "last bytes {:02x} {:02x} {:02x} {:02x}", end[-4], end[-3], end[-2], end[-1]);
  }
  uint32_t claimed;
  std::memcpy(&claimed, end - kTailBytes, sizeof(claimed));
  const int64_t footer_bytes = claimed;
  if (footer_bytes > size - kMagicBytes - kTailBytes) {
    fail(ErrorCode::kCorruptData, "the footer is longer than the file",
         "footer {} bytes, file {} bytes", footer_bytes, size);
  }
  if (footer_bytes + kTailBytes <= tail_bytes) {
    return tail.slice(tail_bytes - kTailBytes - footer_bytes, footer_bytes);
  }
  return read_bytes(context, file, size - kTailBytes - footer_bytes, footer_bytes);
}

}  // namespace

FileReader::FileReader(const Context& context, FilePtr file, const OpenOptions& options,
                       FileIdentity identity, Footer footer)
    : context_(context),
      file_(std::move(file)),
      options_(options),
      identity_(std::move(identity)),
      footer_(std::move(footer)),
      schema_(make_file_schema(footer_, options.int96_unit)) {}

std::shared_ptr<const FileReader> FileReader::open(const Context& context, FilePtr file,
                                                   const OpenOptions& options) {
  if (options.page_limit_bytes <= 0) {
    fail(ErrorCode::kInvalidArgument, "the page limit must be positive", "page_limit_bytes {}",
         options.page_limit_bytes);
  }
  context.cancel.check();
  const std::string name = file->name();
  try {
    FileIdentity identity = file->identity();
    Footer footer = Footer::parse(context, read_footer(context, *file), file->size());
    return std::shared_ptr<const FileReader>(
        new FileReader(context, std::move(file), options, std::move(identity), std::move(footer)));
  } catch (Error& error) {
    error.locate({.file = name});
    throw;
  }
}

void FileReader::check_unchanged() const {
  const FileIdentity now = file_->identity();
  if (now == identity_) return;
  throw Error(ErrorCode::kIo, "the file changed while it was read",
              fmt::format("size {} at open, {} now; modified {} ns later", identity_.size, now.size,
                          now.modified_ns - identity_.modified_ns))
      .locate({.file = file_->name()});
}

int64_t FileReader::midpoint(int32_t row_group) const {
  const Footer::RowGroup& group = footer_.row_groups()[static_cast<size_t>(row_group)];
  if (group.num_chunks == 0) return 0;
  int64_t total = 0;
  if (group.total_compressed_size) {
    total = *group.total_compressed_size;
  } else {
    for (int32_t leaf = 0; leaf < group.num_chunks; ++leaf) {
      total = checked_add(total, footer_.chunk(row_group, leaf).compressed_bytes, "row group size");
    }
  }
  return checked_add(footer_.chunk(row_group, 0).first_page_offset(), total / 2,
                     "row group midpoint");
}

Error no_such_row_group(const FileReader& reader, int32_t ordinal) {
  return Error(ErrorCode::kInvalidArgument, "no such row group",
               fmt::format("row group {}, the file has {}", ordinal,
                           reader.footer().row_groups().size()))
      .locate({.file = reader.file()->name()});
}

}  // namespace colonnade::parquet
