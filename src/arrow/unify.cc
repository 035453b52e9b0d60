#include "arrow/unify.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string_view>

#include "arrow/row_blocks.h"
#include "arrow/row_selection.h"
#include "arrow/take.h"
#include "base/bits.h"
#include "base/fail.h"
#include "column/decimal.h"
#include "column/scalar.h"

namespace colonnade::arrow {
namespace {

uint64_t mix(uint64_t a, uint64_t b) noexcept {
  const uint128_t product = static_cast<uint128_t>(a) * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// Of this process only; nothing stored depends on it.
uint64_t hash_of(std::string_view bytes) noexcept {
  constexpr uint64_t kOdd1 = 0x9E3779B97F4A7C15u;
  constexpr uint64_t kOdd2 = 0xD6E8FEB86659FD93u;
  uint64_t hash = mix(bytes.size() + kOdd1, kOdd2);
  while (bytes.size() >= sizeof(uint64_t)) {
    uint64_t word;
    std::memcpy(&word, bytes.data(), sizeof(word));
    hash = mix(hash ^ word, kOdd1);
    bytes.remove_prefix(sizeof(word));
  }
  if (!bytes.empty()) {
    uint64_t word = 0;
    std::memcpy(&word, bytes.data(), bytes.size());
    hash = mix(hash ^ word, kOdd2);
  }
  return hash;
}

// The bytes by which two values are the same. `scratch` serves those that do not lie in bytes of
// their own.
std::string_view bytes_of(const ScalarRef& value, const Column& column, int64_t row,
                          char& scratch) {
  const ColumnParts& parts = column.parts();
  switch (parts.storage) {
    case Storage::kBits:
      scratch = value.as_bool() ? 1 : 0;
      return {&scratch, 1};
    case Storage::kFixed: {
      const uint8_t* data = parts.values.data() + (parts.offset + row) * parts.byte_width;
      return {reinterpret_cast<const char*>(data), static_cast<size_t>(parts.byte_width)};
    }
    default:
      return value.as_bytes();
  }
}

// An open-addressing table of ids; a slot is free when it is negative.
class IdTable {
 public:
  explicit IdTable(const Context& context) : context_(context), slots_(new_slots(kFirstSlots)) {}

  // The id of `bytes`, or `next_id` when they are new. `same(id)` says whether id's value has those
  // bytes, `hash_of_id(id)` gives its hash again.
  template <typename Same, typename HashOfId>
  int32_t find_or_add(uint64_t hash, int32_t next_id, const Same& same,
                      const HashOfId& hash_of_id) {
    // At most half full.
    if (2 * int64_t{next_id} >= num_slots_) grow(next_id, hash_of_id);
    uint64_t slot = hash & static_cast<uint64_t>(num_slots_ - 1);
    for (;;) {
      int32_t& id = slots_.as<int32_t>()[slot];
      if (id < 0) return id = next_id;
      if (same(id)) return id;
      slot = (slot + 1) & static_cast<uint64_t>(num_slots_ - 1);
    }
  }

 private:
  static constexpr int64_t kFirstSlots = 1024;

  MutableBuffer new_slots(int64_t count) {
    MutableBuffer slots = context_.memory->allocate(count * 4);
    std::memset(slots.data(), 0xFF, static_cast<size_t>(count) * 4);
    num_slots_ = count;
    return slots;
  }

  template <typename HashOfId>
  void grow(int32_t num_ids, const HashOfId& hash_of_id) {
    slots_ = new_slots(num_slots_ * 4);
    for_each_block(context_.cancel, num_ids, [&](int64_t begin, int64_t end) {
      for (int64_t id = begin; id < end; ++id) {
        uint64_t slot =
            hash_of_id(static_cast<int32_t>(id)) & static_cast<uint64_t>(num_slots_ - 1);
        while (slots_.as<int32_t>()[slot] >= 0)
          slot = (slot + 1) & static_cast<uint64_t>(num_slots_ - 1);
        slots_.as<int32_t>()[slot] = static_cast<int32_t>(id);
      }
    });
  }

  Context context_;
  int64_t num_slots_ = 0;
  MutableBuffer slots_;
};

}  // namespace

ColumnPtr unify(const Context& context, const Column& column) {
  const ColumnParts& in = column.parts();
  const int64_t length = in.length;
  if (length > std::numeric_limits<int32_t>::max()) {
    fail(ErrorCode::kOutOfBudget, "too many rows for the int32 ids of a dictionary", "{}", length);
  }
  MutableBuffer ids = context.memory->allocate_zeroed(length * 4);
  MutableBuffer first_rows =
      context.memory->allocate(length * 8);  // id -> the row it was met first
  int64_t* rows = first_rows.as<int64_t>();
  int32_t num_ids = 0;
  const bool compares = !in.type.is_nested();
  IdTable table(context);
  char scratch = 0;
  char other_scratch = 0;
  const auto bytes_of_row = [&](int64_t row, char& buffer) {
    return bytes_of(ScalarRef(column, row), column, row, buffer);
  };
  for_each_block(context.cancel, length, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; ++row) {
      if (!column.is_valid(row)) continue;
      int32_t id = num_ids;
      if (compares) {
        const std::string_view bytes = bytes_of_row(row, scratch);
        id = table.find_or_add(
            hash_of(bytes), num_ids,
            [&](int32_t other) { return bytes_of_row(rows[other], other_scratch) == bytes; },
            [&](int32_t other) { return hash_of(bytes_of_row(rows[other], other_scratch)); });
      }
      if (id == num_ids) rows[num_ids++] = row;
      ids.as<int32_t>()[row] = id;
    }
  });

  ColumnParts out;
  out.type = in.type;
  out.storage = in.storage;
  out.byte_width = in.byte_width;
  out.encoding = Encoding::kDictionary;
  out.length = length;
  out.null_count = column.null_count();
  if (out.null_count > 0) out.validity = rebased_bits(context, in.validity, in.offset, length);
  out.values = std::move(ids).freeze();
  out.dictionary = Dictionary::make(take(context, column, {Ids64{rows}, num_ids}), compares, false);
  return Column::make(std::move(out));
}

}  // namespace colonnade::arrow
