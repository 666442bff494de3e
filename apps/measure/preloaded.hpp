// The library that `tasuki run --tuned` preloads, where it is in this program: it carries the
// collectives out, by the algorithm that it is asked for, as in any other program.
//
// Used by mpi_measure_MPI, which then measures these algorithms instead of the MPI library's.
// Thread-safety: main thread only, after MPI_Init.
#pragma once

#include <tasuki/detail/coll/shape.hpp>
#include <tasuki/detail/mpi/collectives/asked_policy.hpp>

#include <string>

#include "measure/request.hpp"

namespace tasuki::measure {

/// Is it there, and does it listen?
bool is_preloaded();

/// From now on it takes the request's algorithm: "native", that of a schedule ("schedule:NAME"), or
/// one in node memory. All ranks.
void ask_for_algorithm(const Request& request);
/// From now on it takes what the built-in policy chooses. All ranks.
void ask_for_built_in();
/// What it took for the last collective since then.
mpi::AskedPolicy taken();

/// Why it did not take the request's algorithm for the last collective, or "".
std::string not_taken_because(const Request& request);

/// What there is for the request's collective, as `list` tells it.
apps::Json preloaded_algorithms(const Request& request, const coll::Shape& shape);

}  // namespace tasuki::measure
