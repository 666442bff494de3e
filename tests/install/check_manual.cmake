# Configures the project SOURCE in FOLDER, which is emptied before, by a Python that has no packages
# of its own. Where those of PYTHON come by PYTHONPATH, as pip gives a build what it needs, the
# manual is installed. Where they lack, a wheel is refused.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

file(REMOVE_RECURSE ${FOLDER})
run(${PYTHON} -m venv --without-pip ${FOLDER}/venv)
run(${PYTHON} -c "print(__import__('sysconfig').get_path('purelib'), end='')")
set(packages ${said})
set(configure ${CMAKE_COMMAND} --fresh -S ${SOURCE} -B ${FOLDER}/build -G Ninja
    -DTASUKI_BUILD_APPS=OFF -DTASUKI_BUILD_TESTS=OFF -DCMAKE_CXX_COMPILER=${COMPILER}
    -DPython_EXECUTABLE=${FOLDER}/venv/bin/python)

unset(ENV{PYTHONPATH})
execute_process(COMMAND ${configure} -DSKBUILD=2 -DSKBUILD_DATA_DIR=${FOLDER}/data
                RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
string(REGEX REPLACE "[ \n]+" " " said "${said}")  # CMake folds the lines of an error.
if(NOT failed OR NOT said MATCHES "wheel would have no manual: .*No module named 'typer'.*Remedy: ")
  message(FATAL_ERROR "a wheel without what the manual takes: ${said}")
endif()

set(ENV{PYTHONPATH} ${packages})
run(${configure})
run(${CMAKE_COMMAND} --install ${FOLDER}/build --component command --prefix ${FOLDER}/installed)
if(NOT EXISTS ${FOLDER}/installed/share/man/man1/tasuki-run.1)
  message(FATAL_ERROR "the manual is not installed: ${said}")
endif()
