#include "parquet/testing/corpus.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

namespace colonnade::parquet::testing {

namespace fs = std::filesystem;

std::optional<fs::path> corpus_folder() {
  const char* set = std::getenv("COLONNADE_CORPUS");
  const fs::path folder = set != nullptr ? fs::path(set) : fs::path("..") / "shared" / "corpus";
  if (!fs::is_directory(folder)) return std::nullopt;
  return folder;
}

std::vector<fs::path> corpus_files(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool wanted = name.ends_with(".parquet") || name.ends_with(".parquet.encrypted");
    if (wanted && entry.is_regular_file()) files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Bytes file_bytes(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return Bytes(std::istreambuf_iterator<char>(file), {});
}

std::optional<Bytes> footer_of(const Bytes& file) {
  constexpr size_t kTailBytes = 8;
  if (file.size() < kTailBytes || std::memcmp(file.data() + file.size() - 4, "PAR1", 4) != 0)
    return std::nullopt;
  uint32_t length;
  std::memcpy(&length, file.data() + file.size() - kTailBytes, sizeof(length));
  if (length > file.size() - kTailBytes) return std::nullopt;
  const auto end = file.end() - kTailBytes;
  return Bytes(end - length, end);
}

}  // namespace colonnade::parquet::testing
