// The exit record: a file in which ranks that mpiexec has started tell `tasuki run` that they are
// there and with which exit code they end. Hydra (MPICH 4.2.1) sometimes exits with 0 though a rank
// has called MPI_Abort, so that mpiexec's own exit code cannot be believed.
//
// For the mpi transport and for the guard of early exits. The file is a log of entries: two native
// 32-bit integers, rank and exit code (`not_ended` for a rank that is there), in the order of time.
// Thread-safety: `record_exit` may be called from any thread and in signal handlers;
// `join_exit_record` once.
#pragma once

namespace tasuki::base {

/// The exit code of a rank that has not ended.
inline constexpr int not_ended = -1;

/// Opens the file that TASUKI_EXIT_RECORD names and records that `rank` is there. Does nothing
/// without such a file: another launcher has started the rank, or one on another machine. Programs
/// that this process starts do not find the variable.
void join_exit_record(int rank);

/// Records how this rank ends. The first code that is not 0 counts; children made by fork record
/// nothing.
void record_exit(int exit_code) noexcept;

}  // namespace tasuki::base
