# run(COMMAND WORD...): ends the script with what the command says if it fails; `said` is what it
# said.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
  if(failed)
    message(FATAL_ERROR "${ARGN}:\n${said}")
  endif()
  set(said "${said}" PARENT_SCOPE)
endfunction()
