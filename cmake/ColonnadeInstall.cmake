# What `cmake --install` puts down: headers, both libraries, find_package and pkg-config files, the
# command line with its man page and completions.

include(CMakePackageConfigHelpers)
set(config_dir "${CMAKE_INSTALL_LIBDIR}/cmake/colonnade")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/colonnade" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
        FILES_MATCHING PATTERN "*.h")

# Two export files: whoever links the .so needs none of the libraries inside it.
install(TARGETS colonnade_shared EXPORT colonnade_shared DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(TARGETS colonnade_static EXPORT colonnade_static DESTINATION "${CMAKE_INSTALL_LIBDIR}")
foreach(kind IN ITEMS shared static)
  install(EXPORT colonnade_${kind} NAMESPACE colonnade:: FILE colonnade-${kind}.cmake
          DESTINATION "${config_dir}")
endforeach()

# Not beside bin/: CMake looks for packages above each bin/ of PATH, and this one is whole only where it is installed.
set(generated_dir "${PROJECT_BINARY_DIR}/to-install")
configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/colonnadeConfig.cmake.in"
  "${generated_dir}/colonnadeConfig.cmake" INSTALL_DESTINATION "${config_dir}")
write_basic_package_version_file("${generated_dir}/colonnadeConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${generated_dir}/colonnadeConfig.cmake"
  "${generated_dir}/colonnadeConfigVersion.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindColonnadeCodecs.cmake"
  "${PROJECT_SOURCE_DIR}/cmake/FindColonnadeHighway.cmake"
  DESTINATION "${config_dir}")

set(COLONNADE_PC_PRIVATE "-lzstd -lsnappy -ldeflate -llz4 -lbrotlidec -lbrotlienc -lbrotlicommon -lm")
if(COLONNADE_HIGHWAY)
  string(APPEND COLONNADE_PC_PRIVATE " -lhwy")
endif()
# The prefix is found from where the .pc lies, so that the tree may be moved.
file(RELATIVE_PATH COLONNADE_PC_UP "/prefix/${CMAKE_INSTALL_LIBDIR}/pkgconfig" "/prefix")
configure_file("${PROJECT_SOURCE_DIR}/cmake/colonnade.pc.in" "${PROJECT_BINARY_DIR}/colonnade.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/colonnade.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")

install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/THIRD_PARTY_NOTICES.md"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}")

if(TARGET colonnade_cli)
  install(TARGETS colonnade_cli DESTINATION "${CMAKE_INSTALL_BINDIR}")
  file(GLOB man_pages CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/cli/man/*.1")
  install(FILES ${man_pages} DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
  set(completions "${PROJECT_SOURCE_DIR}/cli/completions")
  set(share "${CMAKE_INSTALL_DATADIR}")
  install(FILES "${completions}/colonnade.bash" DESTINATION "${share}/bash-completion/completions"
          RENAME colonnade OPTIONAL)
  install(FILES "${completions}/_colonnade" DESTINATION "${share}/zsh/site-functions" OPTIONAL)
  install(FILES "${completions}/colonnade.fish" DESTINATION "${share}/fish/vendor_completions.d" OPTIONAL)
endif()
