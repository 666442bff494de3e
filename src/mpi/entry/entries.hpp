// The entries of libtasuki_mpi.so: the MPI functions that a program reaches through it.
//
// Each exported symbol is one jump through a table, so that arguments and return address stay as
// the program has set them, whatever its MPI's types are. At first each place of the table leads to
// `tasuki_mpi_resolve`, which finds out which MPI the program has and fills the table: with the
// wrappers of that MPI's shim or, where there is nothing to do, with the MPI's own functions.
//
// The generated file and the resolver use it.
//
// Thread-safety: the table changes once, in pthread_once.
#pragma once

#include <cstddef>

namespace tasuki::mpi::entry {

/// Names of the exported symbols. Generated.
extern const char* const symbols[];
extern const std::size_t entry_count;

/// What a shim is given: it replaces the entries that it wraps. `next` are the MPI's own functions,
/// nullptr where this MPI has none.
struct Entries {
  const char* const* symbols;
  std::size_t count;
  void* const* next;
  void** entries;
};

/// The symbol `tasuki_mpi_start` of a shim.
using StartFunction = void (*)(const Entries&);

}  // namespace tasuki::mpi::entry

extern "C" {
/// Where each entry leads. Its size is entry_count.
extern void* tasuki_mpi_entries[] __attribute__((visibility("hidden")));
/// Fills the table at the first call of any entry; returns where entry `number` leads.
void* tasuki_mpi_resolve(std::size_t number) __attribute__((visibility("hidden")));
}
