# `cmake --install`: headers, static libraries and find_package(tasuki) with target tasuki::tasuki
# and, for the component mpi_executor, tasuki::mpi_executor (tasuki-mpi-executor.cmake); for
# compilers that are called by hand, tasuki.pc.
include(CMakePackageConfigHelpers)

get_property(layers GLOBAL PROPERTY TASUKI_LAYERS)
add_library(tasuki INTERFACE)
add_library(tasuki::tasuki ALIAS tasuki)
target_compile_features(tasuki INTERFACE cxx_std_20)
target_link_libraries(tasuki INTERFACE ${layers})
# Programs of other projects find the plug-ins there (src/transport/mpi/library.cpp).
target_link_options(tasuki INTERFACE
  $<INSTALL_INTERFACE:LINKER:-rpath,$<INSTALL_PREFIX>/${CMAKE_INSTALL_LIBDIR}/tasuki>)

set(TASUKI_PACKAGE_DIR ${CMAKE_INSTALL_LIBDIR}/cmake/tasuki)
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT development)
install(TARGETS tasuki EXPORT tasuki COMPONENT development)
install(EXPORT tasuki NAMESPACE tasuki:: FILE tasuki-targets.cmake
        DESTINATION ${TASUKI_PACKAGE_DIR} COMPONENT development)
foreach(component IN ITEMS development programs)  # `tasuki run --debug gdb` reads it, too.
  install(FILES tools/gdb/fibers.py DESTINATION ${CMAKE_INSTALL_DATADIR}/tasuki/gdb
          COMPONENT ${component})
endforeach()
install(DIRECTORY include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development)
# What has to be compiled with the MPI of the program that uses it.
set(TASUKI_SOURCES_DIR ${CMAKE_INSTALL_DATADIR}/tasuki/src)
install(FILES src/mpi/messages/byte_count.cpp src/mpi/messages/byte_count.hpp
              src/mpi/messages/check.hpp src/mpi/messages/executor.cpp
              src/mpi/messages/library_yields.cpp src/mpi/messages/library_yields.hpp
              src/mpi/messages/placement.cpp src/mpi/messages/placement.hpp
        DESTINATION ${TASUKI_SOURCES_DIR}/mpi/messages COMPONENT development)
install(FILES src/base/node_group.hpp DESTINATION ${TASUKI_SOURCES_DIR}/base COMPONENT development)
configure_package_config_file(cmake/tasuki-config.cmake.in tasuki-config.cmake
                              INSTALL_DESTINATION ${TASUKI_PACKAGE_DIR}
                              PATH_VARS TASUKI_SOURCES_DIR)
write_basic_package_version_file(tasuki-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES cmake/tasuki-mpi-executor.cmake ${PROJECT_BINARY_DIR}/tasuki-config.cmake
              ${PROJECT_BINARY_DIR}/tasuki-config-version.cmake
        DESTINATION ${TASUKI_PACKAGE_DIR} COMPONENT development)

# What target tasuki::tasuki says to CMake, in the words of pkg-config.
set(TASUKI_LIBRARIES ${layers})
list(REVERSE TASUKI_LIBRARIES)  # Each after those that need it.
list(TRANSFORM TASUKI_LIBRARIES PREPEND -l)
list(JOIN TASUKI_LIBRARIES " " TASUKI_LIBRARIES)
set(TASUKI_CFLAGS "")
if(TASUKI_PROBES_STACKS)
  string(APPEND TASUKI_CFLAGS " -fstack-clash-protection")
endif()
if(TASUKI_DEBUG)
  string(APPEND TASUKI_CFLAGS " -DTASUKI_DEBUG")
endif()
set(TASUKI_PKGCONFIG_DIR ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH TASUKI_PREFIX_FROM_PKGCONFIG /${TASUKI_PKGCONFIG_DIR} /)
configure_file(cmake/tasuki.pc.in tasuki.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/tasuki.pc DESTINATION ${TASUKI_PKGCONFIG_DIR}
        COMPONENT development)

# What shells and `man` read of the command `tasuki`, which itself is a Python package. A wheel has
# its own place for that, as the rest goes into the package.
if(SKBUILD)
  set(TASUKI_SHARE_DIR ${SKBUILD_DATA_DIR}/share)
  set(TASUKI_MAN_DIR ${TASUKI_SHARE_DIR}/man)
else()
  set(TASUKI_SHARE_DIR ${CMAKE_INSTALL_DATADIR})
  set(TASUKI_MAN_DIR \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_MANDIR})
endif()
install(FILES tools/completion/tasuki.bash RENAME tasuki COMPONENT command
        DESTINATION ${TASUKI_SHARE_DIR}/bash-completion/completions)
install(FILES tools/completion/tasuki.zsh RENAME _tasuki COMPONENT command
        DESTINATION ${TASUKI_SHARE_DIR}/zsh/site-functions)
install(FILES tools/completion/tasuki.fish COMPONENT command
        DESTINATION ${TASUKI_SHARE_DIR}/fish/vendor_completions.d)

# The manual, made from the declarations of the command's options; so it takes what they import. Pip
# gives PYTHONPATH what a build needs.
find_package(Python 3.10 COMPONENTS Interpreter QUIET)
set(TASUKI_MAN_PAGES ${CMAKE_COMMAND} -E env
                     --modify PYTHONPATH=path_list_prepend:${PROJECT_SOURCE_DIR}/python
                     PYTHONDONTWRITEBYTECODE=1 ${Python_EXECUTABLE})
execute_process(COMMAND ${TASUKI_MAN_PAGES} -c "import tasuki.commands.app"
                RESULT_VARIABLE failed OUTPUT_QUIET ERROR_VARIABLE why)
if(failed)
  string(STRIP "${why}" why)
  string(REGEX REPLACE ".*\n" "" why "${why}")  # An exception's own line is its last one.
  set(why "${Python_EXECUTABLE} cannot import the command tasuki: ${why}")
endif()
if(failed AND SKBUILD)
  message(FATAL_ERROR "The wheel would have no manual: ${why}. Remedy: install what it lacks, with"
                      " pip, or build without --no-build-isolation")
elseif(failed)
  message(STATUS "The manual is not installed: ${why}")
else()
  list(JOIN TASUKI_MAN_PAGES " " make_pages)
  install(CODE "execute_process(COMMAND ${make_pages} ${PROJECT_SOURCE_DIR}/tools/man_pages.py
                  ${TASUKI_MAN_DIR}/man1 ${PROJECT_VERSION} COMMAND_ERROR_IS_FATAL ANY)"
          COMPONENT command)
endif()
