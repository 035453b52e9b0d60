// The C ABI over the C++ API: one guard, handles, and options that may come from an older program.
#include <colonnade/colonnade.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include <colonnade/arrow.h>
#include <colonnade/parquet.h>

#include "base/fail.h"

struct colonnade_error {
  colonnade::Error error;
};

struct colonnade_context {
  colonnade::Context context;
};

struct colonnade_file {
  colonnade::parquet::File file;
  colonnade::Context context;
};

namespace colonnade {

namespace {

using parquet::File;

// Stores what is being thrown as an owned error; its code is returned also where there is no memory
// for that.
colonnade_status store_current_exception(colonnade_error** error) noexcept {
  const auto store = [&](Error&& stored) noexcept {
    const ErrorCode code = stored.code();
    if (error != nullptr) *error = new (std::nothrow) colonnade_error{std::move(stored)};
    return static_cast<colonnade_status>(code);
  };
  try {
    try {
      throw;
    } catch (Error& thrown) {
      return store(std::move(thrown));
    } catch (const std::bad_alloc&) {
      return store(Error(ErrorCode::kOutOfBudget, "the system has no more memory"));
    } catch (const std::exception& thrown) {
      return store(Error(ErrorCode::kInternal, "unexpected exception", thrown.what()));
    } catch (...) {
      return store(Error(ErrorCode::kInternal, "unexpected exception of an unknown type"));
    }
  } catch (...) {
    if (error != nullptr) *error = nullptr;
    return COLONNADE_OUT_OF_BUDGET;
  }
}

// The one guard: nothing thrown passes it.
template <typename Function>
colonnade_status guarded(colonnade_error** error, Function&& function) noexcept {
  try {
    function();
    return COLONNADE_OK;
  } catch (...) {
    return store_current_exception(error);
  }
}

void require(const void* pointer, const char* name) {
  if (pointer == nullptr)
    fail(ErrorCode::kInvalidArgument, "a pointer must not be NULL", "{}", name);
}

// The options as this version knows them: members beyond the caller's struct_size stay at their
// defaults, what a newer program has beyond ours must be zero.
template <typename Options>
Options known_options(const Options* given, const Options& defaults) {
  Options options = defaults;
  if (given == nullptr) return options;
  const size_t size = given->struct_size;
  if (size < sizeof(size_t) || size % alignof(Options) != 0) {
    fail(ErrorCode::kInvalidArgument, "struct_size of an options struct is not set", "{}", size);
  }
  const auto* const bytes = reinterpret_cast<const unsigned char*>(given);
  for (size_t i = sizeof(Options); i < size; ++i) {
    if (bytes[i] != 0) {
      fail(ErrorCode::kInvalidArgument,
           "an option is set that this version of the library does not know",
           "struct_size {}, known {} bytes", size, sizeof(Options));
    }
  }
  std::memcpy(&options, given, std::min(size, sizeof(Options)));
  return options;
}

struct Opening {
  Context context;
  parquet::OpenOptions options;
};

TimeUnit int96_unit(int32_t unit) {
  switch (unit) {
    case COLONNADE_INT96_NANO:
      return TimeUnit::kNano;
    case COLONNADE_INT96_MICRO:
      return TimeUnit::kMicro;
    case COLONNADE_INT96_MILLI:
      return TimeUnit::kMilli;
    case COLONNADE_INT96_SECOND:
      return TimeUnit::kSecond;
    default:
      fail(ErrorCode::kInvalidArgument, "unknown unit of INT96 timestamps", "{}", unit);
  }
}

Opening opening(const colonnade_open_options* given) {
  const auto options = known_options(given, colonnade_open_options COLONNADE_OPEN_OPTIONS_INIT);
  Opening result;
  if (options.context != nullptr) result.context = options.context->context;
  if (options.page_limit_bytes != 0) result.options.page_limit_bytes = options.page_limit_bytes;
  result.options.int96_unit = int96_unit(options.int96_unit);
  result.options.int96_wraps = options.int96_wraps != 0;
  result.options.verify_checksums = options.verify_checksums != 0;
  return result;
}

parquet::StringForm string_form(int32_t strings) {
  switch (strings) {
    case COLONNADE_STRINGS_OFFSETS32:
      return parquet::StringForm::kOffsets32;
    case COLONNADE_STRINGS_OFFSETS64:
      return parquet::StringForm::kOffsets64;
    case COLONNADE_STRINGS_VIEWS:
      return parquet::StringForm::kViews;
    case COLONNADE_STRINGS_DICTIONARY:
      return parquet::StringForm::kDictionary;
    default:
      fail(ErrorCode::kInvalidArgument, "unknown form of strings", "{}", strings);
  }
}

parquet::HivePartitioning hive_partitioning(int32_t partitioning) {
  switch (partitioning) {
    case COLONNADE_HIVE_TYPED:
      return parquet::HivePartitioning::kTyped;
    case COLONNADE_HIVE_TEXT:
      return parquet::HivePartitioning::kText;
    case COLONNADE_HIVE_OFF:
      return parquet::HivePartitioning::kOff;
    default:
      fail(ErrorCode::kInvalidArgument, "unknown kind of partitioning", "{}", partitioning);
  }
}

parquet::ScanOptions scan_options(const colonnade_scan_options* given) {
  const auto options = known_options(given, colonnade_scan_options COLONNADE_SCAN_OPTIONS_INIT);
  parquet::ScanOptions result;
  for (const int64_t count : {options.num_columns, options.num_row_groups, options.split_length,
                              options.num_row_ranges}) {
    if (count < -1)
      fail(ErrorCode::kInvalidArgument, "a count below -1, which means all", "{}", count);
  }
  if (options.split_length == -1 && options.split_offset != 0) {
    fail(ErrorCode::kInvalidArgument, "a split has no length", "split_offset {}",
         options.split_offset);
  }
  if (options.num_columns >= 0) {
    if (options.num_columns > 0) require(options.columns, "columns");
    std::vector<std::string> names;
    for (int64_t i = 0; i < options.num_columns; ++i) {
      require(options.columns[i], "a column's name");
      names.emplace_back(options.columns[i]);
    }
    result.columns = std::move(names);
  }
  if (options.num_row_groups >= 0) {
    if (options.num_row_groups > 0) require(options.row_groups, "row_groups");
    result.row_groups.emplace(options.row_groups, options.row_groups + options.num_row_groups);
  }
  if (options.split_length >= 0)
    result.split = parquet::ByteRange{options.split_offset, options.split_length};
  if (options.num_row_ranges >= 0) {
    if (options.num_row_ranges > 0) require(options.row_ranges, "row_ranges");
    result.row_ranges.emplace();
    for (int64_t i = 0; i < options.num_row_ranges; ++i)
      result.row_ranges->push_back({options.row_ranges[2 * i], options.row_ranges[2 * i + 1]});
  }
  if (options.row_number_column != nullptr) result.row_number_column = options.row_number_column;
  if (options.global_row_number_column != nullptr)
    result.global_row_number_column = options.global_row_number_column;
  result.union_by_name = options.union_by_name != 0;
  result.hive_partitioning = hive_partitioning(options.hive_partitioning);
  result.threads = options.threads;
  result.strings = string_form(options.strings);
  result.batch_rows = options.batch_rows;
  result.batch_bytes = options.batch_bytes;
  result.waiting_bytes = options.waiting_bytes;
  return result;
}

// Bytes or a file that the caller gave; tells them when they are not needed any more.
std::shared_ptr<const void> owner_of(void (*release)(void*), void* release_data) {
  return std::shared_ptr<const void>(nullptr, [release, release_data](const void*) {
    if (release != nullptr) release(release_data);
  });
}

char* copied(const std::string& text) {
  char* copy = static_cast<char*>(std::malloc(text.size() + 1));
  if (copy == nullptr) throw std::bad_alloc();
  std::memcpy(copy, text.c_str(), text.size() + 1);
  return copy;
}

void open_into(FilePtr file, const Opening& how, colonnade_file** out) {
  *out = new colonnade_file{File::open(std::move(file), how.context, how.options), how.context};
}

}  // namespace

}  // namespace colonnade

using colonnade::Context;
using colonnade::ErrorCode;
using colonnade::guarded;
using colonnade::require;

extern "C" {

const char* colonnade_version(void) { return COLONNADE_VERSION; }

colonnade_status colonnade_error_code(const colonnade_error* error) {
  return static_cast<colonnade_status>(error->error.code());
}
const char* colonnade_error_message(const colonnade_error* error) { return error->error.what(); }
const char* colonnade_error_file(const colonnade_error* error) {
  return error->error.place().file.c_str();
}
const char* colonnade_error_column(const colonnade_error* error) {
  return error->error.place().column.c_str();
}
int64_t colonnade_error_row_group(const colonnade_error* error) {
  return error->error.place().row_group;
}
int64_t colonnade_error_page_offset(const colonnade_error* error) {
  return error->error.place().page_offset;
}
int colonnade_error_errno(const colonnade_error* error) { return error->error.system_errno(); }
void colonnade_error_free(colonnade_error* error) { delete error; }

colonnade_status colonnade_context_new(const colonnade_context_options* options,
                                       colonnade_context** context, colonnade_error** error) {
  return guarded(error, [&] {
    require(context, "context");
    const auto known =
        colonnade::known_options(options, colonnade_context_options COLONNADE_CONTEXT_OPTIONS_INIT);
    if (known.memory_limit_bytes < 0) {
      colonnade::fail(ErrorCode::kInvalidArgument, "a memory limit must not be negative", "{}",
                      known.memory_limit_bytes);
    }
    Context made;
    colonnade::MemoryOptions memory;
    if (known.memory_limit_bytes > 0) memory.limit_bytes = known.memory_limit_bytes;
    made.memory = colonnade::MemoryPool::make_root("context", memory);
    *context = new colonnade_context{std::move(made)};
  });
}
void colonnade_context_cancel(colonnade_context* context) { context->context.cancel.cancel(); }
int64_t colonnade_context_memory_used(const colonnade_context* context) {
  return context->context.memory->used_bytes();
}
int64_t colonnade_context_memory_peak(const colonnade_context* context) {
  return context->context.memory->peak_bytes();
}
void colonnade_context_free(colonnade_context* context) { delete context; }

colonnade_status colonnade_file_open(const char* path, const colonnade_open_options* options,
                                     colonnade_file** file, colonnade_error** error) {
  return guarded(error, [&] {
    require(path, "path");
    require(file, "file");
    colonnade::open_into(colonnade::open_local_file(path), colonnade::opening(options), file);
  });
}

colonnade_status colonnade_file_open_memory(const void* data, int64_t size,
                                            void (*release)(void* release_data), void* release_data,
                                            const colonnade_open_options* options,
                                            colonnade_file** file, colonnade_error** error) {
  return guarded(error, [&] {
    const std::shared_ptr<const void> owner = colonnade::owner_of(release, release_data);
    require(file, "file");
    if (size != 0) require(data, "data");
    if (size < 0)
      colonnade::fail(ErrorCode::kInvalidArgument, "a size must not be negative", "{}", size);
    colonnade::open_into(colonnade::open_memory_file(colonnade::Buffer::wrap(data, size, owner)),
                         colonnade::opening(options), file);
  });
}

colonnade_status colonnade_file_open_callbacks(const char* name, int64_t size,
                                               int (*read)(void* user_data, int64_t offset,
                                                           int64_t length, uint8_t* out),
                                               void (*release)(void* user_data), void* user_data,
                                               const colonnade_open_options* options,
                                               colonnade_file** file, colonnade_error** error) {
  return guarded(error, [&] {
    const std::shared_ptr<const void> owner = colonnade::owner_of(release, user_data);
    require(name, "name");
    require(reinterpret_cast<const void*>(read), "read");
    require(file, "file");
    colonnade::FileCallbacks callbacks;
    callbacks.size = size;
    callbacks.read = [owner, read, user_data](int64_t offset, std::span<uint8_t> out) {
      const int failure = read(user_data, offset, static_cast<int64_t>(out.size()), out.data());
      if (failure == 0) return;
      throw colonnade::Error(ErrorCode::kIo, "the caller's read function failed",
                             fmt::format("offset {}, {} bytes", offset, out.size()))
          .with_errno(failure);
    };
    colonnade::open_into(colonnade::open_callback_file(std::move(callbacks), name),
                         colonnade::opening(options), file);
  });
}

int64_t colonnade_file_num_rows(const colonnade_file* file) { return file->file.num_rows(); }
int32_t colonnade_file_num_row_groups(const colonnade_file* file) {
  return file->file.num_row_groups();
}

colonnade_status colonnade_file_schema_json(const colonnade_file* file, char** json,
                                            colonnade_error** error) {
  return guarded(error, [&] {
    require(file, "file");
    require(json, "json");
    *json = colonnade::copied(file->file.schema_json());
  });
}
colonnade_status colonnade_file_metadata_json(const colonnade_file* file, char** json,
                                              colonnade_error** error) {
  return guarded(error, [&] {
    require(file, "file");
    require(json, "json");
    *json = colonnade::copied(file->file.metadata_json());
  });
}
void colonnade_string_free(char* string) { std::free(string); }
void colonnade_file_free(colonnade_file* file) { delete file; }

colonnade_status colonnade_file_scan(const colonnade_file* file,
                                     const colonnade_scan_options* options,
                                     struct ArrowArrayStream* stream, colonnade_error** error) {
  return guarded(error, [&] {
    require(file, "file");
    require(stream, "stream");
    colonnade::arrow::export_stream(file->context,
                                    file->file.scan(colonnade::scan_options(options)), stream);
  });
}

colonnade_status colonnade_scan_files(const char* const* paths, int64_t num_paths,
                                      const colonnade_open_options* open_options,
                                      const colonnade_scan_options* options,
                                      struct ArrowArrayStream* stream, colonnade_error** error) {
  return guarded(error, [&] {
    require(stream, "stream");
    if (num_paths > 0) require(paths, "paths");
    const colonnade::Opening how = colonnade::opening(open_options);
    std::vector<std::string> files;
    for (int64_t i = 0; i < num_paths; ++i) {
      require(paths[i], "a path");
      std::vector<std::string> listed = colonnade::parquet::list_files(paths[i], how.context);
      files.insert(files.end(), std::make_move_iterator(listed.begin()),
                   std::make_move_iterator(listed.end()));
    }
    colonnade::arrow::export_stream(
        how.context,
        colonnade::parquet::scan_files(std::move(files), colonnade::scan_options(options),
                                       how.context, how.options),
        stream);
  });
}

}  // extern "C"
