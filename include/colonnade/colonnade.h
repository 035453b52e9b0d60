/* Colonnade's C ABI.
 *
 * Rules that hold for every function:
 * - Handles are opaque and owned by the caller, who frees each once with its _free function;
 * freeing NULL does nothing. A handle that another was made from may be freed first: what was made
 * from it keeps alive what it needs.
 * - Functions that can fail return COLONNADE_OK (0) or an error code, and then store an owned error
 * in *error unless `error` is NULL; on success *error is left alone. Out-parameters are written on
 * success only.
 * - Strings are UTF-8 and end in NUL; names of files and columns in them are as they are, even
 * where they are not UTF-8. Strings that are returned belong to the handle they came from and live
 * as long as it does, unless the function says otherwise.
 * - Option structs begin with `struct_size`; set it with the _INIT macro. A library newer than the
 * program takes the members the program did not know at their defaults; an older one refuses
 * members that it does not know unless they are zero.
 * - Files and contexts may be used from several threads at once. A stream has one user at a time.
 *   Errors are immutable.
 * - No C++ exception leaves the library. */
#ifndef COLONNADE_COLONNADE_H
#define COLONNADE_COLONNADE_H

#include <stddef.h>
#include <stdint.h>

#include <colonnade/arrow_c.h>
#include <colonnade/export.h>

#ifdef __cplusplus
extern "C" {
#endif

/* "0.1.0"; static storage. */
COLONNADE_API const char* colonnade_version(void);

/* ---- Errors ---- */

typedef enum colonnade_status {
  COLONNADE_OK = 0,
  COLONNADE_INVALID_ARGUMENT = 1,
  COLONNADE_NOT_FOUND = 2,
  COLONNADE_PERMISSION_DENIED = 3,
  COLONNADE_IO = 4,
  COLONNADE_CORRUPT_DATA = 5,
  COLONNADE_NOT_SUPPORTED = 6,
  COLONNADE_OUT_OF_BUDGET = 7,
  COLONNADE_CANCELLED = 8,
  COLONNADE_DATA_ERROR = 9,
  COLONNADE_INTERNAL = 10
} colonnade_status;

typedef struct colonnade_error colonnade_error;

COLONNADE_API colonnade_status colonnade_error_code(const colonnade_error* error);
/* What happened, where, and the values; never NULL. */
COLONNADE_API const char* colonnade_error_message(const colonnade_error* error);
/* The file and the dotted column path; "" where unknown. */
COLONNADE_API const char* colonnade_error_file(const colonnade_error* error);
COLONNADE_API const char* colonnade_error_column(const colonnade_error* error);
/* Ordinal of the row group and byte offset of the page in the file; -1 where unknown. */
COLONNADE_API int64_t colonnade_error_row_group(const colonnade_error* error);
COLONNADE_API int64_t colonnade_error_page_offset(const colonnade_error* error);
/* errno of the failed system call; 0 where there was none. */
COLONNADE_API int colonnade_error_errno(const colonnade_error* error);
COLONNADE_API void colonnade_error_free(colonnade_error* error);

/* ---- Contexts: a memory budget and a way to cancel ---- */

typedef struct colonnade_context colonnade_context;

typedef struct colonnade_context_options {
  size_t struct_size;
  int64_t memory_limit_bytes; /* of all that is opened and scanned with the context; 0: no limit */
} colonnade_context_options;
#define COLONNADE_CONTEXT_OPTIONS_INIT {sizeof(colonnade_context_options), 0}

/* `options` may be NULL. */
COLONNADE_API colonnade_status colonnade_context_new(const colonnade_context_options* options,
                                                     colonnade_context** context,
                                                     colonnade_error** error);
/* Makes all work of the context fail with COLONNADE_CANCELLED within 100 ms, for good. May be
 * called from any thread and from a signal handler. */
COLONNADE_API void colonnade_context_cancel(colonnade_context* context);
/* Bytes in use now, and at most so far; buffers that were exported to Arrow are not counted. */
COLONNADE_API int64_t colonnade_context_memory_used(const colonnade_context* context);
COLONNADE_API int64_t colonnade_context_memory_peak(const colonnade_context* context);
COLONNADE_API void colonnade_context_free(colonnade_context* context);

/* ---- Parquet files ---- */

typedef struct colonnade_file colonnade_file;

typedef enum colonnade_int96_unit {
  COLONNADE_INT96_NANO = 0, /* the years 1677 to 2262 */
  COLONNADE_INT96_MICRO = 1,
  COLONNADE_INT96_MILLI = 2,
  COLONNADE_INT96_SECOND = 3
} colonnade_int96_unit;

typedef struct colonnade_open_options {
  size_t struct_size;
  colonnade_context* context; /* NULL: no memory limit, no cancel */
  int64_t page_limit_bytes;   /* a larger page, decompressed, is refused; 0: 256 MiB */
  int32_t int96_unit;         /* colonnade_int96_unit: of timestamps stored as INT96 */
  int32_t int96_wraps;        /* not 0: those outside of the unit's range wrap around, as in Spark;
                                 0: they are an error */
  int64_t verify_checksums;   /* not 0: pages are compared with the checksums that they have */
} colonnade_open_options;
#define COLONNADE_OPEN_OPTIONS_INIT {sizeof(colonnade_open_options), NULL, 0, 0, 0, 0}

/* `options` may be NULL in all of these. */
COLONNADE_API colonnade_status colonnade_file_open(const char* path,
                                                   const colonnade_open_options* options,
                                                   colonnade_file** file, colonnade_error** error);
/* `size` bytes at `data`, which must stay and not change until release(release_data) is called,
 * once, when nothing needs them any more (also when this function fails). `release` may be NULL. */
COLONNADE_API colonnade_status colonnade_file_open_memory(
    const void* data, int64_t size, void (*release)(void* release_data), void* release_data,
    const colonnade_open_options* options, colonnade_file** file, colonnade_error** error);
/* A file of `size` bytes that the caller reads: `read` fills `length` bytes from `offset` and
 * returns 0, or an errno value. It may be called from several threads at once. `name` is for
 * messages. `release` as above. */
COLONNADE_API colonnade_status colonnade_file_open_callbacks(
    const char* name, int64_t size,
    int (*read)(void* user_data, int64_t offset, int64_t length, uint8_t* out),
    void (*release)(void* user_data), void* user_data, const colonnade_open_options* options,
    colonnade_file** file, colonnade_error** error);

COLONNADE_API int64_t colonnade_file_num_rows(const colonnade_file* file);
COLONNADE_API int32_t colonnade_file_num_row_groups(const colonnade_file* file);
/* JSON documents (docs/formats/json.md); freed with colonnade_string_free. */
COLONNADE_API colonnade_status colonnade_file_schema_json(const colonnade_file* file, char** json,
                                                          colonnade_error** error);
COLONNADE_API colonnade_status colonnade_file_metadata_json(const colonnade_file* file, char** json,
                                                            colonnade_error** error);
COLONNADE_API void colonnade_string_free(char* string);
COLONNADE_API void colonnade_file_free(colonnade_file* file);

/* ---- Scans ---- */

typedef enum colonnade_strings {
  COLONNADE_STRINGS_OFFSETS32 = 0, /* utf8, binary */
  COLONNADE_STRINGS_OFFSETS64 = 1, /* large_utf8, large_binary */
  COLONNADE_STRINGS_VIEWS = 2,     /* utf8_view, binary_view */
  COLONNADE_STRINGS_DICTIONARY = 3 /* dictionary<int32, utf8> */
} colonnade_strings;

typedef enum colonnade_hive_partitioning {
  COLONNADE_HIVE_TYPED = 0, /* int64 or date32 where the values in all paths are such, else utf8 */
  COLONNADE_HIVE_TEXT = 1,
  COLONNADE_HIVE_OFF = 2
} colonnade_hive_partitioning;

typedef struct colonnade_scan_options {
  size_t struct_size;
  const char* const* columns; /* names of top-level columns, or dotted paths into nested
                                 ones, in the order wanted */
  int64_t num_columns;        /* -1: all columns; 0: rows without columns */
  const int32_t* row_groups;  /* ordinals, in the order wanted */
  int64_t num_row_groups;     /* -1: all */
  int64_t split_offset;       /* only row groups whose midpoint lies in the bytes */
  int64_t split_length;       /*   [split_offset, split_offset + split_length); -1: all */
  int32_t threads; /* 0: one per CPU the process may use; 1: only the thread that takes batches */
  int32_t strings; /* colonnade_strings */
  int64_t batch_rows;        /* at most; 0: no limit */
  int64_t batch_bytes;       /* at most, unless one row is larger; 0: no limit */
  int64_t waiting_bytes;     /* decoded bytes that wait for their turn, about; 0: no limit */
  const int64_t* row_ranges; /* pairs of offset and length: only these rows of the file, sorted */
  int64_t num_row_ranges;    /* pairs; -1: all rows */
  const char* row_number_column; /* name of an int64 column behind the others that numbers the rows
                                    of the file; NULL: none */
  const char* global_row_number_column; /* the same for the rows of all files together */
  /* Of colonnade_scan_files alone: */
  int32_t union_by_name; /* not 0: files may differ in their schemas; what one lacks is null there,
                            and types become those that hold the values of all */
  int32_t
      hive_partitioning; /* colonnade_hive_partitioning: columns from folders called key=value */
} colonnade_scan_options;
#define COLONNADE_SCAN_OPTIONS_INIT \
  {sizeof(colonnade_scan_options),  \
   NULL,                            \
   -1,                              \
   NULL,                            \
   -1,                              \
   0,                               \
   -1,                              \
   0,                               \
   COLONNADE_STRINGS_OFFSETS32,     \
   8192,                            \
   16777216,                        \
   67108864,                        \
   NULL,                            \
   -1,                              \
   NULL,                            \
   NULL,                            \
   0,                               \
   COLONNADE_HIVE_TYPED}

/* Writes a stream to *stream, which the caller releases through its `release` member; that also
 * stops the scan. `options` may be NULL. The stream's functions return errno values
 * (docs/errors.md). */
COLONNADE_API colonnade_status colonnade_file_scan(const colonnade_file* file,
                                                   const colonnade_scan_options* options,
                                                   struct ArrowArrayStream* stream,
                                                   colonnade_error** error);

/* Several files as one stream, of one schema unless union_by_name. `paths` are paths, globs or
 * folders, in order; row groups, a split and row ranges are refused where there is more than one
 * file. `open_options` and `options` may be NULL. */
COLONNADE_API colonnade_status colonnade_scan_files(const char* const* paths, int64_t num_paths,
                                                    const colonnade_open_options* open_options,
                                                    const colonnade_scan_options* options,
                                                    struct ArrowArrayStream* stream,
                                                    colonnade_error** error);

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* COLONNADE_COLONNADE_H */
