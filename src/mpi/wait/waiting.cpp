#include "mpi/wait/waiting.hpp"

#include "mpi/wait/job_facts.hpp"

#include <sched.h>
#include <time.h>
#include <tasuki/detail/base/settings.hpp>

#include <string>

namespace tasuki::mpi::wait {

Waiting& waiting() noexcept {
  static Waiting of_process;
  return of_process;
}

void start_waiting() {
  const std::string wanted = base::setting::predict.text();
  if (wanted.empty() || wanted == "off") return;
  const JobFacts& job = job_facts();
  detail::is_waiting = job.shares_cores && !job.calls_at_once && !job.library_yields;
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
