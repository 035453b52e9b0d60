#include "parquet/column/testing/random_nested.h"

#include <algorithm>
#include <functional>
#include <random>
#include <utility>

namespace colonnade::parquet::testing {
namespace {

using colonnade::testing::Sequence;
using colonnade::testing::Value;

struct Node {
  char kind = 'i';
  bool optional = false;
  std::vector<Node> children;
};

Node parse(const std::string& tree, size_t& at) {
  Node node;
  node.kind = tree.at(at++);
  const std::string opening = "[{<";
  if (const size_t group = opening.find(node.kind); group != std::string::npos) {
    while (tree.at(at) != "]}>"[group]) node.children.push_back(parse(tree, at));
    ++at;
  }
  if (at < tree.size() && tree[at] == '?') {
    node.optional = true;
    ++at;
  }
  return node;
}

void add_elements(FileBuilder& builder, const Node& node, const std::string& name) {
  const Repetition repetition = node.optional ? Repetition::kOptional : Repetition::kRequired;
  const auto annotated = [](LogicalType::Kind kind) {
    LogicalType type;
    type.kind = kind;
    return type;
  };
  const auto count = static_cast<int32_t>(node.children.size());
  switch (node.kind) {
    case 'i':
      builder.element(leaf(name, PhysicalType::kInt32, repetition));
      return;
    case 's':
      builder.element(
          leaf(name, PhysicalType::kByteArray, repetition, annotated(LogicalType::Kind::kString)));
      return;
    case '[':
      builder.element(group(name, 1, repetition, annotated(LogicalType::Kind::kList)));
      builder.element(group("list", 1, Repetition::kRepeated));
      break;
    case '<':
      builder.element(group(name, 1, repetition, annotated(LogicalType::Kind::kMap)));
      builder.element(group("key_value", 2, Repetition::kRepeated));
      break;
    default:
      builder.element(group(name, count, repetition));
  }
  for (size_t i = 0; i < node.children.size(); ++i)
    add_elements(builder, node.children[i], "f" + std::to_string(i));
}

struct LeafLevels {
  char kind = 'i';
  uint32_t max_definition = 0;
  uint32_t max_repetition = 0;
  std::vector<uint32_t> definition;
  std::vector<uint32_t> repetition;
  std::vector<Value> values;
};

void collect_leaves(const Node& node, uint32_t definition, uint32_t repetition,
                    std::vector<LeafLevels>& leaves) {
  definition += node.optional ? 1 : 0;
  if (node.children.empty()) {
    leaves.push_back({node.kind, definition, repetition, {}, {}, {}});
    return;
  }
  const uint32_t repeated = node.kind == '{' ? 0 : 1;
  for (const Node& child : node.children)
    collect_leaves(child, definition + repeated, repetition + repeated, leaves);
}

Value random_value(const Node& node, const NestedShape& shape, std::mt19937_64& random) {
  if (node.optional && std::bernoulli_distribution(shape.null_fraction)(random)) return {};
  if (node.kind == 'i') return {static_cast<int64_t>(random() % 1000)};
  if (node.kind == 's') return {std::string(random() % 20, static_cast<char>('a' + random() % 26))};
  Sequence sequence;
  const auto add_children = [&](Sequence& to) {
    for (const Node& child : node.children) to.values.push_back(random_value(child, shape, random));
  };
  if (node.kind == '{') {
    add_children(sequence);
    return {std::move(sequence)};
  }
  const auto length =
      static_cast<int64_t>(random() % static_cast<uint64_t>(shape.max_elements + 1));
  for (int64_t i = 0; i < length; ++i) {
    Sequence element;
    add_children(element);
    sequence.values.push_back(node.kind == '[' ? element.values[0] : Value{std::move(element)});
  }
  return {std::move(sequence)};
}

int num_leaves(const Node& node) {
  if (node.children.empty()) return 1;
  int count = 0;
  for (const Node& child : node.children) count += num_leaves(child);
  return count;
}

// Takes a value apart:
// https://research.google/pubs/dremel-interactive-analysis-of-web-scale-datasets-2/ `leaf` is the
// first below the node.
void shred(const Node& node, const Value* value, uint32_t definition, uint32_t repetition,
           uint32_t depth, LeafLevels* leaf) {
  const bool is_null = value == nullptr || std::holds_alternative<std::monostate>(value->content);
  if (!is_null && node.optional) ++definition;
  const bool repeats = node.kind == '[' || node.kind == '<';
  const Sequence* const sequence =
      is_null || node.children.empty() ? nullptr : &std::get<Sequence>(value->content);
  if (node.children.empty()) {
    leaf->definition.push_back(definition);
    leaf->repetition.push_back(repetition);
    if (!is_null) leaf->values.push_back(*value);
    return;
  }
  const auto shred_children = [&](const std::vector<const Value*>& values, uint32_t d, uint32_t r,
                                  uint32_t below) {
    LeafLevels* next = leaf;
    for (size_t i = 0; i < node.children.size(); ++i) {
      shred(node.children[i], values[i], d, r, below, next);
      next += num_leaves(node.children[i]);
    }
  };
  if (sequence == nullptr || (repeats && sequence->values.empty())) {
    // Nothing below: an entry for each leaf at the level that was reached.
    const int below = num_leaves(node);
    for (int i = 0; i < below; ++i) {
      leaf[i].definition.push_back(definition);
      leaf[i].repetition.push_back(repetition);
    }
    return;
  }
  if (node.kind == '{') {
    std::vector<const Value*> fields;
    for (const Value& field : sequence->values) fields.push_back(&field);
    shred_children(fields, definition, repetition, depth);
    return;
  }
  for (size_t i = 0; i < sequence->values.size(); ++i) {
    std::vector<const Value*> parts{&sequence->values[i]};
    if (node.kind == '<') {
      const Sequence& entry = std::get<Sequence>(sequence->values[i].content);
      parts = {&entry.values[0], &entry.values[1]};
    }
    shred_children(parts, definition + 1, i == 0 ? repetition : depth + 1, depth + 1);
  }
}

Bytes plain_values(const LeafLevels& leaf, size_t begin, size_t end) {
  std::vector<int32_t> numbers;
  std::vector<std::string_view> texts;
  for (size_t i = begin; i < end; ++i) {
    if (leaf.kind == 'i') {
      numbers.push_back(static_cast<int32_t>(std::get<int64_t>(leaf.values[i].content)));
    } else {
      texts.push_back(std::get<std::string>(leaf.values[i].content));
    }
  }
  return leaf.kind == 'i' ? plain_int32(numbers) : plain_byte_array(texts);
}

// The most significant bit first.
Bytes bit_packed(const std::vector<uint32_t>& levels, uint32_t max_level) {
  const int width = bit_width_for(max_level);
  Bytes bytes((levels.size() * static_cast<size_t>(width) + 7) / 8);
  size_t at = 0;
  for (const uint32_t level : levels) {
    for (int bit = width; bit-- > 0; ++at) {
      if ((level >> bit & 1) != 0) bytes[at / 8] |= static_cast<uint8_t>(0x80 >> at % 8);
    }
  }
  return bytes;
}

void add_page(FileBuilder& builder, const NestedShape& shape, const LeafLevels& leaf, size_t begin,
              size_t end, size_t& value) {
  const std::vector<uint32_t> definition(leaf.definition.begin() + static_cast<ptrdiff_t>(begin),
                                         leaf.definition.begin() + static_cast<ptrdiff_t>(end));
  const std::vector<uint32_t> repetition(leaf.repetition.begin() + static_cast<ptrdiff_t>(begin),
                                         leaf.repetition.begin() + static_cast<ptrdiff_t>(end));
  const auto num_valid =
      static_cast<size_t>(std::count(definition.begin(), definition.end(), leaf.max_definition));
  const Bytes values = plain_values(leaf, value, value + num_valid);
  value += num_valid;
  const auto num_values = static_cast<int32_t>(end - begin);
  if (shape.v2) {
    const Bytes d = levels_v2(definition, leaf.max_definition);
    const Bytes r = levels_v2(repetition, leaf.max_repetition);
    builder.page_v2(
        {.num_values = num_values,
         .num_nulls = num_values - static_cast<int32_t>(num_valid),
         .num_rows = static_cast<int32_t>(std::count(repetition.begin(), repetition.end(), 0u)),
         .uncompressed_bytes = static_cast<int32_t>(values.size() + d.size() + r.size())},
        compressed(shape.codec, values), d, r);
    return;
  }
  V1Options options{.num_values = num_values};
  Bytes page = concat({levels_v1(repetition, leaf.max_repetition),
                       levels_v1(definition, leaf.max_definition), values});
  if (shape.bit_packed_levels) {
    options.definition_encoding = EncodingId::kBitPacked;
    options.repetition_encoding = EncodingId::kBitPacked;
    page = concat({bit_packed(repetition, leaf.max_repetition),
                   bit_packed(definition, leaf.max_definition), values});
  }
  options.uncompressed_bytes = static_cast<int32_t>(page.size());
  builder.page_v1(options, compressed(shape.codec, page));
}

}  // namespace

WrittenNested write_random_nested(const NestedShape& shape, uint64_t seed) {
  std::mt19937_64 random(seed);
  size_t at = 0;
  const Node root = parse(shape.tree, at);
  std::vector<LeafLevels> leaves;
  collect_leaves(root, 0, 0, leaves);

  WrittenNested written;
  for (int64_t row = 0; row < shape.num_rows; ++row) {
    written.values.push_back(random_value(root, shape, random));
    shred(root, &written.values.back(), 0, 0, 0, leaves.data());
  }
  FileBuilder builder;
  add_elements(builder, root, "c");
  builder.row_group(shape.num_rows);
  for (const LeafLevels& leaf : leaves) {
    builder.chunk(shape.codec);
    size_t value = 0;
    for (size_t begin = 0; begin < leaf.definition.size();) {
      size_t end = std::min(leaf.definition.size(),
                            begin + 1 + random() % static_cast<uint64_t>(shape.max_page_values));
      while (shape.v2 && end < leaf.definition.size() && leaf.repetition[end] != 0) ++end;
      add_page(builder, shape, leaf, begin, end, value);
      begin = end;
    }
  }
  written.file = builder.build();
  return written;
}

}  // namespace colonnade::parquet::testing
