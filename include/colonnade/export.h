/* Symbol visibility of the public C++ classes and C functions. A consumer of the static library
 * defines COLONNADE_STATIC. Plain C. */
#ifndef COLONNADE_EXPORT_H
#define COLONNADE_EXPORT_H

#if defined(COLONNADE_STATIC)
#define COLONNADE_API
#else
#define COLONNADE_API __attribute__((visibility("default")))
#endif

#endif /* COLONNADE_EXPORT_H */
