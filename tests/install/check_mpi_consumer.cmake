# Builds PROGRAM, a plain MPI program, as the project CONSUMER against what check_install.cmake has
# installed into FOLDER, once with each of the MPIs' COMPILERS, and runs it with the launcher at the
# same place in LAUNCHERS (both with commas between). Then without an MPI: that has to be said.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

set(configure ${CMAKE_COMMAND} -S ${CONSUMER} -G Ninja -DCMAKE_BUILD_TYPE=Release
    -DPROGRAM=${PROGRAM} -DCMAKE_PREFIX_PATH=${FOLDER}/installed -DCMAKE_CXX_COMPILER=${COMPILER}
    "-DCMAKE_CXX_FLAGS=${FLAGS}")
string(REPLACE "," ";" COMPILERS "${COMPILERS}")
string(REPLACE "," ";" LAUNCHERS "${LAUNCHERS}")
foreach(mpi launcher IN ZIP_LISTS COMPILERS LAUNCHERS)
  get_filename_component(name ${mpi} NAME)
  run(${configure} -B ${FOLDER}/${name} -DMPI_CXX_COMPILER=${mpi})
  run(${CMAKE_COMMAND} --build ${FOLDER}/${name})
  run(${launcher} -n 2 ${FOLDER}/${name}/program)
  if(NOT said MATCHES "2 ranks: 3")
    message(FATAL_ERROR "the program says with ${mpi}: ${said}")
  endif()
endforeach()

execute_process(COMMAND ${configure} -B ${FOLDER}/no_mpi -DCMAKE_DISABLE_FIND_PACKAGE_MPI=ON
                RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(NOT failed OR NOT said MATCHES "tasuki::mpi_executor needs an MPI")
  message(FATAL_ERROR "without an MPI: ${said}")
endif()
