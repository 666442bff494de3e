// Whether the MPI library of this process lets others run when it finds nothing to do, as Open MPI
// does by itself where its launcher says that ranks share cores.
//
// Who polls asks it: a yield of one's own would keep the rank off its core for another turn.
//
// Thread-safety: any thread, after MPI_Init.
#pragma once

namespace tasuki::mpi {

bool library_yields();

}  // namespace tasuki::mpi
