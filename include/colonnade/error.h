// The one exception type of Colonnade and the ten kinds of failure it tells apart.
#pragma once

#include <cstdint>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include <colonnade/export.h>

namespace colonnade {

// The numeric values are part of the C ABI and never change.
enum class ErrorCode : int32_t {
  kInvalidArgument = 1,   // the caller asked for something that makes no sense
  kNotFound = 2,          // a file or a column does not exist
  kPermissionDenied = 3,  // the system refused access
  kIo = 4,                // reading or writing failed; `system_errno` says how
  kCorruptData = 5,       // the bytes contradict their format
  kNotSupported = 6,      // legal, but not read or written by this version
  kOutOfBudget = 7,       // a memory budget or a documented limit does not allow it
  kCancelled = 8,         // a cancel token was set
  kDataError = 9,         // a value cannot be computed (overflow, invalid cast); has an error class
  kInternal = 10,         // a fault of Colonnade itself
};

// "corrupt data", "out of budget", ...; never null.
COLONNADE_API const char* error_code_name(ErrorCode code) noexcept;

// Where something failed. Empty strings and -1 mean "unknown"; code that knows more fills it in on
// the way up (see Error::locate).
struct Place {
  std::string file = {};
  std::string column = {};   // dotted path
  int64_t row_group = -1;    // ordinal in the file
  int64_t page_offset = -1;  // byte offset of the page header in the file
};

// what() reads "<what happened>: <where>: <values>", for instance
// "dictionary index outside the dictionary: file 'a.parquet', column 'k', row group 2, page at 4:
// index 7, size 5". An Error is a value: copying it never throws anything but bad_alloc, and it
// refers to nothing.
class COLONNADE_API Error : public std::exception {
 public:
  // `what_happened` is a sentence without a full stop; `values` are the numbers or names behind it.
  Error(ErrorCode code, std::string what_happened, std::string values = {});

  ErrorCode code() const noexcept { return code_; }
  const char* what() const noexcept override { return message_.c_str(); }

  const std::string& what_happened() const noexcept { return what_happened_; }
  const std::string& values() const noexcept { return values_; }
  const Place& place() const noexcept { return place_; }
  // The errno of a failed system call, 0 where there was none.
  int system_errno() const noexcept { return system_errno_; }
  // kDataError only: Spark's error class ("DIVIDE_BY_ZERO") and its named parameters.
  const std::string& error_class() const noexcept { return error_class_; }
  const std::vector<std::pair<std::string, std::string>>& parameters() const noexcept {
    return parameters_;
  }

  // Fills in the parts of the place that are still unknown; known parts stay.
  Error& locate(const Place& place);
  Error& with_errno(int system_errno);
  Error& with_class(std::string error_class,
                    std::vector<std::pair<std::string, std::string>> parameters);

 private:
  void compose();

  ErrorCode code_;
  int system_errno_ = 0;
  std::string what_happened_;
  std::string values_;
  Place place_;
  std::string error_class_;
  std::vector<std::pair<std::string, std::string>> parameters_;
  std::string message_;
};

}  // namespace colonnade
