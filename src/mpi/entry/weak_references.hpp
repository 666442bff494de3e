// References to functions that the program's MPI lacks, of code that checks whether it has them.
//
// Such code declares a function weak and compares its address with null: mpi4py's wheels do, for
// all of MPI 4. Where libtasuki_mpi.so exports the function, the dynamic linker has found that one.
// The resolver makes those addresses null again, as they are without Tasuki.
//
// Thread-safety: one thread.
#pragma once

#include <cstddef>

namespace tasuki::mpi::entry {

/// Makes null what weak references of all loaded objects hold of the entries whose `next` is null.
/// `own` is an address in libtasuki_mpi.so.
void clear_weak_references(const void* own, const char* const* symbols, void* const* next,
                           std::size_t count);

}  // namespace tasuki::mpi::entry
