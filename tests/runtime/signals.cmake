# Signals in called functions. A sanitizer ends the process its own way afterwards.
tasuki_test_program(runtime_signals runtime/calls/signals.cpp)
target_link_libraries(runtime_signals PRIVATE tasuki_runtime)
# tasuki_signal_test(WAY exit-code [argument of tasuki_fault_test...])
function(tasuki_signal_test way code)
  if(TASUKI_SANITIZE)
    set(code ${code},134)
  endif()
  tasuki_fault_test(signal_${way} PROGRAM runtime_signals RANKS 2 CODE ${code} FAULT ${way}
                    WITHIN 20 ${ARGN})
endfunction()
tasuki_signal_test(memory 139
  SAYS "rank 1: SIGSEGV (address 0x10) in a call of signals::write_nowhere(int) from rank 0 (rec"
       " here, 40 bytes). Remedy" "signal 11 | signal 6")
tasuki_signal_test(memory_later 139
  SAYS "(address 0x10) in a call of signals::write_nowhere_later(int) from rank 0. Remedy")
tasuki_signal_test(one_way 139
  SAYS "rank 1: SIGSEGV (address 0x10) in a one-way call of signals::write_nowhere(int) from rank")
tasuki_signal_test(named 139
  SAYS "rank 1: SIGSEGV (address 0x10) in a call of a function with a name from rank 0")
tasuki_signal_test(spawned 139
  SAYS "SIGSEGV (address 0x10) in the spawned signals::write_nowhere(int). Remedy")
tasuki_signal_test(division 136 SAYS "rank 1: SIGFPE in a call of signals::divide(int) from rank 0")
tasuki_signal_test(instruction 132
  SAYS "rank 1: SIGILL in a call of signals::send_signal(int) from rank 0")
tasuki_signal_test(bus 135
  SAYS "rank 1: SIGBUS in a call of signals::send_signal(int) from rank 0")
tasuki_signal_test(abort 134 SAYS "rank 1: SIGABRT in a call of signals::run" "from rank 0")
tasuki_signal_test(stack 139
  SAYS "stack overflow in fiber" "in a call of signals::use_stack(int) from rank 0")
tasuki_signal_test(no_memory 139
  SAYS "in a call of the function at the program+0x" "from rank 0 (record ")
tasuki_signal_test(argument 139
  SAYS "rank 1: SIGSEGV (address 0x10) in a call of signals::send_unreadable()" "from rank 0 (rec")
# Nothing wrong is named.
foreach(way main continuation thread)
  tasuki_signal_test(${way} 139 NEVER_SAYS "SIGSEGV (address")
endforeach()

foreach(mpi IN ITEMS ompi mpich)
  if(NOT mpi IN_LIST TASUKI_MPI_NAMES OR CMAKE_CROSSCOMPILING)
    continue()
  endif()
  # An MPI library's own handler comes after the message.
  foreach(way IN ITEMS memory division abort)
    set(code_memory 139,134)
    set(code_division 136,134)
    set(code_abort 134)
    if(mpi STREQUAL mpich)
      # Its launcher ends with the number of the signal, with that by which it ends the others, or
      # with 0: the command then ends with 1.
      string(APPEND code_memory ,11,9,15,1)
      string(APPEND code_division ,8,9,15,1)
      string(APPEND code_abort ,6,9,15,1)
    endif()
    set(name_memory "SIGSEGV (address 0x10) in a call of signals::write_nowhere(int) from rank 0")
    set(name_division "SIGFPE in a call of signals::divide(int) from rank 0")
    set(name_abort "SIGABRT in a call of signals::run")
    set(test runtime.fault.signal_${way}.${mpi})
    add_test(NAME ${test}
      COMMAND Python3::Interpreter ${PROJECT_SOURCE_DIR}/tests/support/expect_end.py
              --exit-code=${code_${way}} --ranks=2 --within=20
              "--says=rank 1: ${name_${way}}" -- ${TASUKI_COMMAND} run --transport mpi --mpi ${mpi}
              -n 2 -- $<TARGET_FILE:runtime_signals> ${way})
    tasuki_rank_test_properties(${test} 2 "runtime;mpi;${mpi}" 60)
    set_property(TEST ${test} PROPERTY ENVIRONMENT TASUKI_NODE_SHM=0 LSAN_OPTIONS=detect_leaks=0)
  endforeach()
endforeach()
