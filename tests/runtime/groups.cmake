# Four nodes of two ranks in two groups: collectives of three levels. NAME GROUPS ARGUMENT...
function(runtime_add_groups name groups)
  set(test runtime.groups.${name}.ucx.8)
  add_test(NAME ${test}
           COMMAND ${TASUKI_COMMAND} run -n 8 --transport ucx --bind none -- sh -c
                   "TASUKI_NODE_NAME=$((TASUKI_RANK / 2)) exec \"$@\"" sh
                   $<TARGET_FILE:runtime_suite> ${ARGN})
  tasuki_rank_test_properties(${test} 8 "ucx;runtime" ${TASUKI_TEST_TIMEOUT})
  set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT UCX_TLS=tcp LSAN_OPTIONS=detect_leaks=0
                                            "TASUKI_NODE_GROUPS=${groups}")
endfunction()
if(UCX_INCLUDE_DIR)
  runtime_add_groups(near "[01],none\\;[23]" --gtest_filter=CollectivesTest.*:ReproducibleTest.*)
  runtime_add_groups(missing "0,1\\;2" --gtest_filter=CollectivesTest.*)
  set_property(TEST runtime.groups.missing.ucx.8 PROPERTY PASS_REGULAR_EXPRESSION
    "finding the groups of hosts: host 3 .rank 6. is in none of the groups .*Remedy: add it to one")
endif()
