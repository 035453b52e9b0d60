# Which layer may use which library. A layer sees only what stands on its own line.
#
#   COLONNADE_USES_<layer>   targets for compiling and linking
#   COLONNADE_LINKS          what a user of libcolonnade.a has to link as well (ColonnadeLayers fills it)

find_package(Threads REQUIRED)

# fmt without its library: Debian has no archive of it.
find_path(COLONNADE_FMT_INCLUDE_DIR fmt/format.h)
mark_as_advanced(COLONNADE_FMT_INCLUDE_DIR)
if(NOT COLONNADE_FMT_INCLUDE_DIR)
  message(FATAL_ERROR "fmt is missing: install libfmt-dev, or run: make deps")
endif()
add_library(colonnade_fmt INTERFACE)
target_include_directories(colonnade_fmt SYSTEM INTERFACE "${COLONNADE_FMT_INCLUDE_DIR}")
target_compile_definitions(colonnade_fmt INTERFACE FMT_HEADER_ONLY=1)

find_package(ColonnadeZstd REQUIRED)
find_package(ColonnadeSnappy REQUIRED)

set(COLONNADE_USES_base colonnade_fmt Threads::Threads)
set(COLONNADE_USES_codec colonnade::zstd colonnade::snappy)

# Highway is asked for only once a kernel includes it.
file(GLOB_RECURSE kernel_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/kernels/*.cc"
     "${PROJECT_SOURCE_DIR}/src/kernels/*.h")
foreach(source IN LISTS kernel_sources)
  file(STRINGS "${source}" uses REGEX "#include *[<\"]hwy/" LIMIT_COUNT 1)
  if(uses)
    set(COLONNADE_HIGHWAY ON)
  endif()
endforeach()
if(COLONNADE_HIGHWAY)
  find_package(ColonnadeHighway REQUIRED)
  set(COLONNADE_USES_kernels colonnade::highway)
endif()
