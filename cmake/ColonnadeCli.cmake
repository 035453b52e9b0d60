# The command line, bin/colonnade: cli/*.cc linked with the layers, so that it is one file.

file(GLOB_RECURSE cli_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cli/*.cc")
set(cli_test_sources ${cli_sources})
list(FILTER cli_test_sources INCLUDE REGEX "_test\\.cc$")
list(FILTER cli_sources EXCLUDE REGEX "_test\\.cc$")
set(cli_main "${PROJECT_SOURCE_DIR}/cli/main.cc")

if(cli_sources)
  find_path(COLONNADE_CLI11_INCLUDE_DIR CLI/CLI.hpp)
  mark_as_advanced(COLONNADE_CLI11_INCLUDE_DIR)
  if(NOT COLONNADE_CLI11_INCLUDE_DIR)
    message(FATAL_ERROR "CLI11 is missing: install libcli11-dev, or run: make deps")
  endif()

  # Everything but main() is a library, so that cli_test can call it.
  set(cli_parts ${cli_sources})
  list(REMOVE_ITEM cli_parts "${cli_main}")
  add_library(colonnade_cli_parts INTERFACE)
  if(cli_parts)
    add_library(colonnade_cli_objects STATIC ${cli_parts})
    target_link_libraries(colonnade_cli_objects PUBLIC colonnade_layers)
    target_include_directories(colonnade_cli_objects PUBLIC "${PROJECT_SOURCE_DIR}")
    target_include_directories(colonnade_cli_objects SYSTEM PUBLIC "${COLONNADE_CLI11_INCLUDE_DIR}")
    # CLI11 is one large header of inline functions, which every source that includes it compiles anew:
    # the commands are one unit.
    set(cli_commands ${cli_parts})
    list(FILTER cli_commands INCLUDE REGEX "/commands/")
    set_target_properties(colonnade_cli_objects PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    set_source_files_properties(${cli_commands} PROPERTIES UNITY_GROUP commands)
    target_link_libraries(colonnade_cli_parts INTERFACE colonnade_cli_objects)
  endif()

  if(EXISTS "${cli_main}")
    add_executable(colonnade_cli "${cli_main}")
    target_link_libraries(colonnade_cli PRIVATE colonnade_cli_parts colonnade_layers)
    target_include_directories(colonnade_cli PRIVATE "${PROJECT_SOURCE_DIR}")
    target_include_directories(colonnade_cli SYSTEM PRIVATE "${COLONNADE_CLI11_INCLUDE_DIR}")
    set_target_properties(colonnade_cli PROPERTIES
      OUTPUT_NAME colonnade RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  endif()

  if(COLONNADE_TESTS AND cli_test_sources)
    colonnade_test(cli_test cli LINKS colonnade_cli_parts colonnade_layers SOURCES ${cli_test_sources})
  endif()
endif()
