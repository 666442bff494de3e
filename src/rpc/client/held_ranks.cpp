#include "rpc/client/held_ranks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tasuki/error.hpp>
#include <utility>
#include <vector>

namespace tasuki::rpc {
namespace {

using Held = std::vector<std::pair<std::string, std::string>>;

/// Of this thread: server and module of each call, the innermost last.
Held& held() {
  thread_local Held of_thread;
  return of_thread;
}

}  // namespace

HeldRanks::HeldRanks(const std::string& server, const std::string& module) {
  std::pair ranks(server, module);
  if (std::ranges::find(held(), ranks) != held().end()) {
    throw error(
        "call",
        fmt::format("the call under way in this thread holds the ranks of module {}", module),
        "call it when that has returned, or let its callback compute by itself");
  }
  held().push_back(std::move(ranks));
}

HeldRanks::~HeldRanks() { held().pop_back(); }

}  // namespace tasuki::rpc
