# Highway as the target colonnade::highway. Also installed: whoever links libcolonnade.a needs it
# once the kernels use it. Debian 12 has no archive of it.
find_path(COLONNADE_HIGHWAY_INCLUDE_DIR hwy/highway.h)
find_library(COLONNADE_HIGHWAY_LIBRARY NAMES libhwy.a hwy)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ColonnadeHighway
  REASON_FAILURE_MESSAGE "install libhwy-dev, or run: make deps"
  REQUIRED_VARS COLONNADE_HIGHWAY_LIBRARY COLONNADE_HIGHWAY_INCLUDE_DIR)
mark_as_advanced(COLONNADE_HIGHWAY_INCLUDE_DIR COLONNADE_HIGHWAY_LIBRARY)
if(ColonnadeHighway_FOUND AND NOT TARGET colonnade::highway)
  add_library(colonnade::highway UNKNOWN IMPORTED)
  set_target_properties(colonnade::highway PROPERTIES
    IMPORTED_LOCATION "${COLONNADE_HIGHWAY_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${COLONNADE_HIGHWAY_INCLUDE_DIR}")
endif()
