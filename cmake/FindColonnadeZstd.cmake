# zstd as the target colonnade::zstd. Also installed: whoever links libcolonnade.a needs it.
# The archive is preferred, so that the library asks for no other library when it is loaded.
find_path(COLONNADE_ZSTD_INCLUDE_DIR zstd.h)
find_library(COLONNADE_ZSTD_LIBRARY NAMES libzstd.a zstd)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ColonnadeZstd
  REASON_FAILURE_MESSAGE "install libzstd-dev, or run: make deps"
  REQUIRED_VARS COLONNADE_ZSTD_LIBRARY COLONNADE_ZSTD_INCLUDE_DIR)
mark_as_advanced(COLONNADE_ZSTD_INCLUDE_DIR COLONNADE_ZSTD_LIBRARY)
if(ColonnadeZstd_FOUND AND NOT TARGET colonnade::zstd)
  add_library(colonnade::zstd UNKNOWN IMPORTED)
  set_target_properties(colonnade::zstd PROPERTIES
    IMPORTED_LOCATION "${COLONNADE_ZSTD_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${COLONNADE_ZSTD_INCLUDE_DIR}")
endif()
