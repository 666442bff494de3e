# Installs the build tree BUILD and builds and runs the project CONSUMER against what is installed,
# with the same COMPILER, and PROGRAM by the lines in GUIDE that begin with export and c++, and
# ROUTINES by those in GUIDE_OF_ROUTINES that begin with export and cc; everything in FOLDER, which
# is emptied before. COMMAND is tasuki's; MPIS are the MPIs, with commas
# between, that the programs must work with.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

file(REMOVE_RECURSE ${FOLDER})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${FOLDER}/installed)
foreach(file doc/tasuki/LICENSE bash-completion/completions/tasuki zsh/site-functions/_tasuki
             fish/vendor_completions.d/tasuki.fish man/man1/tasuki.1 man/man1/tasuki-run.1)
  if(NOT EXISTS ${FOLDER}/installed/share/${file})
    message(FATAL_ERROR "share/${file} is not installed")
  endif()
endforeach()
run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${FOLDER}/build -G Ninja -DCMAKE_BUILD_TYPE=Release
    -DCMAKE_PREFIX_PATH=${FOLDER}/installed -DCMAKE_CXX_COMPILER=${COMPILER}
    "-DCMAKE_CXX_FLAGS=${FLAGS}")
run(${CMAKE_COMMAND} --build ${FOLDER}/build)
run(${COMMAND} run -n 2 -- ${FOLDER}/build/hello)
if(NOT said MATCHES "rank 1 of 2 answers 42")
  message(FATAL_ERROR "hello says: ${said}")
endif()

# compile_by_hand(GUIDE PROGRAM COMMAND): as the guide says, with what pkg-config says.
function(compile_by_hand guide program command)
  string(REPLACE "+" "\\+" pattern ${command})
  file(STRINGS ${guide} lines REGEX "^(export|${pattern}) ")
  list(JOIN lines " && " line)
  string(REPLACE "&& ${command} " "&& ${command} ${FLAGS} " line "${line}")
  string(REPLACE "&& c++ " "&& ${COMPILER} " line "${line}")
  string(REPLACE "~/tasuki" "${FOLDER}/installed" line "${line}")
  file(COPY ${program} DESTINATION ${FOLDER}/by_hand)
  run(${CMAKE_COMMAND} -E chdir ${FOLDER}/by_hand sh -c "${line}")
endfunction()

compile_by_hand(${GUIDE} ${PROGRAM} c++)
run(${COMMAND} run -n 2 -- ${FOLDER}/by_hand/first)
if(NOT said MATCHES "fib\\(20\\) = 6765")
  message(FATAL_ERROR "first, compiled by hand, says: ${said}")
endif()

compile_by_hand(${GUIDE_OF_ROUTINES} ${ROUTINES} cc)
execute_process(COMMAND ${CMAKE_COMMAND} -E env --unset=TASUKI_SERVER ${FOLDER}/by_hand/own_program
                ERROR_VARIABLE said)
if(NOT said MATCHES "no server has started this program")
  message(FATAL_ERROR "own_program, compiled by hand, says: ${said}")
endif()

# The plug-ins are found where they were installed, without being told and beside no program.
string(REPLACE "," ";" MPIS "${MPIS}")
foreach(mpi IN LISTS MPIS)
  run(${COMMAND} run -n 2 --transport mpi --mpi ${mpi} -- ${FOLDER}/build/hello)
  if(NOT said MATCHES "rank 1 of 2 answers 42")
    message(FATAL_ERROR "hello says with ${mpi}: ${said}")
  endif()
  run(${COMMAND} run -n 2 --transport mpi --mpi ${mpi} -- ${FOLDER}/by_hand/first)
endforeach()

# Where Tasuki was built before the MPI was there, the error says how the plug-in is built. It is
# built from what is installed.
if(NOT MPIS)
  return()
endif()
file(GLOB plugins ${FOLDER}/installed/lib*/tasuki/transport_mpi_*.so)
list(GET MPIS 0 mpi)
list(GET plugins 0 plugin)
get_filename_component(folder ${plugin} DIRECTORY)
file(REMOVE ${plugins})
set(start ${COMMAND} run -n 2 --transport mpi --mpi ${mpi} -- ${FOLDER}/build/hello)
execute_process(COMMAND ${start} RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
string(FIND "${said}" "tasuki mpi-plugin --output ${folder}" place)
if(NOT failed OR place EQUAL -1)
  message(FATAL_ERROR "hello says without the plug-in: ${said}")
endif()
run(${COMMAND} mpi-plugin --output ${folder})
run(${start})
if(NOT said MATCHES "rank 1 of 2 answers 42")
  message(FATAL_ERROR "hello says with the plug-in that was built later: ${said}")
endif()
