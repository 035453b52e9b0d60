// Which bytes of a file are to be read for a column chunk.
#pragma once

#include <cstdint>

#include "io/read_plan.h"
#include "parquet/format/metadata.h"

namespace colonnade::parquet {

// From the chunk's first page on, as many bytes as its metadata says; in files of parquet-mr
// before 1.2.9 a little more, up to the end of the file: its sizes leave out the header of the
// dictionary page (PARQUET-816). What lies behind the chunk's last row is not looked at there.
io::ByteSpan chunk_span(const Footer& footer, const ChunkMetadata& chunk, int64_t file_size);

}  // namespace colonnade::parquet
