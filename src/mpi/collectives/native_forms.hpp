// The algorithm "native" of the collectives with a count for each rank, for policies of programs.
//
// The registry has it of the other collectives. Tasuki's own programs have no use for these: only
// the wrapper that left the call to the MPI library knows that library's arguments.
//
// Thread-safety: as coll::add_algorithms.
#pragma once

namespace tasuki::mpi::collectives {

/// Adds them to the registry of algorithms, before the built-in policy is asked for.
void register_native_forms();

}  // namespace tasuki::mpi::collectives
