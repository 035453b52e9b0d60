// One ColumnChunk struct of a footer.
#pragma once

#include <cstdint>

#include "parquet/format/metadata.h"
#include "parquet/format/schema_tree.h"
#include "parquet/format/thrift.h"

namespace colonnade::parquet {

// Reads the struct that `reader` stands at and checks it against leaf `leaf` of the schema and the
// size of the file; see ChunkMetadata. Errors do not say where: the caller knows.
ChunkMetadata parse_column_chunk(thrift::Reader& reader, const SchemaTree& schema, int32_t leaf,
                                 int64_t file_size);

}  // namespace colonnade::parquet
