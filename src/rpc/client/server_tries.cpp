#include "rpc/client/server_tries.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "rpc/wire/named_error.hpp"

namespace tasuki::rpc {
namespace {

/// After so long nothing is tried again: hosts that do not answer cost ten seconds each.
constexpr std::chrono::seconds tries_most{15};

}  // namespace

ServerTries::ServerTries(std::span<const Endpoint> servers, std::span<const Pause> pauses)
    : servers_(servers), pauses_(pauses), kinds_(servers.size()), happened_(servers.size()) {}

void ServerTries::note(std::size_t index, const error& fault) {
  kinds_[index] = kind_of(fault);
  happened_[index] = fmt::format("{}: {}", fault.operation(), fault.happened());
  ++tries_count_;
  if (tries_count_ % servers_.size() != 0) return;
  const bool were_asked_enough =
      tries_count_ >= servers_.size() * (1 + pauses_.size()) || Clock::now() - begin_ > tries_most;
  if (were_asked_enough || are_all_closed()) give_up(fault);
}

ServerTries::Pause ServerTries::pause() const noexcept {
  if (tries_count_ == 0 || tries_count_ % servers_.size() != 0) return Pause::zero();
  return pauses_[tries_count_ / servers_.size() - 1];
}

bool ServerTries::are_all_closed() const {
  return std::ranges::all_of(kinds_, [](const std::string& one) { return one == access_kind; });
}

void ServerTries::give_up(const error& last) const {
  const std::string kind = kind_of(last);
  if (servers_.size() == 1) {
    throw NamedError(kind, last.operation(), last.happened(), last.remedy());
  }
  std::vector<std::string> reasons;
  for (std::size_t i = 0; i < servers_.size(); ++i) {
    reasons.push_back(fmt::format("{}: {}", url_of(servers_[i]), happened_[i]));
  }
  const std::string happened =
      fmt::format("none of {} serves this client: {}", servers_.size(), fmt::join(reasons, "; "));
  const bool is_of_all = std::ranges::all_of(kinds_, [&](const auto& one) { return one == kind; });
  if (is_of_all && kind != usual_kind) {
    throw NamedError(kind, "find a server", happened, last.remedy());
  }
  throw error("find a server", happened, "start one of them, or name another");
}

}  // namespace tasuki::rpc
