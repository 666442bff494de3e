# find_package(tasuki COMPONENTS mpi_executor): the target tasuki::mpi_executor, for plain MPI
# programs. Its sources are compiled in the project that uses it, because MPI libraries have
# different mpi.h: with the MPI that find_package(MPI) finds there.
find_package(MPI QUIET COMPONENTS CXX)
set(tasuki_mpi_executor_FOUND ${MPI_CXX_FOUND})
if(NOT MPI_CXX_FOUND)
  set(tasuki_NOT_FOUND_MESSAGE
      "tasuki::mpi_executor needs an MPI: set MPI_CXX_COMPILER to its C++ compiler")
elseif(NOT TARGET tasuki_mpi_executor)
  add_library(tasuki_mpi_executor STATIC EXCLUDE_FROM_ALL
              ${tasuki_SOURCES}/mpi/messages/byte_count.cpp
              ${tasuki_SOURCES}/mpi/messages/executor.cpp
              ${tasuki_SOURCES}/mpi/messages/library_yields.cpp
              ${tasuki_SOURCES}/mpi/messages/placement.cpp)
  target_include_directories(tasuki_mpi_executor PRIVATE ${tasuki_SOURCES})
  target_link_libraries(tasuki_mpi_executor PUBLIC tasuki::coll MPI::MPI_CXX
                        PRIVATE fmt::fmt ${CMAKE_DL_LIBS})
  target_compile_features(tasuki_mpi_executor PUBLIC cxx_std_20)
  add_library(tasuki::mpi_executor ALIAS tasuki_mpi_executor)
endif()
