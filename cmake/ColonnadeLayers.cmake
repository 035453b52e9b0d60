# One static, position-independent library per layer of src/, colonnade_<layer>, linked with the layers
# that it may use and with no others: a test program of a layer fails to link when a lower layer calls
# a higher one. A layer whose folder has no sources does not exist.
#
#   COLONNADE_LAYERS       the layers that exist, from the bottom up
#   colonnade_layers       all of them, for programs inside this project (cli, tests, Python)
#   <layer>_testing        test support of a layer (src/<layer>/**/testing/), never in the product

file(STRINGS "${PROJECT_SOURCE_DIR}/tools/layers.txt" layer_lines REGEX "^[a-z]")
set_property(DIRECTORY "${PROJECT_SOURCE_DIR}" APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             "${PROJECT_SOURCE_DIR}/tools/layers.txt")

set(COLONNADE_LAYERS "")
set(COLONNADE_LINKS "")
add_library(colonnade_layers INTERFACE)

foreach(line IN LISTS layer_lines)
  string(REGEX MATCH "^[a-z_]+" layer "${line}")
  if("${line}" MATCHES "^[a-z_]+/")
    continue()
  endif()
  string(REGEX REPLACE "^[a-z_]+ *(not +)?" "" forbidden "${line}")
  string(REGEX MATCHALL "[a-z_]+" forbidden "${forbidden}")

  file(GLOB_RECURSE sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/${layer}/*.cc")
  set(testing_sources ${sources})
  list(FILTER sources EXCLUDE REGEX "_(test|bench|fuzz)\\.cc$|/testing/")
  list(FILTER testing_sources INCLUDE REGEX "/testing/")
  list(FILTER testing_sources EXCLUDE REGEX "_(test|bench|fuzz)\\.cc$")
  if(NOT sources)
    continue()
  endif()

  set(below ${COLONNADE_LAYERS})
  if(forbidden)
    list(REMOVE_ITEM below ${forbidden})
  endif()

  add_library(colonnade_${layer} STATIC ${sources})
  set_target_properties(colonnade_${layer} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  target_include_directories(colonnade_${layer} PUBLIC
    "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/src")
  target_compile_definitions(colonnade_${layer} PRIVATE COLONNADE_BUILDING)
  target_link_libraries(colonnade_${layer} PUBLIC colonnade_options)
  list(TRANSFORM below PREPEND colonnade_ OUTPUT_VARIABLE below_targets)
  target_link_libraries(colonnade_${layer} PUBLIC ${below_targets})
  if(layer STREQUAL "base")
    target_link_libraries(colonnade_${layer} PUBLIC ${COLONNADE_USES_base})
  else()
    # PRIVATE: the headers of codecs and Highway are seen by their own layer alone.
    target_link_libraries(colonnade_${layer} PRIVATE ${COLONNADE_USES_${layer}})
  endif()
  target_link_libraries(colonnade_layers INTERFACE colonnade_${layer})
  list(APPEND COLONNADE_LAYERS ${layer})
  list(APPEND COLONNADE_LINKS ${COLONNADE_USES_${layer}})

  set(COLONNADE_BELOW_${layer} ${below})
  if(testing_sources AND (COLONNADE_TESTS OR COLONNADE_BENCH OR COLONNADE_FUZZ))
    add_library(${layer}_testing STATIC ${testing_sources})
    target_link_libraries(${layer}_testing PUBLIC colonnade_${layer} PRIVATE colonnade_test_options)
    foreach(lower IN LISTS below)
      if(TARGET ${lower}_testing)
        target_link_libraries(${layer}_testing PUBLIC ${lower}_testing)
      endif()
    endforeach()
  endif()
endforeach()

list(REMOVE_ITEM COLONNADE_LINKS colonnade_fmt)  # part of the products
list(REMOVE_DUPLICATES COLONNADE_LINKS)
