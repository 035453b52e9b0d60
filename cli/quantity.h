// Amounts as people write and read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace colonnade::cli {

// "256MB" (10^6), "256MiB" (2^20), "1.5G", "4096": bytes. kInvalidArgument, naming `option`, for
// anything else and for zero.
int64_t parse_bytes(std::string_view text, std::string_view option);

std::string format_bytes(int64_t bytes);   // "208.3 MB"
std::string format_count(int64_t number);  // "6,001,215"

}  // namespace colonnade::cli
