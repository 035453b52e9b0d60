// fmt, compiled once. Debian has no archive of fmt, and its "header only" form compiles all of it
// again in every source that formats a number; with it here, a build takes a third of the time.
// Only this file is compiled with FMT_HEADER_ONLY. The functions whose addresses are taken come out
// as weak symbols; every other source merely declares and calls them. COLONNADE_FMT_EVERYWHERE: a
// version of fmt whose functions are not these; then this file is empty.
#ifndef COLONNADE_FMT_EVERYWHERE
#define FMT_HEADER_ONLY 1
#include <fmt/format.h>

#include <cstdint>
#include <string>

namespace {

[[gnu::used]] std::string (*const kFormat)(fmt::string_view, fmt::format_args) = &fmt::vformat;
[[gnu::used]] auto* const kFormatTo = &fmt::detail::vformat_to<char>;
[[gnu::used]] auto* const kThousands = &fmt::detail::thousands_sep_impl<char>;
[[gnu::used]] auto* const kPoint = &fmt::detail::decimal_point_impl<char>;
[[gnu::used]] auto* const kFloat = &fmt::detail::dragonbox::to_decimal<float>;
[[gnu::used]] auto* const kDouble = &fmt::detail::dragonbox::to_decimal<double>;
[[gnu::used]] bool (*const kPrintable)(std::uint32_t) = &fmt::detail::is_printable;
[[gnu::used]] auto* const kThrow = &fmt::detail::throw_format_error;
[[gnu::used]] auto* const kAssert = &fmt::detail::assert_fail;

}  // namespace
#endif
