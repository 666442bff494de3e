// Whether Tasuki's library is at work in every rank of the job.
//
// It is a file of each host, and a host without it starts its ranks all the same: the dynamic
// loader only prints a warning. Ranks that have not got its settings leave it idle. They would take
// part in no collective of Tasuki's, so that the others waited for ever, or matched them with
// collectives of the program.
//
// Each rank tells rank 0, by a message with a tag that programs hardly use. It is empty unless the
// rank's TASUKI_START_TIMEOUT is wrong, of which it then tells. If the library is not at work in
// rank 0, and that receives with MPI_ANY_SOURCE and MPI_ANY_TAG, it takes the message for one of
// the program, before the job ends. A communicator of Tasuki's own would prevent that, but rank 0
// would have to take part in making it.
//
// Thread-safety: collective, by one thread.
#pragma once

namespace tasuki::mpi::wait {

/// Collective over MPI_COMM_WORLD, before anything else that Tasuki calls there. Ends the job with
/// one message that names the ranks that are silent, and their hosts where these are known, or the
/// first whose settings are wrong.
///
/// Returns: has this rank announced that it ends the job, before rank 0 answered all the same? Each
/// rank after it must then `take_announcement`, else the program could receive it.
bool require_library_in_all_ranks();

/// That of a rank before this one.
void take_announcement(int rank);

}  // namespace tasuki::mpi::wait
