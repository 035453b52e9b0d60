// Symbol visibility of the public C++ classes. A consumer of the static library defines COLONNADE_STATIC.
#pragma once

#if defined(COLONNADE_STATIC)
#define COLONNADE_API
#else
#define COLONNADE_API __attribute__((visibility("default")))
#endif
