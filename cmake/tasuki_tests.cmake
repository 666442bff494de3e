# Helpers that register tests. Each names its layer as a ctest label (`ctest -L coll`); further
# labels in use: `protocol` (lock-free code: also run under tsan and, cross-built, under qemu),
# `long` (only `./dev test --long`), and for runtime tests the transport's name.

if(CMAKE_CROSSCOMPILING)
  add_subdirectory(/usr/src/googletest ${PROJECT_BINARY_DIR}/googletest EXCLUDE_FROM_ALL)
  target_compile_options(gtest PRIVATE -w)
else()
  find_package(GTest REQUIRED)
endif()
find_package(Python3 REQUIRED COMPONENTS Interpreter)
include(GoogleTest)
# ctest asks programs for their tests, not the build: there a program that was just linked could
# still be open for writing in another process ("text file busy").
set(CMAKE_GTEST_DISCOVER_TESTS_DISCOVERY_MODE PRE_TEST)

set(TASUKI_COMMAND ${PROJECT_SOURCE_DIR}/.venv/bin/tasuki CACHE FILEPATH
    "The tasuki command that starts the ranks of shm tests (made by ./dev build)")
set(TASUKI_LOOPBACK_SEEDS 200 CACHE STRING "Seeds of loopback tests, the first ones not `long`")
set(TASUKI_SHORT_SEEDS 10)
if(TASUKI_SANITIZE)  # A seed takes six times as long; the release build runs the others.
  set(TASUKI_SHORT_SEEDS 3)
endif()
# Seconds after which a test hangs: many times what any takes, because machines may be busy.
set(TASUKI_TEST_TIMEOUT 600)

# Test programs live beside lib/, as the installed ones do, so that they find the plug-ins.
set(TASUKI_TEST_BIN ${PROJECT_BINARY_DIR}/test-bin)

# What the presets tsan and aarch64 build.
add_custom_target(protocol_tests)
# What the preset asan builds: all that its tests start, so neither benchmarks nor examples.
add_custom_target(test_programs)
get_property(plugins GLOBAL PROPERTY TASUKI_PLUGINS)
if(plugins)
  add_dependencies(test_programs ${plugins})
endif()

# tasuki_test_program(TARGET SOURCE LABELS...)
function(tasuki_test_program target source)
  add_executable(${target} ${PROJECT_SOURCE_DIR}/tests/${source})
  target_include_directories(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src
                             ${PROJECT_SOURCE_DIR}/tests)
  set_target_properties(${target} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${TASUKI_TEST_BIN})
  target_link_libraries(${target} PRIVATE tasuki_options)
  add_dependencies(test_programs ${target})
  if("protocol" IN_LIST ARGN)
    add_dependencies(protocol_tests ${target})
  endif()
endfunction()

# tasuki_unit_test(LAYER NAME [PROCESSORS n] [LINKS target...] [LABELS label...]):
# tests/LAYER/NAME_test.cpp, one process, no launcher; one ctest entry for each TEST in it. Threads
# that poll for each other need PROCESSORS: beside another test they would only take turns.
function(tasuki_unit_test layer name)
  cmake_parse_arguments(TEST "" "PROCESSORS" "LINKS;LABELS" ${ARGN})
  if(NOT TEST_PROCESSORS)
    set(TEST_PROCESSORS 1)
  endif()
  string(REPLACE "/" "_" target ${layer}_${name}_test)  # NAME may have folders
  tasuki_test_program(${target} ${layer}/${name}_test.cpp ${TEST_LABELS})
  target_link_libraries(${target} PRIVATE tasuki_${layer} ${TEST_LINKS} GTest::gtest_main)
  gtest_discover_tests(${target} TEST_PREFIX ${layer}. TEST_LIST ${target}_list NO_PRETTY_VALUES
    PROPERTIES TIMEOUT ${TASUKI_TEST_TIMEOUT} PROCESSORS ${TEST_PROCESSORS})
  # A list does not survive gtest_discover_tests(PROPERTIES), so ctest sets the labels itself.
  set(label_file ${CMAKE_CURRENT_BINARY_DIR}/${target}_labels.cmake)
  file(WRITE ${label_file}
    "set_tests_properties(\${${target}_list} PROPERTIES LABELS \"${layer};${TEST_LABELS}\")\n")
  set_property(DIRECTORY APPEND PROPERTY TEST_INCLUDE_FILES ${label_file})
endfunction()

# tasuki_contributing_example(LAYER TARGET): compiles the example of CONTRIBUTING.md that is a file
# of src/LAYER into the target, as it stands there.
function(tasuki_contributing_example layer target)
  set(guide ${PROJECT_SOURCE_DIR}/CONTRIBUTING.md)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${guide})
  file(READ ${guide} example)
  string(REGEX REPLACE ".*```cpp\n(// src/${layer}/[^`]*)```.*" "\\1" example "${example}")
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${layer}_example.cpp)
  file(CONFIGURE OUTPUT ${source} CONTENT "${example}" @ONLY)
  target_sources(${target} PRIVATE ${source})
endfunction()

# tasuki_rank_program(LAYER TARGET SOURCES file... [LINKS target...] [LABELS label...]): a program
# of RankTests with the main of tests/support/rank_main.cpp.
function(tasuki_rank_program layer target)
  cmake_parse_arguments(TEST "" "" "SOURCES;LINKS;LABELS" ${ARGN})
  list(TRANSFORM TEST_SOURCES PREPEND ${layer}/)
  list(POP_FRONT TEST_SOURCES first)
  tasuki_test_program(${target} ${first} ${TEST_LABELS})
  list(TRANSFORM TEST_SOURCES PREPEND ${PROJECT_SOURCE_DIR}/tests/)
  target_sources(${target} PRIVATE ${TEST_SOURCES})
  target_link_libraries(${target} PRIVATE tasuki_${layer} ${TEST_LINKS} tasuki_rank_main)
endfunction()

# tasuki_run_ranks(TEST TARGET RANKS n... TRANSPORTS shm|loopback|ompi|mpich...
#                  [LABELS label...] [ENVIRONMENT name=value...] [ARGUMENTS text...]
#                  [TIMEOUT seconds]):
# runs the program by its launcher once for each transport and number of ranks, as
# TEST.TRANSPORT.RANKS. Loopback runs once for each seed. The MPIs run without node shm, so that MPI
# itself is tested, ompi_node and mpich_node with it; all but those of two ranks are `long`.
function(tasuki_run_ranks name target)
  cmake_parse_arguments(TEST "" "TIMEOUT" "RANKS;TRANSPORTS;LABELS;ENVIRONMENT;ARGUMENTS" ${ARGN})
  if(CMAKE_CROSSCOMPILING)
    return()
  endif()
  if(NOT TEST_TIMEOUT)
    set(TEST_TIMEOUT ${TASUKI_TEST_TIMEOUT})
  endif()
  foreach(transport IN LISTS TEST_TRANSPORTS)
    foreach(ranks IN LISTS TEST_RANKS)
      cmake_language(CALL tasuki_add_${transport}_test ${name}.${transport}.${ranks} ${target}
                     ${ranks} "${transport};${TEST_LABELS}" ${TEST_TIMEOUT} ${TEST_ARGUMENTS})
      foreach(test IN ITEMS ${name}.${transport}.${ranks} ${name}.${transport}.${ranks}.long)
        if(TEST ${test} AND TEST_ENVIRONMENT)
          set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT ${TEST_ENVIRONMENT})
        endif()
      endforeach()
    endforeach()
  endforeach()
endfunction()

# What every test that starts an MPI program has in its environment. MPIs leave memory behind in
# libraries that they have unloaded, so nobody can say what a leak checker found there.
set(TASUKI_MPI_TEST_ENVIRONMENT OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
                                LSAN_OPTIONS=detect_leaks=0)

function(tasuki_add_shm_test test target ranks labels timeout)
  add_test(NAME ${test}
           # Not bound, because tests run beside other tests.
           COMMAND ${TASUKI_COMMAND} run -n ${ranks} --bind none -- $<TARGET_FILE:${target}>
                   ${ARGN})
  tasuki_rank_test_properties(${test} ${ranks} "${labels}" ${timeout})
endfunction()

# As between hosts: no memory of the node, and TCP.
function(tasuki_add_ucx_test test target ranks labels timeout)
  if(NOT UCX_INCLUDE_DIR)
    return()
  endif()
  add_test(NAME ${test}
           COMMAND ${TASUKI_COMMAND} run -n ${ranks} --transport ucx --no-node-shm --bind none --
                   $<TARGET_FILE:${target}> ${ARGN})
  tasuki_rank_test_properties(${test} ${ranks} "${labels}" ${timeout})
  set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT UCX_TLS=tcp LSAN_OPTIONS=detect_leaks=0)
endfunction()

function(tasuki_add_loopback_test test target ranks labels timeout)
  set(seeds ${PROJECT_SOURCE_DIR}/tests/support/run_seeds.py)
  math(EXPR first_long "${TASUKI_SHORT_SEEDS} + 1")
  add_test(NAME ${test} COMMAND Python3::Interpreter ${seeds} --ranks ${ranks}
           --seeds 1 ${TASUKI_SHORT_SEEDS} -- $<TARGET_FILE:${target}> ${ARGN})
  add_test(NAME ${test}.long COMMAND Python3::Interpreter ${seeds} --ranks ${ranks} --jobs 2
           --seeds ${first_long} ${TASUKI_LOOPBACK_SEEDS} -- $<TARGET_FILE:${target}> ${ARGN})
  set_tests_properties(${test} PROPERTIES TIMEOUT ${timeout} LABELS "${labels}")
  math(EXPR long_timeout "${timeout} * 2")
  set_tests_properties(${test}.long PROPERTIES TIMEOUT ${long_timeout} PROCESSORS 2
                       LABELS "${labels};long")
endfunction()

function(tasuki_add_ompi_test test target ranks labels timeout)
  tasuki_add_mpi_test(ompi 0 ${test} ${target} ${ranks} "${labels}" ${timeout} ${ARGN})
endfunction()

function(tasuki_add_ompi_node_test test target ranks labels timeout)
  tasuki_add_mpi_test(ompi 1 ${test} ${target} ${ranks} "${labels}" ${timeout} ${ARGN})
endfunction()

function(tasuki_add_mpich_test test target ranks labels timeout)
  tasuki_add_mpi_test(mpich 0 ${test} ${target} ${ranks} "${labels}" ${timeout} ${ARGN})
endfunction()

function(tasuki_add_mpich_node_test test target ranks labels timeout)
  tasuki_add_mpi_test(mpich 1 ${test} ${target} ${ranks} "${labels}" ${timeout} ${ARGN})
endfunction()

function(tasuki_add_mpi_test mpi node_shm test target ranks labels timeout)
  if(NOT mpi IN_LIST TASUKI_MPI_NAMES)
    return()
  endif()
  set(options "")
  if(mpi STREQUAL ompi)
    set(options --oversubscribe)
  endif()
  add_test(NAME ${test} COMMAND ${TASUKI_MPI_${mpi}_MPIEXEC} ${options} -n ${ranks}
           $<TARGET_FILE:${target}> ${ARGN})
  list(APPEND labels mpi)
  if(NOT ranks EQUAL 2)
    list(APPEND labels long)
  endif()
  tasuki_rank_test_properties(${test} ${ranks} "${labels}" ${timeout})
  set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT
    TASUKI_TRANSPORT=mpi TASUKI_MPI=${mpi} TASUKI_NODE_SHM=${node_shm}
    ${TASUKI_MPI_TEST_ENVIRONMENT})
endfunction()

# Ranks poll, so that two tests of more than one rank at once would only take turns on the cores.
function(tasuki_rank_test_properties test ranks labels timeout)
  set_tests_properties(${test} PROPERTIES TIMEOUT ${timeout} LABELS "${labels}")
  if(ranks GREATER 1)
    set_tests_properties(${test} PROPERTIES RUN_SERIAL TRUE)
  endif()
endfunction()

# tasuki_compile_fail_test(LAYER NAME EXPECT text...): tests/LAYER/compile_fail/NAME.cpp must not
# compile against the layer, and the compiler must say each text.
function(tasuki_compile_fail_test layer name)
  cmake_parse_arguments(TEST "" "" "EXPECT" ${ARGN})
  if(NOT TEST_EXPECT)
    message(FATAL_ERROR "tasuki_compile_fail_test(${layer} ${name}): EXPECT is missing")
  endif()
  if(NOT EXISTS ${PROJECT_SOURCE_DIR}/tests/${layer}/compile_fail/${name}.cpp)
    message(FATAL_ERROR "tasuki_compile_fail_test(${layer} ${name}): there is no such file")
  endif()
  if(CMAKE_CROSSCOMPILING)
    return()
  endif()
  set(includes "$<TARGET_PROPERTY:tasuki_${layer},INTERFACE_INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:tasuki_${layer},INTERFACE_COMPILE_DEFINITIONS>")
  set(expected ${TEST_EXPECT})
  list(TRANSFORM expected PREPEND --expect=)
  add_test(NAME ${layer}.compile_fail.${name}
    COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tests/support/compile_fail.py ${expected}
      ${PROJECT_SOURCE_DIR}/tests/${layer}/compile_fail/${name}.cpp
      -- ${CMAKE_CXX_COMPILER} -std=c++20 "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
      "$<$<BOOL:${includes}>:-I$<JOIN:${includes},;-I>>"
    COMMAND_EXPAND_LISTS)
  set_tests_properties(${layer}.compile_fail.${name} PROPERTIES TIMEOUT 120
                       LABELS "${layer};compile_fail")
endfunction()
