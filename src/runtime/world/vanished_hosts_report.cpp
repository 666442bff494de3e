#include "runtime/world/vanished_hosts_report.hpp"

#include <fmt/format.h>

#include <tasuki/detail/base/exit_code.hpp>
#include <tasuki/detail/base/watch_settings.hpp>
#include <tasuki/detail/runtime/waiting/job_end.hpp>
#include <tasuki/error.hpp>

namespace tasuki::runtime {
namespace {

/// May what the fiber waits for have been with the vanished? Of some waits nobody knows the rank.
bool may_concern(const WaitingFiber& fiber, const transport::VanishedHosts& hosts) {
  return fiber.awaited_rank < 0 || hosts.hold(fiber.awaited_rank);
}

}  // namespace

std::string vanished_hosts_report(const transport::VanishedHosts& hosts, int rank,
                                  const std::vector<WaitingFiber>& fibers) {
  std::string waiting;
  for (const WaitingFiber& fiber : fibers) {
    if (!may_concern(fiber, hosts)) continue;
    waiting += fmt::format("  {} waits for {}\n", fiber.doing, fiber.waiting_for);
  }
  if (waiting.empty() && rank != hosts.speaker) return "";
  waiting = waiting.empty() ? ". Nothing here waited for it. " : ":\n" + waiting;
  return fmt::format(
      "{}{}Remedy: see whether these hosts are up and the network between them works ({} is the "
      "time they may be silent); the job ends here",
      hosts.what_happened(), waiting, base::setting::peer_timeout.name);
}

void end_if_hosts_have_vanished(Rank& self) {
  const transport::VanishedHosts* const hosts = transport::vanished_hosts();
  if (hosts == nullptr) return;
  const std::string text = vanished_hosts_report(*hosts, self.rank, hang_answer_of(self).fibers);
  if (!text.empty()) base::report(text);
  end_job(self.transport, base::exit_code::host_vanished);
}

}  // namespace tasuki::runtime
