// Where a command's result goes: standard output, or a file that appears when it is complete.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <colonnade/context.h>

namespace colonnade::cli {

// Order: write()*, then finish(). Destruction without finish() leaves no file. Errors are kIo with
// errno; kCancelled when the context's token is set while the system makes us wait.
class Output {
 public:
  virtual ~Output() = default;
  virtual void write(std::string_view text) = 0;
  virtual void finish() = 0;
};

// "-" and "/dev/stdout", which would otherwise be opened anew and replaced where it is a file.
bool is_standard_output(const std::string& path) noexcept;

std::unique_ptr<Output> open_output(const Context& context, const std::string& path);

// kInvalidArgument when `path` is one of the files to read, under whatever name: it would be lost.
void check_output(const std::string& path, const std::vector<std::string>& inputs);

// Writes all of `text` to standard output at once.
void print(const Context& context, std::string_view text);

}  // namespace colonnade::cli
