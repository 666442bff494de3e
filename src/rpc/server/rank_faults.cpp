#include "rpc/server/rank_faults.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "base/rank_runs.hpp"
#include "rpc/wire/named_error.hpp"
#include "rpc/wire/shortened.hpp"

namespace tasuki::rpc {

namespace {

constexpr const char* host_remedy =
    "see whether that host runs, and whether the network reaches it, then call again: the ranks are"
    " started anew";
constexpr const char* cut_off_remedy =
    "see whether all hosts run, and whether the network still joins them with host {}, the server's"
    " own, which may be the one that is cut off; then call again: the ranks are started anew";
constexpr const char* silence_remedy =
    "call again: the ranks are started anew; give the server a larger --rank-timeout";

std::string on_host(const LostRank& rank) {
  return rank.host.empty() ? rank.host : fmt::format(" on host {}", rank.host);
}

/// As in "host b with ranks 2-3, 6".
std::string text_of(const RankHost& host) {
  return fmt::format("host {} with rank{} {}", host.name, host.ranks.size() == 1 ? "" : "s",
                     base::rank_runs(host.ranks));
}

std::string text_of(const std::vector<RankHost>& hosts) {
  std::vector<std::string> texts;
  for (const RankHost& host : hosts) texts.push_back(text_of(host));
  return fmt::format("{}", fmt::join(texts, "; "));
}

}  // namespace

LeaseFault lost_rank(const std::string& module, const LostRank& lost,
                     const std::optional<ProcessEnd>& end) {
  const std::string how = end ? fmt::format(", by {}", text_of(*end)) : std::string();
  return {fmt::format("call {} on rank {}", module, lost.rank),
          fmt::format("the process{} has ended during the call{}", on_host(lost), how),
          printed_remedy};
}

LeaseFault vanished_hosts(const std::string& module, const std::string& told) {
  return {fmt::format("call {}", module), shortened(told), host_remedy};
}

LeaseFault silent_rank(const std::string& module, const LostRank& silent, double silence_s) {
  return {fmt::format("call {} on rank {}", module, silent.rank),
          fmt::format("the rank{} has not answered for {} s: its process is stopped, or its machine"
                      " is too busy",
                      on_host(silent), silence_s),
          silence_remedy};
}

LeaseFault silent_hosts(const std::string& module, const SilentHosts& hosts, double silence_s) {
  std::vector<std::string> happened;
  if (!hosts.vanished.empty()) {
    const bool is_one = hosts.vanished.size() == 1;
    happened.push_back(fmt::format(
        "{} {} vanished: there has been no sign of life from {} for {} s", text_of(hosts.vanished),
        is_one ? "has" : "have", is_one ? "it" : "them", silence_s));
  }
  if (!hosts.stopped.empty()) {
    const bool is_one = hosts.stopped.size() == 1;
    happened.push_back(fmt::format(
        "{} {} not answered for {} s: {} processes are stopped, or {} paused or too busy",
        text_of(hosts.stopped), is_one ? "has" : "have", silence_s, is_one ? "its" : "their",
        is_one ? "it is" : "they are"));
  }
  return {fmt::format("call {}", module), shortened(fmt::format("{}", fmt::join(happened, "; "))),
          hosts.vanished.empty()  ? silence_remedy
          : hosts.cut_off.empty() ? host_remedy
                                  : fmt::format(cut_off_remedy, hosts.cut_off)};
}

error failed_start(const std::string& module, const std::optional<ProcessEnd>& end,
                   const std::string& printed) {
  const std::string how = end ? fmt::format(", by {}", text_of(*end)) : std::string();
  const std::string last = printed.empty() ? printed : fmt::format("; it has printed: {}", printed);
  return {fmt::format("start module {}", module),
          fmt::format("its program has ended before all its ranks have joined{}{}", how,
                      shortened(last)),
          "check the program and the --launcher that starts it"};
}

void throw_fault(const LeaseFault& fault) {
  throw NamedError(fault.kind, fault.operation, fault.happened, fault.remedy);
}

std::string end_notice(const std::string& module, const char* reason) {
  return fmt::format("module {}: its ranks have to end: {}", module, reason);
}

}  // namespace tasuki::rpc
