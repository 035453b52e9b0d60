// What a footer says, as plain structs and as JSON.
#pragma once

#include <string>

#include <colonnade/parquet.h>

#include "parquet/file/file_reader.h"

namespace colonnade::parquet {

RowGroupInfo row_group_info(const FileReader& reader, int32_t ordinal);
ColumnChunkInfo column_chunk_info(const FileReader& reader, int32_t row_group, int32_t leaf);

// The documents of docs/formats/json.md. kCancelled.
std::string schema_json(const FileReader& reader);
std::string metadata_json(const FileReader& reader);

}  // namespace colonnade::parquet
