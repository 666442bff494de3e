# FindTasukiMpi: every MPI on this machine, side by side.
#
# CMake's own FindMPI knows one MPI per build; Tasuki builds a plug-in and the MPI baselines of its
# applications for each. Looks for the usual names of the C++ wrappers; others (Open MPI 5 in a home
# directory, ...) by TASUKI_MPI_CXX_COMPILERS. Sets
#   TASUKI_MPI_NAMES           the families found, of ompi, mpich, smpi (SimGrid): the first of each
#   TASUKI_MPI_<name>_COMPILER the C++ wrapper
#   TASUKI_MPI_<name>_MPIEXEC  the launcher that belongs to it
# and defines the interface targets tasuki_mpi_<name>. An SMPI program is a shared object that
# smpirun loads: its target brings the flags for that.

set(TASUKI_MPI_CXX_COMPILERS "" CACHE STRING "C++ wrappers of further MPIs, searched first")

# Splits what `mpicxx -show` prints into PREFIX_{INCLUDES,OPTIONS,LINK}.
function(tasuki_mpi_flags compiler prefix)
  execute_process(COMMAND ${compiler} -show OUTPUT_VARIABLE shown ERROR_QUIET RESULT_VARIABLE failed
                  OUTPUT_STRIP_TRAILING_WHITESPACE)
  separate_arguments(words UNIX_COMMAND "${shown}")
  set(includes "")
  set(options "")
  set(link "")
  set(after_include FALSE)
  foreach(word IN LISTS words)
    if(after_include)
      list(APPEND options "SHELL:-include ${word}")
      set(after_include FALSE)
    elseif(word STREQUAL "-include")
      set(after_include TRUE)
    elseif(word MATCHES "^-I(/usr/include)?$")
      # The system's own directory must keep its place in the search order.
    elseif(word MATCHES "^-I(.+)$")
      list(APPEND includes ${CMAKE_MATCH_1})
    elseif(word STREQUAL "-fPIC")
      list(APPEND options ${word})
    elseif(word MATCHES "^-(L|l|Wl,|pthread|shared)" AND NOT word MATCHES "mpi_cxx|mpichcxx")
      list(APPEND link ${word})
    endif()
  endforeach()
  set(${prefix}_INCLUDES "${includes}" PARENT_SCOPE)
  set(${prefix}_OPTIONS "${options}" PARENT_SCOPE)
  set(${prefix}_LINK "${link}" PARENT_SCOPE)
endfunction()

# Which family is it? Asks the mpi.h it brings; "" if that is none we know.
function(tasuki_mpi_family includes result)
  set(${result} "" PARENT_SCOPE)
  find_file(header mpi.h PATHS ${includes} NO_DEFAULT_PATH NO_CACHE)
  if(NOT header)
    return()
  endif()
  file(STRINGS ${header} marks LIMIT_COUNT 1
       REGEX "define (OPEN_MPI|MPICH_VERSION) |include <smpi/smpi.h>")
  if(marks MATCHES "OPEN_MPI")
    set(${result} ompi PARENT_SCOPE)
  elseif(marks MATCHES "MPICH_VERSION")
    set(${result} mpich PARENT_SCOPE)
  elseif(marks MATCHES "smpi")
    set(${result} smpi PARENT_SCOPE)
  endif()
endfunction()

set(TASUKI_MPI_NAMES "")
set(tasuki_mpi_candidates ${TASUKI_MPI_CXX_COMPILERS})
set(tasuki_mpi_wrappers mpicxx.openmpi mpicxx.mpich mpicxx)
# A sanitizer has to be there before SimGrid, which loads the program, is.
if(NOT TASUKI_SANITIZE)
  list(APPEND tasuki_mpi_wrappers smpicxx)
endif()
foreach(name IN LISTS tasuki_mpi_wrappers)
  find_program(tasuki_mpi_wrapper ${name} NO_CACHE)
  if(tasuki_mpi_wrapper)
    list(APPEND tasuki_mpi_candidates ${tasuki_mpi_wrapper})
  endif()
  unset(tasuki_mpi_wrapper)
endforeach()

foreach(compiler IN LISTS tasuki_mpi_candidates)
  tasuki_mpi_flags(${compiler} tasuki_mpi)
  tasuki_mpi_family("${tasuki_mpi_INCLUDES}" family)
  if(NOT family OR family IN_LIST TASUKI_MPI_NAMES)
    continue()
  endif()
  list(APPEND TASUKI_MPI_NAMES ${family})
  string(REGEX REPLACE "smpicxx([^/]*)$" "smpirun\\1" launcher ${compiler})
  string(REGEX REPLACE "mpi(cxx|c\\+\\+)([^/]*)$" "mpiexec\\2" launcher ${launcher})
  set(TASUKI_MPI_${family}_COMPILER ${compiler})
  set(TASUKI_MPI_${family}_MPIEXEC ${launcher})
  if(NOT TARGET tasuki_mpi_${family})
    add_library(tasuki_mpi_${family} INTERFACE)
    target_include_directories(tasuki_mpi_${family} SYSTEM INTERFACE ${tasuki_mpi_INCLUDES})
    target_compile_options(tasuki_mpi_${family} INTERFACE ${tasuki_mpi_OPTIONS})
    target_link_libraries(tasuki_mpi_${family} INTERFACE ${tasuki_mpi_LINK})
    # The C++ bindings that MPI-3 removed only bring warnings and a library.
    target_compile_definitions(tasuki_mpi_${family}
                               INTERFACE OMPI_SKIP_MPICXX MPICH_SKIP_MPICXX)
  endif()
endforeach()
message(STATUS "MPIs found: ${TASUKI_MPI_NAMES}")
