// Runs a fuzz target over kept inputs without libFuzzer: every build with tests has these programs,
// so that an input which once crashed stays a test. A crash, a sanitizer report or an uncaught
// exception ends the program; that is the failure.
//
//   x_fuzz_replay FILE|FOLDER...     prints how many inputs ran; 2 when a path is missing

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

namespace fs = std::filesystem;

void run(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  const std::vector<char> bytes{std::istreambuf_iterator<char>(file), {}};
  // A copy of exactly this size, so that AddressSanitizer sees a read past its end.
  const std::vector<std::uint8_t> input(bytes.begin(), bytes.end());
  LLVMFuzzerTestOneInput(input.data(), input.size());
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t num_inputs = 0;
  for (int i = 1; i < argc; ++i) {
    const fs::path path = argv[i];
    if (fs::is_directory(path)) {
      for (const auto& entry : fs::recursive_directory_iterator(path)) {
        if (!entry.is_regular_file()) continue;
        run(entry.path());
        ++num_inputs;
      }
    } else if (fs::is_regular_file(path)) {
      run(path);
      ++num_inputs;
    } else {
      std::fprintf(stderr, "%s: no such file or folder\n", argv[i]);
      return 2;
    }
  }
  std::printf("%zu inputs replayed\n", num_inputs);
  return 0;
}
