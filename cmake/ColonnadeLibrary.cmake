# The two products, made from the objects of all layers: libcolonnade.so and libcolonnade.a.

set(objects $<TARGET_OBJECTS:colonnade_fmt>)
foreach(layer IN LISTS COLONNADE_LAYERS)
  list(APPEND objects $<TARGET_OBJECTS:colonnade_${layer}>)
endforeach()

add_library(colonnade_shared SHARED ${objects})
add_library(colonnade::colonnade ALIAS colonnade_shared)
# --exclude-libs: some codecs' archives are not position-independent on Debian and link into a
# .so only when their symbols stay inside.
target_link_options(colonnade_shared PRIVATE
  -Wl,--exclude-libs,ALL -Wl,--gc-sections -Wl,--as-needed
  "-Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/exports.map")
if(COLONNADE_SANITIZE OR COLONNADE_COVERAGE)
  # A sanitizer's own symbols come from the program.
  target_link_libraries(colonnade_shared PRIVATE $<BUILD_INTERFACE:colonnade_options>)
else()
  target_link_options(colonnade_shared PRIVATE -Wl,--no-undefined)
endif()
set_target_properties(colonnade_shared PROPERTIES
  OUTPUT_NAME colonnade
  EXPORT_NAME colonnade
  LINKER_LANGUAGE CXX
  VERSION ${PROJECT_VERSION}
  SOVERSION ${COLONNADE_SOVERSION}
  LINK_DEPENDS "${PROJECT_SOURCE_DIR}/cmake/exports.map")

add_library(colonnade_static STATIC ${objects})
add_library(colonnade::colonnade_static ALIAS colonnade_static)
target_compile_definitions(colonnade_static INTERFACE COLONNADE_STATIC)
set_target_properties(colonnade_static PROPERTIES OUTPUT_NAME colonnade LINKER_LANGUAGE CXX)

foreach(product IN ITEMS colonnade_shared colonnade_static)
  target_link_libraries(${product} PRIVATE ${COLONNADE_LINKS})
  target_compile_features(${product} INTERFACE cxx_std_20)
  target_include_directories(${product} INTERFACE
    "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>"
    "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
  if(NOT COLONNADE_INSTALL AND NOT COLONNADE_TESTS)
    # Inside another project, or a Python wheel: built when something links it.
    set_target_properties(${product} PROPERTIES EXCLUDE_FROM_ALL ON)
  endif()
endforeach()
