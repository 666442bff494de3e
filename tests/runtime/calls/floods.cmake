# Floods of calls: what ends how, and that no rank takes more than 256 MiB of memory.
tasuki_test_program(runtime_floods runtime/calls/floods.cpp)
target_link_libraries(runtime_floods PRIVATE tasuki_runtime)
tasuki_fault_test(flood PROGRAM runtime_floods RANKS 2 CODE 0 FAULT flood 1000000)
tasuki_fault_test(flood_from_three PROGRAM runtime_floods RANKS 4 CODE 0 FAULT flood 1000000)
tasuki_fault_test(flood_of_answers PROGRAM runtime_floods
  RANKS 2 CODE 0 FAULT flood_with_dropped_answers 200000)
tasuki_fault_test(flood_of_long_answers PROGRAM runtime_floods
  RANKS 5 CODE 0 FAULT flood_with_long_answers 200000)
tasuki_fault_test(flood_of_posts_back PROGRAM runtime_floods
  RANKS 5 CODE 0 FAULT flood_with_posts_back 200000)
if(NOT TASUKI_SANITIZE)  # It would keep most of the memory.
  tasuki_fault_test(flood_of_calls_that_call PROGRAM runtime_floods
    RANKS 2 CODE 0 FAULT flood_with_calls_that_call 11)
  foreach(which IN ITEMS busy slow)
    foreach(ranks IN ITEMS 3 4)
      tasuki_fault_test(flood_past_a_${which}_rank_of_${ranks} PROGRAM runtime_floods
        RANKS ${ranks} CODE 0
        FAULT flood_past_a_${which}_rank 0)
    endforeach()
  endforeach()
endif()
if(NOT TASUKI_SANITIZE)  # Stacks with all that a sanitizer keeps of them are too large for it.
  tasuki_fault_test(flood_of_calls_back PROGRAM runtime_floods
    RANKS 5 CODE 0 FAULT flood_with_calls_back 100000)
endif()
# Channels of MPI hold far more than rings do.
foreach(answers IN ITEMS dropped_answers long_answers posts_back)
  tasuki_run_ranks(runtime.flood_with_${answers} runtime_floods RANKS 2
                   TRANSPORTS ompi mpich mpich_node ARGUMENTS flood_with_${answers} 200000
                   LABELS runtime)
endforeach()
tasuki_run_ranks(runtime.flood_with_calls_that_call runtime_floods RANKS 3
                 TRANSPORTS ompi mpich ucx ARGUMENTS flood_with_calls_that_call 11
                 LABELS runtime)
# What answers such calls lies in the channel behind more of them, so each may need a fiber until it
# comes: three times as many as the system has mappings for stacks with guards (vm.max_map_count).
tasuki_run_ranks(runtime.flood_with_calls_back runtime_floods RANKS 2
                 TRANSPORTS ompi mpich mpich_node ARGUMENTS flood_with_calls_back 100000
                 LABELS runtime)
tasuki_fault_test(flood_long PROGRAM runtime_floods
  RANKS 2 CODE 0 FAULT flood 100000000 WITHIN 300 LABELS long)
tasuki_fault_test(flood_of_answers_long PROGRAM runtime_floods
  RANKS 3 CODE 0 FAULT flood_with_dropped_answers 5000000
  WITHIN 300 LABELS long)
