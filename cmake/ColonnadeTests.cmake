# Test, benchmark and fuzz programs. All are found by the names of their sources:
#
#   src/<layer>/**/*_test.cc    -> <layer>_test, linked with that layer and those below
#   tests/*_test.cc             -> system_test, linked with everything
#   src/<layer>/**/*_bench.cc   -> <layer>_bench        (COLONNADE_BENCH)
#   src/**/x_fuzz.cc, fuzz/x_fuzz.cc -> x_fuzz          (COLONNADE_FUZZ; libFuzzer)
#                               -> x_fuzz_replay, which runs the inputs kept in fuzz/corpus/x/

# Tests run in the project's folder, so that they find tests/data and a corpus by relative paths.
set(COLONNADE_TEST_DIR "${PROJECT_SOURCE_DIR}")
set(COLONNADE_TEST_TIMEOUT 300)
if(COLONNADE_SANITIZE)
  set(COLONNADE_TEST_TIMEOUT 900)
endif()

if(COLONNADE_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
  if(TARGET GTest::gmock)
    set(COLONNADE_GTEST GTest::gtest_main GTest::gmock)
  else()
    find_library(COLONNADE_GMOCK_LIBRARY NAMES gmock REQUIRED)
    set(COLONNADE_GTEST GTest::gtest_main "${COLONNADE_GMOCK_LIBRARY}")
  endif()
  # What nearly every test includes, parsed once.
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/test_headers.cc" CONTENT "")  # written once
  add_library(test_headers OBJECT "${PROJECT_BINARY_DIR}/test_headers.cc")
  target_link_libraries(test_headers PRIVATE colonnade_options colonnade_test_options GTest::gtest)
  target_precompile_headers(test_headers PRIVATE
    <gmock/gmock.h> <gtest/gtest.h> <algorithm> <functional> <memory> <optional> <string> <vector>)
endif()
if(COLONNADE_BENCH)
  find_package(benchmark REQUIRED)
endif()

# colonnade_test(<program> <label> LINKS <target>... SOURCES <file>...)
function(colonnade_test program label)
  cmake_parse_arguments(arg "" "" "LINKS;SOURCES" ${ARGN})
  add_executable(${program} ${arg_SOURCES})
  target_link_libraries(${program} PRIVATE ${arg_LINKS} colonnade_test_options ${COLONNADE_GTEST})
  target_precompile_headers(${program} REUSE_FROM test_headers)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
    # False alarms about std::string, PR 105651 again.
    target_compile_options(${program} PRIVATE -Wno-array-bounds -Wno-stringop-overflow)
  endif()
  gtest_discover_tests(${program}
    DISCOVERY_MODE PRE_TEST
    DISCOVERY_TIMEOUT 60
    WORKING_DIRECTORY "${COLONNADE_TEST_DIR}"
    PROPERTIES LABELS ${label} TIMEOUT ${COLONNADE_TEST_TIMEOUT})
endfunction()

# colonnade_fuzz(<source> LINKS <target>...)
function(colonnade_fuzz source)
  cmake_parse_arguments(arg "" "" "LINKS" ${ARGN})
  get_filename_component(program "${source}" NAME_WE)
  string(REGEX REPLACE "_fuzz$" "" name "${program}")
  if(COLONNADE_FUZZ)
    add_executable(${program} "${source}")
    target_link_libraries(${program} PRIVATE ${arg_LINKS})
    target_link_options(${program} PRIVATE -fsanitize=fuzzer)
  endif()
  if(COLONNADE_TESTS)
    add_executable(${program}_replay "${source}" "${PROJECT_SOURCE_DIR}/fuzz/replay_main.cc")
    target_link_libraries(${program}_replay PRIVATE ${arg_LINKS})
    if(IS_DIRECTORY "${PROJECT_SOURCE_DIR}/fuzz/corpus/${name}")
      add_test(NAME FuzzReplay.${name}
               COMMAND ${program}_replay "${PROJECT_SOURCE_DIR}/fuzz/corpus/${name}"
               WORKING_DIRECTORY "${COLONNADE_TEST_DIR}")
      set_tests_properties(FuzzReplay.${name} PROPERTIES LABELS fuzz TIMEOUT ${COLONNADE_TEST_TIMEOUT})
    endif()
  endif()
endfunction()

# A new folder of inputs brings a new test.
file(GLOB fuzz_corpora CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/fuzz/corpus/*")

foreach(layer IN LISTS COLONNADE_LAYERS)
  set(links colonnade_${layer} ${COLONNADE_USES_${layer}})
  foreach(name IN LISTS layer COLONNADE_BELOW_${layer})
    if(TARGET ${name}_testing)
      list(APPEND links ${name}_testing)
    endif()
  endforeach()

  file(GLOB_RECURSE test_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${layer}/*_test.cc")
  if(COLONNADE_TESTS AND test_sources)
    colonnade_test(${layer}_test ${layer} LINKS ${links} SOURCES ${test_sources})
  endif()

  file(GLOB_RECURSE bench_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${layer}/*_bench.cc")
  if(COLONNADE_BENCH AND bench_sources)
    add_executable(${layer}_bench ${bench_sources})
    target_link_libraries(${layer}_bench PRIVATE ${links} benchmark::benchmark_main)
  endif()

  file(GLOB_RECURSE fuzz_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${layer}/*_fuzz.cc")
  foreach(source IN LISTS fuzz_sources)
    colonnade_fuzz("${source}" LINKS ${links})
  endforeach()
endforeach()

if(COLONNADE_LAYERS)
  set(links colonnade_layers)
  foreach(layer IN LISTS COLONNADE_LAYERS)
    if(TARGET ${layer}_testing)
      list(APPEND links ${layer}_testing)
    endif()
  endforeach()

  file(GLOB system_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/*_test.cc")
  if(COLONNADE_TESTS AND system_sources)
    colonnade_test(system_test system LINKS ${links} SOURCES ${system_sources})
  endif()

  file(GLOB fuzz_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/fuzz/*_fuzz.cc")
  foreach(source IN LISTS fuzz_sources)
    colonnade_fuzz("${source}" LINKS ${links})
  endforeach()
endif()
