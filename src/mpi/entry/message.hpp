// What libtasuki_mpi.so tells the user, on standard error.
//
// Thread-safety: any thread.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>

namespace tasuki::mpi::entry {

/// Whether this process speaks for its job: rank 0 does, and a process that no launcher numbered.
inline bool speaks_for_job() {
  // As Open MPI, MPICH, PMIx and Slurm tell a process its rank.
  for (const char* name : {"OMPI_COMM_WORLD_RANK", "PMI_RANK", "PMIX_RANK", "SLURM_PROCID"}) {
    const char* const rank = std::getenv(name);
    if (rank != nullptr) return std::strcmp(rank, "0") == 0;
  }
  return true;
}

/// Says what is the same for all ranks.
[[gnu::format(printf, 1, 2)]] inline void say_for_job(const char* format, ...) {
  if (!speaks_for_job()) return;
  std::va_list values;
  va_start(values, format);
  std::vfprintf(stderr, format, values);
  va_end(values);
}

}  // namespace tasuki::mpi::entry
