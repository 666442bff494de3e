# One plug-in per MPI of this machine. They do not name the MPI library they need: Tasuki loads the
# one that fits the launcher first (library.cpp), so that a plug-in serves every version
# with the same binary interface.
foreach(mpi ompi mpich)
  if(mpi IN_LIST TASUKI_MPI_NAMES)
    set(plugin transport_mpi_${mpi})
    tasuki_plugin(${plugin} SOURCES ${CMAKE_CURRENT_SOURCE_DIR}/mpi/plugin/functions.cpp)
    target_include_directories(${plugin} PRIVATE ${PROJECT_SOURCE_DIR}/src)
    target_include_directories(${plugin} SYSTEM PRIVATE
      $<TARGET_PROPERTY:tasuki_mpi_${mpi},INTERFACE_INCLUDE_DIRECTORIES>)
    target_compile_definitions(${plugin} PRIVATE
      $<TARGET_PROPERTY:tasuki_mpi_${mpi},INTERFACE_COMPILE_DEFINITIONS>)
  endif()
endforeach()
