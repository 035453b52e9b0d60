// Prints the version, after catching an error that the library threw: an exception that crosses the
// library's edge needs its type to be the same on both sides.
#include <cstdio>

#include <colonnade/colonnade.h>
#include <colonnade/error.h>
#include <colonnade/parquet.h>

int main() {
  try {
    colonnade::parquet::File::open("no/such/file.parquet");
    std::puts("a missing file was opened");
    return 1;
  } catch (const colonnade::Error& error) {
    if (error.code() != colonnade::ErrorCode::kNotFound) {
      std::printf("a missing file is reported as: %s\n", error.what());
      return 1;
    }
  }
  std::puts(colonnade_version());
}
