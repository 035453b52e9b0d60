# snappy as the target colonnade::snappy. Also installed: whoever links libcolonnade.a needs it.
# The archive is preferred, so that the library asks for no other library when it is loaded.
find_path(COLONNADE_SNAPPY_INCLUDE_DIR snappy.h)
find_library(COLONNADE_SNAPPY_LIBRARY NAMES libsnappy.a snappy)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ColonnadeSnappy
  REASON_FAILURE_MESSAGE "install libsnappy-dev, or run: make deps"
  REQUIRED_VARS COLONNADE_SNAPPY_LIBRARY COLONNADE_SNAPPY_INCLUDE_DIR)
mark_as_advanced(COLONNADE_SNAPPY_INCLUDE_DIR COLONNADE_SNAPPY_LIBRARY)
if(ColonnadeSnappy_FOUND AND NOT TARGET colonnade::snappy)
  add_library(colonnade::snappy UNKNOWN IMPORTED)
  set_target_properties(colonnade::snappy PROPERTIES
    IMPORTED_LOCATION "${COLONNADE_SNAPPY_LIBRARY}"
    INTERFACE_INCLUDE_DIRECTORIES "${COLONNADE_SNAPPY_INCLUDE_DIR}")
endif()
