// Whether the library is in every rank of the job.
//
// It is a file of each host, and a host without it starts its ranks all the same: the dynamic
// loader only prints a warning. Those ranks would take part in no collective of Tasuki's, so that
// the others waited for ever, or matched them with collectives of the program.
//
// Thread-safety: collective, by one thread.
#pragma once

namespace tasuki::mpi::wait {

/// Collective over MPI_COMM_WORLD, before anything else that Tasuki calls there. Ends the job with
/// one message that names the ranks without the library, and their host where it is known.
void require_library_in_all_ranks();

}  // namespace tasuki::mpi::wait
