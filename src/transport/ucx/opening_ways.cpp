#include "transport/ucx/opening_ways.hpp"

#include <algorithm>
#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/base/watch_settings.hpp>

#include "transport/watch/host_watch.hpp"

namespace tasuki::transport::ucx {
namespace {

constexpr std::int64_t ns_per_s = 1'000'000'000;
/// Each check asks for the state of all sockets of the process.
constexpr std::int64_t checks_per_limit = 16;
constexpr std::int64_t interval_most_ns = ns_per_s;
/// A kernel drops what comes for a socket whose queue of connections is full, too, as where many
/// ranks connect with one at once. Who connects tries again after 1, 3, 7 and 15 s.
constexpr double limit_least_s = 16;
/// After about two minutes the kernel gives up (tcp_syn_retries), and UCX begins again with another
/// socket.
constexpr double limit_most_s = 60;

bool contains(std::span<const std::byte> whole, std::span<const std::byte> part) {
  return !std::ranges::search(whole, part).empty();
}

std::int64_t time_limit_ns() {
  const double watched_s = base::setting::peer_timeout.seconds();
  const double verdict_s =
      watched_s == 0 ? limit_most_s : watched_s + watch::HostWatch::verdict_late_s;
  return static_cast<std::int64_t>(std::clamp(verdict_s, limit_least_s, limit_most_s) * ns_per_s);
}

}  // namespace

OpeningWays::OpeningWays() : OpeningWays(time_limit_ns()) {}

/// A flush ends when what has been sent before has left: here nothing, so when it could leave.
ucs_status_t OpeningWays::follow(int rank, ucp_ep_h way, std::span<const std::byte> address) {
  Way& followed = ways_[rank];
  followed = {this, rank, {address.begin(), address.end()}};
  ucp_request_param_t parameters{};
  parameters.op_attr_mask = UCP_OP_ATTR_FIELD_CALLBACK | UCP_OP_ATTR_FIELD_USER_DATA;
  parameters.cb.send = &OpeningWays::on_open;
  parameters.user_data = &followed;
  const ucs_status_ptr_t request = functions().ep_flush_nbx(way, &parameters);
  if (UCS_PTR_IS_PTR(request)) return UCS_OK;
  ways_.erase(rank);
  return UCS_PTR_STATUS(request);
}

/// A failure is told by the way itself.
void OpeningWays::on_open(void* request, ucs_status_t /*status*/, void* argument) {
  const Way& way = *static_cast<const Way*>(argument);
  functions().request_free(request);
  way.owner->ways_.erase(way.rank);
}

std::optional<OpeningWays::Unreachable> OpeningWays::find_unreachable() {
  const std::int64_t now_ns = base::now_ns();
  if (now_ns < next_check_ns_) return std::nullopt;
  next_check_ns_ = now_ns + std::min(most_ns_ / checks_per_limit, interval_most_ns);
  for (const SilentConnects::Goal& goal : connects_.find(now_ns, most_ns_)) {
    if (auto found = find_at(goal)) return found;
  }
  return std::nullopt;
}

/// The program may have begun connections of its own, which are none of the job's. UCX's address of
/// a rank has those of its devices in it, and other numbers, which may look like them.
std::optional<OpeningWays::Unreachable> OpeningWays::find_at(
    const SilentConnects::Goal& goal) const {
  std::optional<Unreachable> found;
  for (const auto& [rank, way] : ways_) {
    if (!contains(way.address, goal.used_address()) || !contains(way.address, goal.port)) continue;
    const bool is_first = !found;
    found = {rank, is_first, goal.text(), static_cast<double>(most_ns_) / ns_per_s};
  }
  return found;
}

}  // namespace tasuki::transport::ucx
