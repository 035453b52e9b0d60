# colonnade_options: how every target of this project is compiled (never passed on to a consumer).

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES AND PROJECT_IS_TOP_LEVEL)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()

if(PROJECT_IS_TOP_LEVEL)
  find_program(COLONNADE_CCACHE ccache)
  mark_as_advanced(COLONNADE_CCACHE)
  if(COLONNADE_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    # What ccache must be told before it keeps what was compiled with a precompiled header.
    set(launcher "${CMAKE_COMMAND}" -E env
      CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime "${COLONNADE_CCACHE}")
    set(CMAKE_C_COMPILER_LAUNCHER "${launcher}")
    set(CMAKE_CXX_COMPILER_LAUNCHER "${launcher}")
  endif()
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
endif()

add_library(colonnade_options INTERFACE)
target_compile_features(colonnade_options INTERFACE cxx_std_20)
target_compile_definitions(colonnade_options INTERFACE COLONNADE_VERSION="${PROJECT_VERSION}")
# Unused functions and data of the archives are dropped when a program or the .so is linked.
target_compile_options(colonnade_options INTERFACE
  -fvisibility=hidden -fvisibility-inlines-hidden -ffunction-sections -fdata-sections
  -Wall -Wextra -Wpedantic -Wshadow -Wvla -Wcast-qual -Wundef
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
  $<$<COMPILE_LANGUAGE:CXX>:-Woverloaded-virtual>
  $<$<COMPILE_LANGUAGE:CXX>:-Wextra-semi>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # g++ 12 reports overlapping copies inside std::string's operator+ that cannot happen (PR 105651).
  target_compile_options(colonnade_options INTERFACE -Wno-restrict)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # g++ takes the members of a std::variant that it does not hold for uninitialised reads (PR 80635); clang and
  # AddressSanitizer look for the real ones.
  target_compile_options(colonnade_options INTERFACE -Wno-maybe-uninitialized)
endif()
if(COLONNADE_WERROR)
  target_compile_options(colonnade_options INTERFACE -Werror)
endif()
target_link_options(colonnade_options INTERFACE -Wl,--gc-sections -Wl,--as-needed)

# Tests and their support are compiled more often than they run: this halves the time of a whole build.
add_library(colonnade_test_options INTERFACE)
target_compile_options(colonnade_test_options INTERFACE -O1 -g1)

if(COLONNADE_SANITIZE)
  string(REPLACE ";" "," sanitizers "${COLONNADE_SANITIZE}")
  # The first undefined behaviour stops the program, so that a test sees it.
  target_compile_options(colonnade_options INTERFACE
    -fsanitize=${sanitizers} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(colonnade_options INTERFACE -fsanitize=${sanitizers})
endif()
if(COLONNADE_COVERAGE)
  target_compile_options(colonnade_options INTERFACE --coverage -fprofile-update=atomic)
  target_link_options(colonnade_options INTERFACE --coverage)
endif()
