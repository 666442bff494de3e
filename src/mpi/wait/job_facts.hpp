// What all ranks of a job have agreed on: how threads call MPI, and whether cores are shared.
//
// Asked once, after MPI_Init. Ranks may have asked for different levels of threads, and nodes may
// have different numbers of ranks; whatever follows must be decided by all ranks alike, as blocking
// and non-blocking collectives do not match.
//
// Thread-safety: the first call is collective, by one thread; later ones any thread.
#pragma once

namespace tasuki::mpi::wait {

struct JobFacts {
  bool calls_at_once = false;   ///< Do threads of any rank call MPI at once?
  bool shares_cores = false;    ///< Are the ranks of any node more than its cores?
  bool library_yields = false;  ///< Does the MPI library of every rank yield while it waits?

  /// Does a rank keep its core from others while it polls, unless it yields itself?
  bool must_yield() const noexcept { return shares_cores && !library_yields; }
};

/// The first call is collective over MPI_COMM_WORLD.
const JobFacts& job_facts();

}  // namespace tasuki::mpi::wait
