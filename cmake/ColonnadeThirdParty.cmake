# Which layer may use which library. A layer sees only what stands on its own line.
#
#   COLONNADE_USES_<layer>   targets for compiling and linking
#   COLONNADE_LINKS          what a user of libcolonnade.a has to link as well (ColonnadeLayers fills it)

find_package(Threads REQUIRED)

# fmt 9 and 10 are compiled once (see fmt.cc) and become part of the products. Other versions hold other
# functions: they are compiled wherever they are used.
find_path(COLONNADE_FMT_INCLUDE_DIR fmt/core.h)
mark_as_advanced(COLONNADE_FMT_INCLUDE_DIR)
if(NOT COLONNADE_FMT_INCLUDE_DIR)
  message(FATAL_ERROR "fmt is missing: install libfmt-dev, or run: make deps")
endif()
file(STRINGS "${COLONNADE_FMT_INCLUDE_DIR}/fmt/core.h" fmt_version REGEX "#define FMT_VERSION [0-9]+")
string(REGEX MATCH "[0-9]+" fmt_version "${fmt_version}")
add_library(colonnade_fmt STATIC "${PROJECT_SOURCE_DIR}/cmake/fmt.cc")
set_target_properties(colonnade_fmt PROPERTIES POSITION_INDEPENDENT_CODE ON)
target_include_directories(colonnade_fmt SYSTEM PUBLIC "${COLONNADE_FMT_INCLUDE_DIR}")
target_link_libraries(colonnade_fmt PRIVATE colonnade_options)
if(CMAKE_CXX_COMPILER_ID MATCHES "Clang")
  # Else format_error's destructor is replaced by its base's wherever fmt.cc calls it, and never emitted.
  target_compile_options(colonnade_fmt PRIVATE "SHELL:-Xclang -mno-constructor-aliases")
endif()
if(NOT fmt_version OR fmt_version LESS 90000 OR NOT fmt_version LESS 110000)
  target_compile_definitions(colonnade_fmt PUBLIC FMT_HEADER_ONLY=1 PRIVATE COLONNADE_FMT_EVERYWHERE)
endif()

find_package(ColonnadeCodecs REQUIRED)

set(COLONNADE_USES_base colonnade_fmt Threads::Threads)
set(COLONNADE_USES_codec colonnade::zstd colonnade::snappy colonnade::deflate colonnade::lz4
    colonnade::brotlidec colonnade::brotlienc)

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
