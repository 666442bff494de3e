# Installs the component `client` of the build tree BUILD alone, into FOLDER, which is emptied
# before, and uses it as somebody does who has nothing else. EXAMPLES are compiled by what
# pkg-config says with C_COMPILER, CXX_COMPILER and, where there is one, FORTRAN_COMPILER. They say
# what is missing, a server. So does Python's client, as a wheel of the client has it: PYTHON with
# the folder PACKAGE and the same component.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

file(REMOVE_RECURSE ${FOLDER})
run(${CMAKE_COMMAND} --install ${BUILD} --component client --prefix ${FOLDER}/installed)
file(GLOB_RECURSE files RELATIVE ${FOLDER}/installed ${FOLDER}/installed/*)
list(SORT files)
set(headers client.h grpc.h ninf.h remote.hpp tasuki_client.f90 tasuki_client_fortran.c)
list(TRANSFORM headers PREPEND include/tasuki/)
set(expected include/grpc.h include/ninf.h ${headers} ${LIBRARY_FOLDER}/libtasuki_client.so
             ${LIBRARY_FOLDER}/libtasuki_client.so.0 ${LIBRARY_FOLDER}/pkgconfig/tasuki-client.pc)
list(SORT expected)
if(NOT files STREQUAL expected)
  message(FATAL_ERROR "installed are ${files}\nand not ${expected}")
endif()

set(ENV{PKG_CONFIG_PATH} ${FOLDER}/installed/${LIBRARY_FOLDER}/pkgconfig)
set(unset ${CMAKE_COMMAND} -E env --unset=TASUKI_SERVER)
# try(NAME COMMAND...): compiles the example NAME by the command and runs it.
function(try name)
  list(JOIN ARGN " " line)
  run(sh -c "${line} ${EXAMPLES}/${name} -o ${FOLDER}/${name}.program \
      $(pkg-config --cflags --libs tasuki-client) ${FLAGS}")
  execute_process(COMMAND ${unset} ${FOLDER}/${name}.program OUTPUT_VARIABLE said
                  ERROR_VARIABLE said)
  if(NOT said MATCHES "TASUKI_SERVER")
    message(FATAL_ERROR "${name} says: ${said}")
  endif()
endfunction()
try(routine.c ${C_COMPILER})
try(grid_product.c ${C_COMPILER})
try(ninf_product.c ${C_COMPILER})
try(remote.cpp ${CXX_COMPILER} -std=c++20)
if(FORTRAN_COMPILER)
  set(sources ${FOLDER}/installed/include/tasuki)
  try(linear_equations.f90 ${FORTRAN_COMPILER} -J ${FOLDER} -I${FOLDER}/installed/include
      ${sources}/tasuki_client_fortran.c ${sources}/tasuki_client.f90)
endif()

file(COPY ${PACKAGE} DESTINATION ${FOLDER}/python PATTERN __pycache__ EXCLUDE)
run(${CMAKE_COMMAND} --install ${BUILD} --component client --prefix ${FOLDER}/python/tasuki)
set(ENV{PYTHONPATH} ${FOLDER}/python)
# An editable installation would have its say before PYTHONPATH.
file(WRITE ${FOLDER}/python/sitecustomize.py "import sys
sys.meta_path[:] = [one for one in sys.meta_path
                    if not type(one).__name__.startswith('ScikitBuild')]
")
execute_process(COMMAND ${PYTHON} -P -c "import tasuki; print(tasuki.__file__); \
tasuki.connect('tasuki://localhost:1')" OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(NOT said MATCHES "${FOLDER}/python/tasuki" OR NOT said MATCHES "localhost:1 does not answer")
  message(FATAL_ERROR "Python says: ${said}")
endif()
