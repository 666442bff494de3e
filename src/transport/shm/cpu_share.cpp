#include "transport/shm/cpu_share.hpp"

#include <tasuki/detail/base/clock.hpp>
#include <utility>

namespace tasuki::transport::shm {

void CpuShare::add(int pid) {
  clockid_t clock = 0;
  if (::clock_getcpuclockid(pid, &clock) == 0) clocks_.push_back(clock);
}

double CpuShare::since_last_call() {
  if (clocks_.empty()) return 0;
  const std::int64_t now_cpu_ns = cpu_ns();
  const std::int64_t now_ns = base::now_ns();
  const std::int64_t used_ns = now_cpu_ns - std::exchange(last_cpu_ns_, now_cpu_ns);
  const std::int64_t passed_ns = now_ns - std::exchange(last_ns_, now_ns);
  // Less than nothing was used if a rank has ended.
  if (passed_ns <= 0 || used_ns <= 0) return 0;
  return weight_ * static_cast<double>(used_ns) /
         (static_cast<double>(passed_ns) * static_cast<double>(cores_count_));
}

std::int64_t CpuShare::cpu_ns() const noexcept {
  std::int64_t sum_ns = 0;
  for (const clockid_t clock : clocks_) {
    timespec used{};
    // A rank that has ended uses nothing any more.
    if (::clock_gettime(clock, &used) != 0) continue;
    sum_ns += std::int64_t{used.tv_sec} * 1'000'000'000 + used.tv_nsec;
  }
  return sum_ns;
}

}  // namespace tasuki::transport::shm
