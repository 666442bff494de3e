# Runs one rank, and ends with its exit code, or 128 + the number of the signal that has ended it. On
# a crash prints the backtrace of every thread; what comes then is in debugger.py.
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
set $signal_number = $_siginfo.si_signo
thread apply all backtrace
