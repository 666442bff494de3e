# The table of MPI functions, once for each MPI of this machine: a plug-in for each that is loaded
# at run time, objects to link into the program for SimGrid.
#
# Plug-ins do not name the MPI library they need: Tasuki loads the one that fits the launcher first
# (library.cpp), so that a plug-in serves every version with the same binary interface.
function(transport_mpi_table target mpi)
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src
                             ${PROJECT_SOURCE_DIR}/include)
  target_include_directories(${target} SYSTEM PRIVATE
    $<TARGET_PROPERTY:tasuki_mpi_${mpi},INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_definitions(${target} PRIVATE
    $<TARGET_PROPERTY:tasuki_mpi_${mpi},INTERFACE_COMPILE_DEFINITIONS>)
endfunction()

set(transport_mpi_table_source ${CMAKE_CURRENT_SOURCE_DIR}/mpi/plugin/functions.cpp)
foreach(mpi ompi mpich)
  if(mpi IN_LIST TASUKI_MPI_NAMES)
    tasuki_plugin(transport_mpi_${mpi} SOURCES ${transport_mpi_table_source})
    transport_mpi_table(transport_mpi_${mpi} ${mpi})
  endif()
endforeach()
if("smpi" IN_LIST TASUKI_MPI_NAMES)
  add_library(transport_mpi_smpi OBJECT ${transport_mpi_table_source})
  transport_mpi_table(transport_mpi_smpi smpi)
  target_link_libraries(transport_mpi_smpi PRIVATE tasuki_options)
endif()
