#include "cli/output.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <span>

#include "base/fail.h"
#include "io/output_file.h"

namespace colonnade::cli {

namespace {

constexpr size_t kBufferBytes = size_t{1} << 18;

class StandardOutput final : public Output {
 public:
  explicit StandardOutput(const Context& context) : context_(context) {}

  void write(std::string_view text) override {
    if (buffer_.size() + text.size() > kBufferBytes) flush();
    if (text.size() > kBufferBytes) {
      write_out(text);
    } else {
      buffer_ += text;
    }
  }
  void finish() override { flush(); }

 private:
  void flush() {
    write_out(buffer_);
    buffer_.clear();
  }

  void write_out(std::string_view rest) {
    while (!rest.empty()) {
      context_.cancel.check();
      const ssize_t written = ::write(STDOUT_FILENO, rest.data(), rest.size());
      if (written >= 0) {
        rest.remove_prefix(static_cast<size_t>(written));
      } else if (errno != EINTR) {
        throw Error(ErrorCode::kIo, "cannot write to standard output").with_errno(errno);
      }
    }
  }

  Context context_;
  std::string buffer_;
};

class FileOutput final : public Output {
 public:
  FileOutput(const Context& context, const std::string& path) : file_(context, path) {}
  void write(std::string_view text) override {
    file_.write({reinterpret_cast<const uint8_t*>(text.data()), text.size()});
  }
  void finish() override { file_.commit(); }

 private:
  io::OutputFile file_;
};

}  // namespace

bool is_standard_output(const std::string& path) noexcept {
  return path == "-" || path == "/dev/stdout";
}

std::unique_ptr<Output> open_output(const Context& context, const std::string& path) {
  if (is_standard_output(path)) return std::make_unique<StandardOutput>(context);
  return std::make_unique<FileOutput>(context, path);
}

void check_output(const std::string& path, const std::vector<std::string>& inputs) {
  const auto is_file = [](const std::string& name, bool standard, int fd, struct stat& status) {
    return (standard ? ::fstat(fd, &status) : ::stat(name.c_str(), &status)) == 0 &&
           S_ISREG(status.st_mode);
  };
  struct stat output;
  if (!is_file(path, is_standard_output(path), STDOUT_FILENO, output)) return;
  for (const std::string& name : inputs) {
    struct stat input;
    if (is_file(name, name == "-", STDIN_FILENO, input) && input.st_dev == output.st_dev &&
        input.st_ino == output.st_ino) {
      throw Error(ErrorCode::kInvalidArgument, "the output is one of the files to read",
                  fmt::format("--output '{}'", path))
          .locate({.file = name});
    }
  }
}

void print(const Context& context, std::string_view text) {
  StandardOutput output(context);
  output.write(text);
  output.finish();
}

}  // namespace colonnade::cli
