// A rank that leaves its process in the middle of the job by exit, quick_exit or _exit: it says so,
// and never succeeds. Some launchers need that: MPICH's takes exit code 0 of one rank for the end
// of the job and kills the others without a word.
//
// For transports; one guard per process. `allow_exit` may be called from any thread and in signal
// handlers, the rest from the rank's own thread.
#pragma once

namespace tasuki::base {

/// From now on this process may not leave without being reported as `rank`. By exit or quick_exit
/// (0 is assumed for the latter's code) it calls `leaving(self, exit_code)` before it goes on; if
/// it goes on, and by _exit, it ends with 1 instead of 0. Children made by fork may leave as they
/// like, and with another code than 0 so may the library that `excused` is an address in (null:
/// none): when another rank ends the job, an MPI may call exit in the middle of one of its
/// functions.
void guard_exit(int rank, void (*leaving)(void* self, int exit_code), void* self,
                const void* excused);

/// The job is over, or its end has been reported.
void allow_exit() noexcept;

}  // namespace tasuki::base
