#include "parquet/format/metadata.h"

#include <limits>
#include <utility>

#include "base/fail.h"
#include "parquet/format/column_chunk.h"
#include "parquet/format/metadata_account.h"
#include "parquet/format/schema_tree.h"
#include "parquet/format/thrift.h"

namespace colonnade::parquet {

namespace {

using thrift::Field;
using thrift::Reader;
using thrift::WireType;

// With the footer's own bytes, everything takes at most kFixedBytes + kBytesPerByte times those.
constexpr int64_t kFixedBytes = int64_t{1} << 20;
constexpr int64_t kBytesPerByte = 16;

int64_t index_limit_bytes(int64_t footer_bytes) {
  return kFixedBytes + (kBytesPerByte - 1) * footer_bytes;
}

// The members of the ColumnOrder union whose order is that of the type.
bool is_known_order(int16_t id) { return id == 1 || id == 2; }

}  // namespace

struct Footer::Impl {
  Impl(std::shared_ptr<MemoryPool> pool, Buffer footer, int64_t size_of_file)
      : account(std::move(pool), index_limit_bytes(footer.size())),
        bytes(std::move(footer)),
        file_size(size_of_file) {}

  void parse();
  void parse_row_groups(Reader& reader, const Field& field);
  RowGroup parse_row_group(Reader& reader);
  void parse_chunk_list(Reader& reader, const Field& field, RowGroup& row_group);
  void parse_key_values(Reader& reader, const Field& field);
  void parse_column_orders(Reader& reader, const Field& field);
  void check_row_groups();

  MetadataAccount account;
  Buffer bytes;
  int64_t file_size;
  int32_t version = 0;
  int64_t num_rows = 0;
  std::string created_by;
  std::vector<KeyValue> key_values;
  SchemaTree schema;
  std::vector<RowGroup> row_groups;
  // Where in `bytes` the ColumnChunk structs are; row group by row group.
  std::vector<uint32_t> chunk_offsets;
  // By leaf: whether its statistics have an order that is not known. Empty where all are known.
  std::vector<bool> unknown_orders;
};

void Footer::Impl::parse() {
  Reader reader({bytes.data(), static_cast<size_t>(bytes.size())}, "footer");
  std::optional<int32_t> claimed_version;
  std::optional<int64_t> claimed_rows;
  bool has_schema = false;
  bool has_row_groups = false;
  for (Field field; reader.next(field);) {
    switch (field.id) {
      case 1:
        claimed_version = reader.i32(field, "version");
        break;
      case 2:
        if (has_schema) fail(ErrorCode::kCorruptData, "the footer has two schemas");
        schema = make_schema_tree(parse_schema_elements(reader, field, account), account);
        has_schema = true;
        break;
      case 3:
        claimed_rows = reader.i64(field, "num_rows");
        break;
      case 4:
        if (has_row_groups) fail(ErrorCode::kCorruptData, "the footer has two lists of row groups");
        parse_row_groups(reader, field);
        has_row_groups = true;
        break;
      case 5:
        parse_key_values(reader, field);
        break;
      case 6:
        created_by = reader.string(field, "created_by");
        account.charge_text(created_by.size(), "created_by");
        break;
      case 7:
        parse_column_orders(reader, field);
        break;
      default:
        reader.skip(field);  // of an encrypted file: the algorithm and the key's name; the chunks
                             // say so too
    }
  }
  // Bytes behind the struct are let be: a signature stands there in files whose footer is signed.
  if (!claimed_version) reader.fail_missing("version");
  if (!has_schema) reader.fail_missing("schema");
  if (!claimed_rows) reader.fail_missing("num_rows");
  if (!has_row_groups) reader.fail_missing("row_groups");
  version = *claimed_version;
  num_rows = *claimed_rows;
  if (unknown_orders.size() != schema.leaves.size()) unknown_orders.clear();
  check_row_groups();
}

void Footer::Impl::parse_row_groups(Reader& reader, const Field& field) {
  const int64_t num_row_groups = reader.begin_list(field, WireType::kStruct, "row_groups");
  for (int64_t i = 0; i < num_row_groups; ++i) {
    account.make_room(row_groups, "the row groups");
    try {
      row_groups.push_back(parse_row_group(reader));
    } catch (Error& error) {
      error.locate({.row_group = i});
      throw;
    }
  }
}

Footer::RowGroup Footer::Impl::parse_row_group(Reader& reader) {
  RowGroup row_group;
  bool has_columns = false;
  std::optional<int64_t> total_byte_size;
  std::optional<int64_t> claimed_rows;
  for (Field field; reader.next(field);) {
    switch (field.id) {
      case 1:
        if (has_columns) fail(ErrorCode::kCorruptData, "the row group has two lists of columns");
        parse_chunk_list(reader, field, row_group);
        has_columns = true;
        break;
      case 2:
        total_byte_size = reader.i64(field, "total_byte_size");
        break;
      case 3:
        claimed_rows = reader.i64(field, "num_rows");
        break;
      case 5:
        row_group.file_offset = reader.i64(field, "file_offset");
        break;
      case 6:
        row_group.total_compressed_size = reader.i64(field, "total_compressed_size");
        break;
      default:
        reader.skip(field);
    }
  }
  if (!has_columns) reader.fail_missing("columns");
  if (!total_byte_size) reader.fail_missing("total_byte_size");
  if (!claimed_rows) reader.fail_missing("num_rows");
  if (*claimed_rows < 0 || *total_byte_size < 0) {
    fail(ErrorCode::kCorruptData, "negative number in a row group's metadata",
         "num_rows {}, total_byte_size {}", *claimed_rows, *total_byte_size);
  }
  row_group.num_rows = *claimed_rows;
  row_group.total_byte_size = *total_byte_size;
  // It only places the row group in a split; the chunks' own sizes do that as well.
  if (row_group.total_compressed_size &&
      (*row_group.total_compressed_size < 0 || *row_group.total_compressed_size > file_size)) {
    row_group.total_compressed_size.reset();
  }
  return row_group;
}

void Footer::Impl::parse_chunk_list(Reader& reader, const Field& field, RowGroup& row_group) {
  const int64_t num_chunks = reader.begin_list(field, WireType::kStruct, "columns");
  row_group.first_chunk = static_cast<int64_t>(chunk_offsets.size());
  row_group.num_chunks = static_cast<int32_t>(num_chunks);
  for (int64_t i = 0; i < num_chunks; ++i) {
    account.make_room(chunk_offsets, "the index of the column chunks");
    chunk_offsets.push_back(static_cast<uint32_t>(reader.position()));
    reader.skip_struct();
  }
}

void Footer::Impl::parse_key_values(Reader& reader, const Field& field) {
  constexpr const char* kPurpose = "the key-value metadata";
  key_values.clear();
  const int64_t num_key_values = reader.begin_list(field, WireType::kStruct, "key_value_metadata");
  for (int64_t i = 0; i < num_key_values; ++i) {
    std::string_view key;
    std::string_view value;
    bool has_key = false;
    for (Field member; reader.next(member);) {
      switch (member.id) {
        case 1:
          key = reader.string(member, "key");
          has_key = true;
          break;
        case 2:
          value = reader.string(member, "value");
          break;
        default:
          reader.skip(member);
      }
    }
    if (!has_key) reader.fail_missing("key");
    account.charge_text(key.size(), kPurpose);
    account.charge_text(value.size(), kPurpose);
    account.make_room(key_values, kPurpose);
    key_values.emplace_back(key, value);
  }
}

void Footer::Impl::parse_column_orders(Reader& reader, const Field& field) {
  unknown_orders.clear();
  bool any = false;
  const int64_t num_orders = reader.begin_list(field, WireType::kStruct, "column_orders");
  account.charge(num_orders / 4, "the columns' orders");
  for (int64_t i = 0; i < num_orders; ++i) {
    bool known = false;
    for (Field member; reader.next(member);) {
      known = is_known_order(member.id);
      reader.skip(member);
    }
    any |= !known;
    unknown_orders.push_back(!known);
  }
  if (!any) unknown_orders.clear();
}

void Footer::Impl::check_row_groups() {
  if (num_rows < 0)
    fail(ErrorCode::kCorruptData, "negative number of rows in the footer", "{}", num_rows);
  int64_t sum = 0;
  for (size_t i = 0; i < row_groups.size(); ++i) {
    const RowGroup& row_group = row_groups[i];
    const Place place{.row_group = static_cast<int64_t>(i)};
    if (static_cast<size_t>(row_group.num_chunks) != schema.leaves.size()) {
      throw Error(
          ErrorCode::kCorruptData, "row group with another number of columns than the schema",
          fmt::format("{} column chunks, {} columns", row_group.num_chunks, schema.leaves.size()))
          .locate(place);
    }
    if (__builtin_add_overflow(sum, row_group.num_rows, &sum)) {
      throw Error(ErrorCode::kCorruptData, "more rows than a 64-bit number counts",
                  fmt::format("{} rows in this row group", row_group.num_rows))
          .locate(place);
    }
  }
  // There are writers that leave the file's own number at 0: then it says nothing.
  if (num_rows == 0) num_rows = sum;
  if (sum != num_rows) {
    fail(ErrorCode::kCorruptData, "the row groups have other rows than the file",
         "{} in the row groups, {} in the file", sum, num_rows);
  }
}

Footer Footer::parse(const Context& context, Buffer bytes, int64_t file_size) {
  if (bytes.size() > std::numeric_limits<uint32_t>::max()) {
    fail(ErrorCode::kCorruptData, "footer longer than its length field can say", "{} bytes",
         bytes.size());
  }
  auto impl = std::make_unique<Impl>(context.memory, std::move(bytes), file_size);
  impl->parse();
  return Footer(std::move(impl));
}

ChunkMetadata Footer::chunk(int32_t row_group, int32_t leaf) const {
  if (row_group < 0 || static_cast<size_t>(row_group) >= impl_->row_groups.size() || leaf < 0 ||
      leaf >= num_leaves()) {
    fail(ErrorCode::kInvalidArgument, "no such column chunk", "row group {} of {}, column {} of {}",
         row_group, impl_->row_groups.size(), leaf, num_leaves());
  }
  const RowGroup& group = impl_->row_groups[static_cast<size_t>(row_group)];
  const uint32_t offset = impl_->chunk_offsets[static_cast<size_t>(group.first_chunk + leaf)];
  const Buffer& bytes = impl_->bytes;
  Reader reader({bytes.data() + offset, static_cast<size_t>(bytes.size() - offset)}, "footer",
                thrift::AtEnd::kThrow, offset);
  try {
    ChunkMetadata chunk = parse_column_chunk(reader, impl_->schema, leaf, impl_->file_size);
    chunk.statistics.unknown_order =
        !impl_->unknown_orders.empty() && impl_->unknown_orders[static_cast<size_t>(leaf)];
    return chunk;
  } catch (Error& error) {
    error.locate({.column = impl_->schema.dotted_path(leaf_element(leaf)), .row_group = row_group});
    throw;
  }
}

int32_t Footer::version() const noexcept { return impl_->version; }
int64_t Footer::num_rows() const noexcept { return impl_->num_rows; }
const std::string& Footer::created_by() const noexcept { return impl_->created_by; }
const std::vector<KeyValue>& Footer::key_value_metadata() const noexcept {
  return impl_->key_values;
}
const std::vector<SchemaElement>& Footer::schema() const noexcept { return impl_->schema.elements; }
int32_t Footer::num_leaves() const noexcept {
  return static_cast<int32_t>(impl_->schema.leaves.size());
}
int32_t Footer::leaf_element(int32_t leaf) const noexcept {
  return impl_->schema.leaves[static_cast<size_t>(leaf)];
}
std::string Footer::dotted_path(int32_t element) const {
  return impl_->schema.dotted_path(element);
}
const std::vector<Footer::RowGroup>& Footer::row_groups() const noexcept {
  return impl_->row_groups;
}
int64_t Footer::size_bytes() const noexcept { return impl_->bytes.size(); }
const std::shared_ptr<MemoryPool>& Footer::memory() const noexcept { return impl_->account.pool(); }

Footer::Footer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Footer::Footer(Footer&&) noexcept = default;
Footer& Footer::operator=(Footer&&) noexcept = default;
Footer::~Footer() = default;

}  // namespace colonnade::parquet
