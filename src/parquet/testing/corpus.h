// Files that other systems wrote: outside of this repository, and tests pass without them.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "parquet/testing/thrift_writer.h"

namespace colonnade::parquet::testing {

// $COLONNADE_CORPUS, else ../shared/corpus beside the working folder; nothing where that is no
// folder.
std::optional<std::filesystem::path> corpus_folder();

// The Parquet files (and encrypted ones) below the folder, sorted.
std::vector<std::filesystem::path> corpus_files(const std::filesystem::path& folder);

Bytes file_bytes(const std::filesystem::path& path);

// The FileMetaData struct of a whole file; nothing where magic and length are not those of a file
// with a plain footer.
std::optional<Bytes> footer_of(const Bytes& file);

}  // namespace colonnade::parquet::testing
