# Values whose `load` waits, while what lies behind them in the message has not been read.
tasuki_test_program(runtime_loads runtime/calls/loads.cpp)
target_link_libraries(runtime_loads PRIVATE tasuki_runtime)
foreach(way IN ITEMS argument argument_that_calls argument_of_post)
  tasuki_fault_test(load_of_${way} PROGRAM runtime_loads RANKS 2 CODE 71 FAULT ${way} WITHIN 20
    SAYS "rank 1: load or serialize of a value for loads::second_of(loads::WaitsWhenRead const&, \
int), which rank 0 calls, waits" "Remedy: only read the members there")
endforeach()
tasuki_fault_test(load_of_answer PROGRAM runtime_loads RANKS 2 CODE 71 FAULT answer WITHIN 20
  SAYS "rank 0: load or serialize of a value waits, by yield, invoke, post, a lock or the like")
tasuki_fault_test(load_of_long_argument PROGRAM runtime_loads
  RANKS 2 CODE 71 FAULT long_argument WITHIN 20 SAYS "rank 1: load or serialize of a value for ")
tasuki_fault_test(load_before_a_wait PROGRAM runtime_loads
  RANKS 2 CODE 0 FAULT waits_in_the_function WITHIN 20)
tasuki_fault_test(load_that_throws PROGRAM runtime_loads
  RANKS 2 CODE 0 FAULT waits_when_it_could_not_be_read WITHIN 20)
