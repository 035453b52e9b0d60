// The files a command is given, and the scan over them.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include <colonnade/parquet.h>

#include "cli/session.h"

namespace colonnade::cli {

struct InputOptions {
  std::vector<std::string> files;  // paths, globs, folders, or one "-": standard input
  parquet::OpenOptions open;
};

// Every file that the arguments stand for, in order.
std::vector<std::string> list_inputs(const Session& session, const InputOptions& input);

// "-" is read to its end into memory, within the budget.
parquet::File open_input(const Session& session, const InputOptions& input,
                         const std::string& path);

struct Scan {
  std::unique_ptr<BatchSource> source;
  int64_t total_rows = -1;  // -1: unknown until it is read (several files)
};
// `paths`: what list_inputs() gave.
Scan open_scan(const Session& session, const InputOptions& input, std::vector<std::string> paths,
               const parquet::ScanOptions& options);

}  // namespace colonnade::cli
