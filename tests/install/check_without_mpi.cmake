# Configures the project SOURCE in FOLDER where no MPI is found: that has to be said then, and when
# the build is installed.
execute_process(COMMAND ${CMAKE_COMMAND} --fresh -S ${SOURCE} -B ${FOLDER} -G Ninja
    -DTASUKI_BUILD_TESTS=OFF -DCMAKE_DISABLE_FIND_PACKAGE_TasukiMpi=ON
    -DCMAKE_CXX_COMPILER=${COMPILER}
  RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
# Lines are not folded: ./dev build shows those that begin so.
if(failed OR NOT said MATCHES "\ntasuki: no Open MPI or MPICH was found[^\n]*tasuki mpi-plugin\n")
  message(FATAL_ERROR "without an MPI: ${said}")
endif()
file(READ ${FOLDER}/src/transport/cmake_install.cmake script)
string(FIND "${script}" "tasuki mpi-plugin --output \${CMAKE_INSTALL_PREFIX}/" place)
if(place EQUAL -1)
  message(FATAL_ERROR "installing says nothing of the plug-in")
endif()
