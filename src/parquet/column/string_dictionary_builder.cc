#include "parquet/column/string_dictionary_builder.h"

#include <cstring>
#include <random>
#include <utility>

namespace colonnade::parquet {
namespace {

constexpr int64_t kFirstSlots = 256;

__extension__ typedef unsigned __int128 Uint128;

uint64_t fold_product(uint64_t a, uint64_t b) noexcept {
  const Uint128 product = Uint128{a} * b;
  return static_cast<uint64_t>(product) ^ static_cast<uint64_t>(product >> 64);
}

// Differs from process to process, so that no file can be made to collide.
uint64_t process_seed() {
  static const uint64_t seed = [] {
    std::random_device device;
    return (uint64_t{device()} << 32 | device()) | 1;
  }();
  return seed;
}

uint64_t hash_bytes(std::span<const uint8_t> bytes, uint64_t seed) noexcept {
  constexpr uint64_t kOdd1 = 0x9E3779B97F4A7C15;  // 2^64 / golden ratio
  constexpr uint64_t kOdd2 = 0xC2B2AE3D27D4EB4F;
  const uint8_t* position = bytes.data();
  size_t left = bytes.size();
  uint64_t hash = seed ^ (left * kOdd1);
  for (; left >= 8; left -= 8, position += 8) {
    uint64_t word;
    std::memcpy(&word, position, sizeof(word));
    hash = fold_product(hash ^ word, kOdd2 ^ seed);
  }
  uint64_t word = 0;
  if (left > 0) std::memcpy(&word, position, left);
  return fold_product(hash ^ word, kOdd1 ^ seed);
}

}  // namespace

StringDictionaryBuilder::StringDictionaryBuilder(const Context& context) : context_(context) {
  offsets_ = context_.memory->allocate(sizeof(int32_t));
  offsets_.as<int32_t>()[0] = 0;
  bytes_ = context_.memory->allocate(0);
  grow_table();
}

std::span<const uint8_t> StringDictionaryBuilder::value(int32_t id) const noexcept {
  int32_t bounds[2];
  std::memcpy(bounds, offsets_.data() + int64_t{id} * 4, sizeof(bounds));
  return {bytes_.data() + bounds[0], static_cast<size_t>(bounds[1] - bounds[0])};
}

int32_t StringDictionaryBuilder::add(std::span<const uint8_t> bytes) {
  const uint64_t hash = hash_bytes(bytes, process_seed());
  const uint32_t high = static_cast<uint32_t>(hash >> 32);
  const uint64_t mask = static_cast<uint64_t>(num_slots_ - 1);
  uint64_t at = hash & mask;
  Slot* slots = slots_.as<Slot>();
  for (; slots[at].id >= 0; at = (at + 1) & mask) {
    if (slots[at].hash != high) continue;
    const std::span<const uint8_t> known = value(slots[at].id);
    if (known.size() == bytes.size() &&
        (bytes.empty() || std::memcmp(known.data(), bytes.data(), bytes.size()) == 0)) {
      return slots[at].id;
    }
  }
  const int32_t id = static_cast<int32_t>(num_values_);
  const int64_t end = num_bytes_ + static_cast<int64_t>(bytes.size());
  offsets_.resize((num_values_ + 2) * static_cast<int64_t>(sizeof(int32_t)));
  bytes_.resize(end);
  if (!bytes.empty()) std::memcpy(bytes_.data() + num_bytes_, bytes.data(), bytes.size());
  offsets_.as<int32_t>()[num_values_ + 1] = static_cast<int32_t>(end);
  slots[at] = {high, id};
  num_bytes_ = end;
  ++num_values_;
  if (num_values_ * 2 > num_slots_) grow_table();
  return id;
}

void StringDictionaryBuilder::grow_table() {
  const int64_t num_slots = num_slots_ == 0 ? kFirstSlots : num_slots_ * 2;
  MutableBuffer grown = context_.memory->allocate(num_slots * static_cast<int64_t>(sizeof(Slot)));
  std::memset(grown.data(), 0xFF, static_cast<size_t>(grown.size()));  // ids of -1
  const uint64_t mask = static_cast<uint64_t>(num_slots - 1);
  Slot* slots = grown.as<Slot>();
  for (int32_t id = 0; id < num_values_; ++id) {
    const uint64_t hash = hash_bytes(value(id), process_seed());
    uint64_t at = hash & mask;
    while (slots[at].id >= 0) at = (at + 1) & mask;
    slots[at] = {static_cast<uint32_t>(hash >> 32), id};
  }
  slots_ = std::move(grown);
  num_slots_ = num_slots;
}

ColumnPtr StringDictionaryBuilder::finish(const DataType& type) && {
  ColumnParts parts;
  parts.type = type;
  parts.storage = Storage::kOffsets32;
  parts.length = num_values_;
  parts.null_count = 0;
  parts.offsets = std::move(offsets_).freeze();
  parts.bytes = std::move(bytes_).freeze();
  return Column::make(std::move(parts));
}

}  // namespace colonnade::parquet
