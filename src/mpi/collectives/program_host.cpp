#include "mpi/collectives/program_host.hpp"

#include "mpi/collectives/progress.hpp"

#include <sched.h>
#include <tasuki/error.hpp>

namespace tasuki::mpi::collectives {
namespace {

// A yield costs about a microsecond when nobody else wants the core, as much as a poll of MPI.
constexpr std::uint64_t yields_between_polls = 4;

}  // namespace

void* ProgramHost::allocate(std::size_t bytes, std::size_t alignment) {
  const std::size_t start = (used_bytes_ + alignment - 1) / alignment * alignment;
  if (start + bytes > heap_.size()) {
    throw error("allocating memory for collectives", "the shared memory of this rank is used up",
                "run the program without --tuned, and report it");
  }
  used_bytes_ = start + bytes;
  return heap_.data() + start;
}

bool ProgramHost::yield_to_peers(std::uint64_t count) {
  if (count % yields_between_polls == 0) let_mpi_progress();
  ::sched_yield();
  return true;
}

void ProgramHost::wait_until(const node::Condition& ready, const node::WaitNote&) {
  while (!ready()) {
    let_mpi_progress();
    if (!traits().may_spin) ::sched_yield();
  }
}

}  // namespace tasuki::mpi::collectives
