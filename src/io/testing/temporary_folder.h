// A folder of its own for a test, removed with all that is in it.
#pragma once

#include <string>
#include <string_view>

namespace colonnade::io::testing {

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  const std::string& path() const noexcept { return path_; }
  // The path of `name` in the folder, whether it exists or not.
  std::string operator/(std::string_view name) const;
  // Writes a file, with the folders it stands in; returns its path.
  std::string write(std::string_view name, std::string_view bytes) const;

 private:
  std::string path_;
};

// The bytes of a file; fails the test that calls it when there is none.
std::string read_file(const std::string& path);

}  // namespace colonnade::io::testing
