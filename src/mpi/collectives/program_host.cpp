#include "mpi/collectives/program_host.hpp"

#include "mpi/collectives/progress.hpp"
#include "mpi/wait/job_facts.hpp"

#include <sched.h>
#include <tasuki/error.hpp>

namespace tasuki::mpi::collectives {

void* ProgramHost::allocate(std::size_t bytes, std::size_t alignment) {
  const std::size_t start = (used_bytes_ + alignment - 1) / alignment * alignment;
  if (start + bytes > heap_.size()) {
    throw error("allocating memory for collectives", "the shared memory of this rank is used up",
                "run the program without --tuned, and report it");
  }
  used_bytes_ = start + bytes;
  return heap_.data() + start;
}

bool ProgramHost::yield_to_peers(std::uint64_t) {
  ::sched_yield();
  return true;
}

void ProgramHost::wait_until(const node::Condition& ready, const node::WaitNote&) {
  // A library that yields does so while it makes progress.
  const bool must_yield = !traits().may_spin && !wait::job_facts().library_yields;
  while (!ready()) {
    let_mpi_progress();
    if (must_yield && !ready()) ::sched_yield();
  }
}

}  // namespace tasuki::mpi::collectives
