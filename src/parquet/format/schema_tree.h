// The schema of a footer: a list of elements, depth first, that must be a tree.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "parquet/format/metadata.h"
#include "parquet/format/metadata_account.h"
#include "parquet/format/thrift.h"

namespace colonnade::parquet {

struct SchemaTree {
  std::vector<SchemaElement> elements;  // root at 0
  std::vector<int32_t> parents;         // of each element; -1 for the root
  std::vector<int32_t> leaves;          // elements

  // Names from the child of the root down to the element.
  std::vector<std::string> path(int32_t element) const;
  std::string dotted_path(int32_t element) const;
};

// Reads `field`, the list of schema elements. Unknown converted and logical types are none; an
// unknown physical type is kNotSupported.
std::vector<SchemaElement> parse_schema_elements(thrift::Reader& reader, const thrift::Field& field,
                                                 MetadataAccount& account);

// kCorruptData for what is no tree of groups and leaves, or a leaf whose type makes no sense on its
// own.
SchemaTree make_schema_tree(std::vector<SchemaElement> elements, MetadataAccount& account);

}  // namespace colonnade::parquet
