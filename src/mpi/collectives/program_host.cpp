#include "mpi/collectives/program_host.hpp"

#include "mpi/collectives/progress.hpp"
#include "mpi/wait/job_facts.hpp"

#include <sched.h>
#include <tasuki/error.hpp>

namespace tasuki::mpi::collectives {
namespace {

// Where yields pass the core on, each of a few ranks has had its turn by then, and none has to be
// woken. More yields are lost time where they do not, as over MPICH (docs/design/preloading.md).
constexpr std::uint64_t yields_before_sleep = 4;

// The MPI library makes no progress meanwhile, for which other ranks may wait. Shorter sleeps would
// gain little: one that nobody ends is 66 to 79 us late (docs/design/prediction.md).
constexpr std::int64_t sleep_most_us = 100;

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

bool ProgramHost::yield_to_peers(std::uint64_t) {
  ::sched_yield();
  return true;
}

void ProgramHost::wait_until(const node::Condition& ready, const node::WaitNote&) {
  const bool library_yields = wait::job_facts().library_yields;
  for (std::uint64_t count = 0; !ready(); ++count) {
    let_mpi_progress();  // A library that yields does so in it.
    if (traits().may_spin || ready()) continue;
    if (count >= yields_before_sleep) {
      memory_.sleep_unless(ready, sleep_most_us);
    } else if (!library_yields) {
      ::sched_yield();
    }
  }
}

}  // namespace tasuki::mpi::collectives
