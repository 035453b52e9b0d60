#include "cli/inputs.h"

#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

#include "base/fail.h"

namespace colonnade::cli {

namespace {

constexpr int64_t kReadBytes = int64_t{1} << 20;
constexpr int kPollMilliseconds = 50;

// Returns when standard input has bytes, an end or an error. A signal may come after the look at
// the token and before the system call, which then does not return for it: hence no long waits.
void wait_for_input(const Context& context) {
  pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
  do {
    context.cancel.check();
  } while (::poll(&input, 1, kPollMilliseconds) <= 0);
}

Buffer read_standard_input(const Context& context) {
  MutableBuffer bytes = context.memory->allocate(0);
  int64_t length = 0;
  for (;;) {
    if (bytes.size() - length < kReadBytes)
      bytes.resize(std::max(2 * bytes.size(), length + kReadBytes));
    wait_for_input(context);
    const ssize_t got =
        ::read(STDIN_FILENO, bytes.data() + length, static_cast<size_t>(bytes.size() - length));
    if (got == 0) break;
    if (got > 0) {
      length += got;
    } else if (errno != EINTR) {
      throw Error(ErrorCode::kIo, "cannot read standard input").with_errno(errno);
    }
  }
  bytes.resize(length);
  return std::move(bytes).freeze();
}

}  // namespace

std::vector<std::string> list_inputs(const Session& session, const InputOptions& input) {
  const bool standard_input =
      std::find(input.files.begin(), input.files.end(), "-") != input.files.end();
  if (standard_input && input.files.size() > 1) {
    fail(ErrorCode::kInvalidArgument, "standard input ('-') cannot be read together with files");
  }
  if (standard_input) return input.files;
  std::vector<std::string> paths;
  for (const std::string& file : input.files) {
    struct stat status;
    // The parser takes "-5" for a file.
    if (file.starts_with('-') && ::lstat(file.c_str(), &status) != 0)
      fail(ErrorCode::kInvalidArgument, "no such option", "'{}'; a number of rows is '-n 5'", file);
    std::vector<std::string> listed = parquet::list_files(file, session.context());
    std::move(listed.begin(), listed.end(), std::back_inserter(paths));
  }
  return paths;
}

parquet::File open_input(const Session& session, const InputOptions& input,
                         const std::string& path) {
  if (path != "-") return parquet::File::open(path, session.context(), input.open);
  return parquet::File::open(
      open_memory_file(read_standard_input(session.context()), "<standard input>"),
      session.context(), input.open);
}

Scan open_scan(const Session& session, const InputOptions& input, std::vector<std::string> paths,
               const parquet::ScanOptions& options) {
  // Folders called key=value are columns of a scan of files alone.
  if (paths.size() == 1 && paths.front().find('=') == std::string::npos) {
    const parquet::File file = open_input(session, input, paths.front());
    const bool whole = !options.row_groups && !options.split;
    return {file.scan(options), whole ? file.num_rows() : -1};
  }
  return {parquet::scan_files(std::move(paths), options, session.context(), input.open), -1};
}

}  // namespace colonnade::cli
