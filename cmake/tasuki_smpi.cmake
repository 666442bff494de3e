# Programs that SimGrid's SMPI runs: all ranks in one process, in simulated time.

# tasuki_add_smpi_program(NAME SOURCES file... [LINKS target...]): builds NAME.so, which
# `smpirun -np N -platform P -hostfile H path/to/NAME.so` runs. Tasuki works in it as over any
# other MPI, without shared memory. Nothing is built where SimGrid is missing.
function(tasuki_add_smpi_program name)
  if(NOT "smpi" IN_LIST TASUKI_MPI_NAMES)
    return()
  endif()
  cmake_parse_arguments(PROGRAM "" "" "SOURCES;LINKS" ${ARGN})
  add_library(${name} MODULE ${PROGRAM_SOURCES})
  set_target_properties(${name} PROPERTIES PREFIX ""
                        LIBRARY_OUTPUT_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
  # The program's own copy of everything: smpirun loads it once for each rank.
  target_link_options(${name} PRIVATE -Wl,-Bsymbolic)
  target_link_libraries(${name} PRIVATE transport_mpi_smpi ${PROGRAM_LINKS} tasuki_options
                        $<TARGET_PROPERTY:tasuki_mpi_smpi,INTERFACE_LINK_LIBRARIES>)
endfunction()
