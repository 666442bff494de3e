# libtasuki_mpi.so, which is preloaded into MPI programs, and a shim for each MPI: a plug-in that it
# loads into a program that has that MPI.
#
# The wrappers are generated from functions.json, the standard's own list of functions.
find_package(Python3 3.10 REQUIRED COMPONENTS Interpreter)
set(TASUKI_MPI_GENERATED ${CMAKE_CURRENT_BINARY_DIR}/generated)
file(MAKE_DIRECTORY ${TASUKI_MPI_GENERATED}/mpi/shim)
set(generator ${CMAKE_CURRENT_SOURCE_DIR}/shim/generate.py)
set(processor ${CMAKE_SYSTEM_PROCESSOR})
set(generated entries.cpp wrappers.cpp function_numbers.hpp abi/mpi.h)
list(TRANSFORM generated PREPEND ${TASUKI_MPI_GENERATED}/mpi/shim/)
add_custom_command(
  OUTPUT ${generated}
  COMMAND ${CMAKE_COMMAND} -E env PYTHONDONTWRITEBYTECODE=1 ${Python3_EXECUTABLE} ${generator}
          ${TASUKI_MPI_GENERATED}/mpi/shim ${processor}
  DEPENDS ${generator} ${CMAKE_CURRENT_SOURCE_DIR}/shim/abi_header.py
          ${CMAKE_CURRENT_SOURCE_DIR}/shim/notes.py
          ${CMAKE_CURRENT_SOURCE_DIR}/shim/tuned_calls.py
          ${CMAKE_CURRENT_SOURCE_DIR}/functions.json
          ${CMAKE_CURRENT_SOURCE_DIR}/entry/${processor}.s
  VERBATIM)
add_custom_target(tasuki_mpi_generated DEPENDS ${generated})

# What a shim records and predicts with, the same for all MPIs.
file(GLOB record_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/record/*.cpp)
add_library(tasuki_mpi STATIC ${record_sources} ahead/awaited_round.cpp
                              ahead/next_receives.cpp ahead/pages.cpp ahead/predictions.cpp
                              ahead/recorded_run.cpp ahead/report.cpp)
target_include_directories(tasuki_mpi PUBLIC ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(tasuki_mpi PUBLIC tasuki_events tasuki_predict PRIVATE tasuki_options)

# In each process that a launcher starts, so it needs nothing but the C library.
file(GLOB entry_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/entry/*.cpp)
tasuki_plugin(tasuki_mpi_preload
              SOURCES ${entry_sources} ${TASUKI_MPI_GENERATED}/mpi/shim/entries.cpp)
set_target_properties(tasuki_mpi_preload PROPERTIES OUTPUT_NAME libtasuki_mpi
                      CXX_VISIBILITY_PRESET hidden)
target_compile_options(tasuki_mpi_preload PRIVATE -fno-exceptions -fno-rtti)
target_include_directories(tasuki_mpi_preload PRIVATE ${PROJECT_SOURCE_DIR}/src)
target_link_libraries(tasuki_mpi_preload PRIVATE ${CMAKE_DL_LIBS} Threads::Threads)
target_link_options(tasuki_mpi_preload PRIVATE LINKER:-soname,libtasuki_mpi.so LINKER:--as-needed)
add_dependencies(tasuki_mpi_preload tasuki_mpi_generated)

# A shim takes its PMPI functions from the library that the program has loaded. It is linked to
# none; what a library lacks is missed only when it is called. tasuki_mpi_shim(NAME TARGET) makes
# the one that is compiled with the mpi.h that TARGET finds.
file(GLOB shim_sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/shim/*.cpp
                                         ${CMAKE_CURRENT_SOURCE_DIR}/collectives/*.cpp
                                         ${CMAKE_CURRENT_SOURCE_DIR}/wait/*.cpp)
function(tasuki_mpi_shim name mpi)
  set(shim tasuki_mpi_shim_${name})
  tasuki_plugin(${shim} SOURCES ${shim_sources} ${TASUKI_MPI_GENERATED}/mpi/shim/wrappers.cpp
                        ahead/awaited.cpp ahead/bounce_receives.cpp ahead/earlier.cpp
                        ahead/reporting.cpp messages/byte_count.cpp messages/executor.cpp
                        messages/job_end.cpp messages/library_name.cpp
                        messages/library_yields.cpp messages/own_communicator.cpp
                        messages/placement.cpp
                LINKS tasuki_mpi tasuki_node)
  set_target_properties(${shim} PROPERTIES CXX_VISIBILITY_PRESET hidden)
  target_include_directories(${shim} PRIVATE ${TASUKI_MPI_GENERATED})
  target_include_directories(${shim} SYSTEM PRIVATE
    $<TARGET_PROPERTY:${mpi},INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_definitions(${shim} PRIVATE
    $<TARGET_PROPERTY:${mpi},INTERFACE_COMPILE_DEFINITIONS>)
  # Tasuki's own programs have the same layers, which must not serve for the shim's.
  target_link_options(${shim} PRIVATE LINKER:-z,lazy LINKER:--exclude-libs,ALL)
  add_dependencies(${shim} tasuki_mpi_generated)
endfunction()

foreach(mpi ompi mpich)
  if(mpi IN_LIST TASUKI_MPI_NAMES)
    tasuki_mpi_shim(${mpi} tasuki_mpi_${mpi})
  endif()
endforeach()
# The standard's own interface takes no MPI to build for: its header is generated.
add_library(tasuki_mpi_abi INTERFACE)
target_include_directories(tasuki_mpi_abi INTERFACE ${TASUKI_MPI_GENERATED}/mpi/shim/abi)
tasuki_mpi_shim(abi tasuki_mpi_abi)
