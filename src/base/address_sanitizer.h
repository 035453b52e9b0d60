// COLONNADE_ASAN, defined where AddressSanitizer is built in, with its interface.
#pragma once

#if defined(__SANITIZE_ADDRESS__)
#define COLONNADE_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define COLONNADE_ASAN 1
#endif
#endif
#if defined(COLONNADE_ASAN)
#include <sanitizer/asan_interface.h>
#endif
