#include "mpi/wait/waiting.hpp"

#include "mpi/ahead/earlier.hpp"
#include "mpi/wait/job_facts.hpp"

#include <sched.h>
#include <time.h>

namespace tasuki::mpi::wait {

Waiting& waiting() noexcept {
  static Waiting of_process;
  return of_process;
}

void start_waiting(predict::Mode mode, bool is_bouncing) {
  if (mode == predict::Mode::off) return;
  const JobFacts& job = job_facts();
  const bool is_wanted = mode != predict::Mode::guarded || is_bouncing;
  detail::is_waiting = !job.calls_at_once && (job.must_yield() || is_wanted);
  const bool is_fixed = mode == predict::Mode::fixed;
  waiting().configure(is_fixed, job.shares_cores, is_fixed ? nullptr : ahead::earlier_run());
}

void Waiting::take(const predict::WaitStep& step) {
  switch (step.action) {
    case predict::WaitAction::spin:
      // The poll that follows is the spinning; it takes longer than a pause.
      base::cpu_pause();
      break;
    case predict::WaitAction::yield:
      ::sched_yield();
      break;
    case predict::WaitAction::sleep: {
      constexpr std::int64_t ns_per_second = 1'000'000'000;
      const timespec time{step.duration_ns / ns_per_second, step.duration_ns % ns_per_second};
      ::nanosleep(&time, nullptr);
      break;
    }
  }
}

}  // namespace tasuki::mpi::wait
