# Runs one rank; on a crash prints the backtrace of every thread. Ends with the rank's exit code,
# or 128 + the number of the signal.
set pagination off
set confirm off
set print thread-events off
handle SIGUSR1 SIGQUIT SIGTERM SIGPIPE SIGALRM nostop noprint pass
run
if !$_isvoid($_exitcode)
  quit $_exitcode
end
if !$_isvoid($_exitsignal)
  quit 128 + $_exitsignal
end
thread apply all backtrace
quit 128 + $_siginfo.si_signo
