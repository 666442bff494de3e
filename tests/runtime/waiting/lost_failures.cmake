# What becomes of failures whose futures are dropped, and what is told of chains that hang.
tasuki_test_program(runtime_lost_failures runtime/waiting/lost_failures.cpp)
target_link_libraries(runtime_lost_failures PRIVATE tasuki_runtime)
tasuki_fault_test(dropped_call_throws PROGRAM runtime_lost_failures
  RANKS 2 CODE 71 FAULT dropped_call_throws
  SAYS "rank 0: call of faults::throw_in_vain() on rank 1, whose result nobody waits for, threw: \
nobody hears this. The job ends. Remedy: catch the exception in the function")
tasuki_fault_test(dropped_chain_throws PROGRAM runtime_lost_failures
  RANKS 2 CODE 71 FAULT dropped_chain_throws
  SAYS "rank 0: call of faults::throw_in_vain() on rank 1, whose result nobody waits for, threw")
tasuki_fault_test(dropped_continuation_throws PROGRAM runtime_lost_failures
  RANKS 2 CODE 71 FAULT dropped_continuation_throws
  SAYS "rank 0: faults::throw_in_vain(), whose result nobody waits for, threw: nobody hears this")
tasuki_fault_test(dropped_coroutine_throws PROGRAM runtime_lost_failures
  RANKS 2 CODE 71 FAULT dropped_coroutine_throws
  SAYS "rank 0: faults::throw_later(), whose result nobody waits for, threw: too late")
tasuki_fault_test(one_way_coroutine_throws PROGRAM runtime_lost_failures
  RANKS 2 CODE 71 FAULT one_way_coroutine_throws
  SAYS "rank 1: one-way call of faults::throw_later() from rank 0 threw: too late")
tasuki_fault_test(read_and_dropped PROGRAM runtime_lost_failures
  RANKS 2 CODE 71 FAULT read_and_dropped
  SAYS "rank 0: call of faults::throw_in_vain() on rank 1, whose result nobody waits for, threw")
tasuki_fault_test(dropped_by_exception PROGRAM runtime_lost_failures
  RANKS 2 CODE 0 FAULT dropped_by_exception
  SAYS "rank 0: call of faults::throw_in_vain() on rank 1, whose result nobody waits for, threw")
tasuki_fault_test(given_away_by_exception PROGRAM runtime_lost_failures
  RANKS 2 CODE 0 FAULT given_away_by_exception
  SAYS "rank 0: call of faults::throw_in_vain() on rank 1, whose result nobody waits for, threw")
tasuki_fault_test(hung_coroutine PROGRAM runtime_lost_failures RANKS 2 CODE 72 FAULT hung_coroutine
  WITHIN 15
  SAYS "rank 0: faults::call_one_that_waits() waits for the result of faults::wait_for_ever() on"
       "rank 1: faults::wait_for_ever() called by rank 0 waits for a Future that no single call")
tasuki_fault_test(hung_function_of_answer PROGRAM runtime_lost_failures
  RANKS 2 CODE 72 FAULT hung_function_of_answer WITHIN 15
  SAYS "rank 0: main waits for a Future that no single call")
tasuki_fault_test(hung_chain PROGRAM runtime_lost_failures RANKS 2 CODE 72 FAULT hung_chain
  WITHIN 15 SAYS "rank 0: main waits for the result of faults::wait_for_ever() on rank 1")
tasuki_fault_test(hung_long_chain PROGRAM runtime_lost_failures
  RANKS 2 CODE 72 FAULT hung_long_chain WITHIN 15
  SAYS "rank 0: main waits for the result of faults::wait_for_ever() on rank 1")
tasuki_fault_test(hung_call_of_chain PROGRAM runtime_lost_failures
  RANKS 2 CODE 72 FAULT hung_call_of_chain WITHIN 15
  SAYS "rank 0: main waits for the result of faults::wait_for_ever() on rank 1")
tasuki_fault_test(hung_spawned_call PROGRAM runtime_lost_failures
  RANKS 2 CODE 72 FAULT hung_spawned_call WITHIN 15
  SAYS "rank 0: main waits for the result of faults::wait_for_ever() on rank 1")
tasuki_fault_test(hung_circle PROGRAM runtime_lost_failures RANKS 2 CODE 72 FAULT hung_circle
  WITHIN 15 SAYS "rank 0: main waits for a Future that no single call")
tasuki_fault_test(hung_after_chain PROGRAM runtime_lost_failures
  RANKS 2 CODE 72 FAULT hung_after_chain WITHIN 15
  SAYS "rank 0: main waits for a Future that no single call")
tasuki_fault_test(hung_function_of_chain PROGRAM runtime_lost_failures
  RANKS 2 CODE 72 FAULT hung_function_of_chain WITHIN 15
  SAYS "rank 0: main waits for a Future that no single call")
tasuki_fault_test(dropped_function_of_answer_throws PROGRAM runtime_lost_failures
  RANKS 2 CODE 71 FAULT dropped_function_of_answer_throws
  SAYS "dropped_function_of_answer_throws()" "whose result nobody waits for, threw: too small")
