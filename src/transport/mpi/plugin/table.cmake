# transport_mpi_table(TARGET MPI): compiles the table of MPI functions in TARGET with the mpi.h of
# MPI, a name in TASUKI_MPI_NAMES. Paths are those of the sources' tree, or of share/tasuki where
# Tasuki is installed.
function(transport_mpi_table target mpi)
  set(root ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/../../../..)
  target_include_directories(${target} PRIVATE ${root}/src ${root}/include)
  target_include_directories(${target} SYSTEM PRIVATE
    $<TARGET_PROPERTY:tasuki_mpi_${mpi},INTERFACE_INCLUDE_DIRECTORIES>)
  target_compile_definitions(${target} PRIVATE
    $<TARGET_PROPERTY:tasuki_mpi_${mpi},INTERFACE_COMPILE_DEFINITIONS>)
endfunction()
