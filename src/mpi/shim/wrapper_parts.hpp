// What the generated wrappers are made of, beside Call.
//
// Only the generated file includes it (src/mpi/shim/generate.py).
//
// Thread-safety: any thread.
#pragma once

#include "mpi/ahead/awaited.hpp"
#include "mpi/ahead/bounce_receives.hpp"
#include "mpi/ahead/reporting.hpp"
#include "mpi/collectives/tuned.hpp"
#include "mpi/shim/call.hpp"
#include "mpi/shim/completions.hpp"
#include "mpi/shim/converted_arguments.hpp"
#include "mpi/shim/fortran.hpp"
#include "mpi/shim/fortran_waits.hpp"
#include "mpi/shim/function_numbers.hpp"
#include "mpi/shim/neighbours.hpp"
#include "mpi/shim/polled_waits.hpp"
#include "mpi/shim/process.hpp"
#include "mpi/shim/waits.hpp"
#include "mpi/shim/wrappers.hpp"
#include "mpi/wait/bounced_calls.hpp"
#include "mpi/wait/waited_calls.hpp"

#include <mpi.h>

#include <cstdarg>

#if MPI_VERSION < 4 && !(defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION >= 5)
// Open MPI 4 knows neither. Open MPI 5, which calls itself MPI 3 too, has both: MPI_Session, a
// pointer, and this function with partitions that are not const.
using MPI_Session = void*;
extern "C" int PMPI_Pready_list(int length, const int partitions[], MPI_Request request);
#endif

namespace tasuki::mpi::shim {

/// Whether all ranks of the communicator carry out blocking collectives by non-blocking ones where
/// this one does. Fortran's symbols of Open MPI reach no wrapper of C that could.
inline bool all_start_collectives(MPI_Comm communicator) {
  return !fortran_calls_pmpi && collectives::is_tuning() && collectives::decides_for(communicator);
}

template <typename Count, typename Types>
void sends_each_typed(Call& call, const Count* counts, const Types& types) noexcept {
  for (int i = 0; counts != nullptr && i < call.peer_count(); ++i) call.sends(counts[i], types[i]);
}
template <typename Count, typename Types>
void receives_each_typed(Call& call, const Count* counts, const Types& types) noexcept {
  for (int i = 0; counts != nullptr && i < call.peer_count(); ++i)
    call.receives(counts[i], types[i]);
}

}  // namespace tasuki::mpi::shim
