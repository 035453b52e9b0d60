#include <colonnade/file.h>

#include <mutex>
#include <utility>

#include "base/executor.h"
#include "base/fail.h"
#include "io/range_check.h"
#include "io/sole_use.h"

namespace colonnade {
namespace {

class CallbackFile final : public RandomAccessFile {
 public:
  CallbackFile(FileCallbacks callbacks, std::string name)
      : callbacks_(std::move(callbacks)), name_(std::move(name)) {}

  const std::string& name() const noexcept override { return name_; }
  int64_t size() const override { return callbacks_.size; }

  void read_many(std::span<const ReadRange> ranges) override {
    io::check_ranges(ranges, callbacks_.size, name_);
    for (const ReadRange& range : ranges) {
      if (range.length == 0) continue;
      call("reading failed", fmt::format("{} bytes at {}", range.length, range.offset),
           [&] { callbacks_.read(range.offset, {range.out, static_cast<size_t>(range.length)}); });
    }
  }

  FileIdentity identity() override {
    FileIdentity identity{.size = callbacks_.size};
    if (callbacks_.identity) {
      call("asking for the identity failed", {}, [&] { identity = callbacks_.identity(); });
    }
    return identity;
  }

 private:
  // Runs a callback, alone where it asks for that. Whatever it throws leaves as an Error that names
  // the file.
  template <typename Function>
  void call(const char* what_happened, const std::string& values, Function&& function) {
    try {
      std::unique_lock<io::SoleUse> alone(sole_use_, std::defer_lock);
      if (callbacks_.one_at_a_time) alone.lock();
      const ProgramSignals signals;
      function();
    } catch (Error& error) {
      error.locate({.file = name_});
      throw;
    } catch (const std::exception& exception) {
      throw_io(what_happened, values, exception.what());
    } catch (...) {
      throw_io(what_happened, values, "an exception of unknown kind");
    }
  }

  [[noreturn]] void throw_io(const char* what_happened, const std::string& values,
                             const std::string& reason) const {
    Error error(ErrorCode::kIo, what_happened,
                values.empty() ? reason : fmt::format("{}: {}", values, reason));
    throw error.locate({.file = name_});
  }

  const FileCallbacks callbacks_;
  const std::string name_;
  io::SoleUse sole_use_;
};

}  // namespace

FilePtr open_callback_file(FileCallbacks callbacks, std::string name) {
  if (callbacks.size < 0) {
    fail(ErrorCode::kInvalidArgument, "file of a negative size", "'{}', {} bytes", name,
         callbacks.size);
  }
  if (!callbacks.read) {
    fail(ErrorCode::kInvalidArgument, "file without a function that reads it", "'{}'", name);
  }
  return std::make_shared<CallbackFile>(std::move(callbacks), std::move(name));
}

}  // namespace colonnade
