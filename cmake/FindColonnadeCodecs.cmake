# The codecs' libraries, each as a target colonnade::<name>. Also installed: whoever links libcolonnade.a needs them.
# Archives are preferred, so that the library asks for no other library when it is loaded.
set(_colonnade_variables "")
foreach(_colonnade_library IN ITEMS
        zstd:zstd.h snappy:snappy.h deflate:libdeflate.h lz4:lz4.h
        brotlicommon:brotli/types.h brotlidec:brotli/decode.h brotlienc:brotli/encode.h)
  string(REGEX MATCH "^[^:]+" _colonnade_name "${_colonnade_library}")
  string(REGEX REPLACE "^[^:]+:" "" _colonnade_header "${_colonnade_library}")
  string(TOUPPER "COLONNADE_${_colonnade_name}" _colonnade_prefix)
  find_path(${_colonnade_prefix}_INCLUDE_DIR ${_colonnade_header})
  find_library(${_colonnade_prefix}_LIBRARY NAMES lib${_colonnade_name}.a ${_colonnade_name})
  mark_as_advanced(${_colonnade_prefix}_INCLUDE_DIR ${_colonnade_prefix}_LIBRARY)
  list(APPEND _colonnade_variables ${_colonnade_prefix}_LIBRARY ${_colonnade_prefix}_INCLUDE_DIR)
  if(${_colonnade_prefix}_LIBRARY AND ${_colonnade_prefix}_INCLUDE_DIR
     AND NOT TARGET colonnade::${_colonnade_name})
    add_library(colonnade::${_colonnade_name} UNKNOWN IMPORTED)
    set_target_properties(colonnade::${_colonnade_name} PROPERTIES
      IMPORTED_LOCATION "${${_colonnade_prefix}_LIBRARY}"
      INTERFACE_INCLUDE_DIRECTORIES "${${_colonnade_prefix}_INCLUDE_DIR}")
  endif()
endforeach()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(ColonnadeCodecs
  REASON_FAILURE_MESSAGE
    "install libzstd-dev, libsnappy-dev, libdeflate-dev, liblz4-dev and libbrotli-dev, or run: make deps"
  REQUIRED_VARS ${_colonnade_variables})
if(ColonnadeCodecs_FOUND)
  set_target_properties(colonnade::brotlidec PROPERTIES INTERFACE_LINK_LIBRARIES colonnade::brotlicommon)
  set_target_properties(colonnade::brotlienc PROPERTIES INTERFACE_LINK_LIBRARIES "colonnade::brotlicommon;m")
endif()
