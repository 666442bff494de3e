#include <algorithm>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/detail/runtime/calls/load.hpp>

namespace tasuki::runtime {
namespace {

constexpr std::size_t doublings_most_count = 10;

// Delays double where fibers take memory, not with each few of a small cap: what fibers wait for
// may be behind many messages, of which each would wait for seconds.
constexpr std::size_t fibers_per_doubling_least = 1024;

}  // namespace

Load::Load(const fiber::Scheduler& scheduler, const Traffic& traffic)
    : scheduler_(scheduler),
      traffic_(traffic),
      fiber_cap_(static_cast<std::size_t>(base::setting::fiber_cap.integer())),
      fibers_per_doubling_(std::max(fiber_cap_, fibers_per_doubling_least)) {}

std::size_t Load::doublings_count() const noexcept {
  const std::size_t wanted_count =
      backlog_bytes / owed_most_bytes + fibers_everywhere() / fibers_per_doubling_;
  return std::min(wanted_count, doublings_most_count);
}

std::size_t Load::live_doublings_count() const noexcept {
  return std::min(live_count() / fibers_per_doubling_, doublings_most_count);
}

}  // namespace tasuki::runtime
