# Makes a wheel of SOURCE by the pip of a PYTHON that has nothing else, with BUILD as build tree,
# and uses it as somebody who has nothing else: from a virtual environment in FOLDER, which is
# emptied before, the command starts PROGRAM on two ranks, which print EXPECTED. What the wheel
# depends on is PYTHON's own. The applications are left out: each is installed as all programs are,
# by tasuki_program.
include(${CMAKE_CURRENT_LIST_DIR}/run.cmake)

file(REMOVE_RECURSE ${FOLDER})
run(${PYTHON} -m venv ${FOLDER}/builder)
set(ENV{CC} ${C_COMPILER})
set(ENV{CXX} ${CXX_COMPILER})
# Warnings are errors as in the other build trees, whose objects ccache has then.
run(${FOLDER}/builder/bin/python -m pip wheel --quiet --no-deps --wheel-dir ${FOLDER}
    --config-settings=build-dir=${BUILD} --config-settings=cmake.define.TASUKI_WERROR=ON
    --config-settings=cmake.define.TASUKI_BUILD_APPS=OFF ${SOURCE})
file(GLOB wheel ${FOLDER}/tasuki-*.whl)
run(${PYTHON} -m venv ${FOLDER}/venv)
set(python ${FOLDER}/venv/bin/python)
run(${python} -m pip install --quiet --no-deps --no-index ${wheel})
# No semicolons, which separate arguments here.
set(print_folder "print(__import__('sysconfig').get_path('purelib'), end='')")
run(${PYTHON} -c ${print_folder})
set(dependencies ${said})
run(${python} -c ${print_folder})
file(WRITE ${said}/dependencies.pth "${dependencies}\n")

unset(ENV{PYTHONPATH})
execute_process(COMMAND ${FOLDER}/venv/bin/tasuki run -n 2 ${python} ${PROGRAM}
                WORKING_DIRECTORY ${FOLDER} OUTPUT_VARIABLE said ERROR_VARIABLE said)
if(NOT said STREQUAL "${EXPECTED}\n")
  message(FATAL_ERROR "the ranks print: ${said}")
endif()
run(${python} -c "assert '${FOLDER}' in __import__('tasuki').__file__")
run(${python} -c "__import__('tasuki').connect")
run(${FOLDER}/venv/bin/tasuki --help)
foreach(file IN ITEMS bash-completion/completions/tasuki man/man1/tasuki.1 man/man1/tasuki-run.1)
  if(NOT EXISTS ${FOLDER}/venv/share/${file})
    message(FATAL_ERROR "the wheel has no share/${file}")
  endif()
endforeach()
