# The table of MPI functions, once for each MPI of this machine: a plug-in for each that is loaded
# at run time, objects to link into the program for SimGrid.
#
# Plug-ins do not name the MPI library they need: Tasuki loads the one that fits the launcher first
# (library.cpp), so that a plug-in serves every version with the same binary interface.
include(${CMAKE_CURRENT_LIST_DIR}/plugin/table.cmake)

set(transport_mpi_table_source ${CMAKE_CURRENT_SOURCE_DIR}/mpi/plugin/functions.cpp)
set(transport_mpi_plugins "")
foreach(mpi ompi mpich)
  if(mpi IN_LIST TASUKI_MPI_NAMES)
    tasuki_plugin(transport_mpi_${mpi} SOURCES ${transport_mpi_table_source})
    transport_mpi_table(transport_mpi_${mpi} ${mpi})
    list(APPEND transport_mpi_plugins transport_mpi_${mpi})
  endif()
endforeach()
if("smpi" IN_LIST TASUKI_MPI_NAMES)
  add_library(transport_mpi_smpi OBJECT ${transport_mpi_table_source})
  transport_mpi_table(transport_mpi_smpi smpi)
  target_link_libraries(transport_mpi_smpi PRIVATE tasuki_options)
endif()

# What it takes to build a plug-in later (plugin/CMakeLists.txt), and the folder it is for.
set(later ${CMAKE_INSTALL_DATADIR}/tasuki)
install(FILES mpi/plugin/CMakeLists.txt mpi/plugin/functions.cpp mpi/plugin/table.cmake
        DESTINATION ${later}/src/transport/mpi/plugin COMPONENT programs)
install(FILES mpi/functions.hpp DESTINATION ${later}/src/transport/mpi COMPONENT programs)
install(FILES ${PROJECT_SOURCE_DIR}/cmake/FindTasukiMpi.cmake
        DESTINATION ${later}/cmake COMPONENT programs)
foreach(header base/arithmetic base/collective transport/mpi_operations)
  get_filename_component(layer ${header} DIRECTORY)
  install(FILES ${PROJECT_SOURCE_DIR}/include/tasuki/detail/${header}.hpp
          DESTINATION ${later}/include/tasuki/detail/${layer} COMPONENT programs)
endforeach()
install(DIRECTORY DESTINATION ${CMAKE_INSTALL_LIBDIR}/tasuki COMPONENT programs)
file(MAKE_DIRECTORY ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/tasuki)

if(NOT transport_mpi_plugins AND NOT CMAKE_CROSSCOMPILING)
  # ./dev build shows lines that begin so.
  string(CONCAT missing
    "tasuki: no Open MPI or MPICH was found, so Tasuki runs on one machine only. Remedy: install "
    "one with its compiler wrapper mpicxx (apt install libopenmpi-dev openmpi-bin), then: "
    "tasuki mpi-plugin")
  message(NOTICE "${missing}")
  set(folder "\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_LIBDIR}/tasuki")
  install(CODE "message(NOTICE \"${missing} --output ${folder}\")" COMPONENT development)
endif()
