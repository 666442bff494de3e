#include "rpc/client/client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/client/check_arguments.hpp"
#include "rpc/interface/call_layout.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/interrupt.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

constexpr Socket::Seconds connect_timeout{10};
/// A front end answers at once; who does not is none.
constexpr Socket::Seconds greeting_timeout{5};
constexpr Socket::Seconds for_ever{0};

std::vector<RankAddress> addresses_from(const json& placed) {
  std::vector<RankAddress> ranks;
  for (const json& one : field_of<json>(placed, "ranks")) {
    ranks.push_back({{field_of<std::string>(one, "host"), field_of<std::uint16_t>(one, "port")},
                     field_of<std::string>(one, "ticket")});
  }
  return ranks;
}

/// What goes between the client and all ranks.
std::int64_t moved_bytes_of(const Routine& routine, const CallLayout& layout) {
  std::int64_t bytes = 0;
  for (std::size_t i = 0; i < layout.size(); ++i) {
    if (!layout[i]) continue;
    const Parameter& parameter = routine.parameters[i];
    for (int rank = 0; rank < layout[i]->ranks(); ++rank) {
      if (parameter.is_sent()) bytes += layout[i]->local_bytes(rank);
      if (is_returned_by(rank, parameter)) bytes += layout[i]->local_bytes(rank);
    }
  }
  return bytes;
}

}  // namespace

struct Client::EndOfProgress {
  Client& client;
  ~EndOfProgress() { client.end_progress(); }
};

Client::Client(const Endpoint& server) : server_(Socket::connect(server, connect_timeout)) {
  server_.set_timeout(greeting_timeout);
  for (json& one : field_of<std::vector<json>>(ask({{"message", "interfaces"}}), "modules")) {
    modules_.push_back(module_from_json(std::move(one)));
  }
  server_.set_timeout(for_ever);  // Calls take their time.
}

json Client::ask(const json& message) {
  send_frame(server_, message);
  json answer = receive_frame(server_);
  if (answer.contains("happened")) {
    throw error(field_of<std::string>(answer, "operation"),
                field_of<std::string>(answer, "happened"), field_of<std::string>(answer, "remedy"));
  }
  return answer;
}

const Routine& Client::find(const std::string& module, const std::string& routine) const {
  const auto found = std::ranges::find(modules_, module, &Module::name);
  const Routine* one = found == modules_.end() ? nullptr : found->find(routine);
  if (one == nullptr) {
    throw error("call a routine",
                fmt::format("{} has no routine {}/{}", server_.peer(), module, routine),
                "choose one of the server's routines");
  }
  return *one;
}

RankLinks& Client::links_to(const std::string& module) {
  const auto found = links_.find(module);
  if (found != links_.end() && !found->second.has_ended()) return found->second;
  forget_links(module);
  RankLinks made(addresses_from(ask({{"message", "lease"}, {"module", module}})));
  const std::lock_guard guard(mutex_);
  RankLinks& links = links_.try_emplace(module, std::move(made)).first->second;
  if (is_cancelled_) links.shut_down();
  return links;
}

void Client::forget_links(const std::string& module) {
  const std::lock_guard guard(mutex_);
  links_.erase(module);
}

void Client::cancel() noexcept {
  is_cancelled_ = true;
  server_.shut_down();
  const std::lock_guard guard(mutex_);
  for (auto& [module, links] : links_) links.shut_down();
}

Progress Client::progress() const {
  const std::lock_guard guard(mutex_);
  if (calling_ == nullptr) return {};
  return {calling_->moved_bytes() - moved_before_bytes_, total_bytes_};
}

void Client::begin_progress(const RankLinks& links, std::int64_t total_bytes) {
  const std::lock_guard guard(mutex_);
  calling_ = &links;
  moved_before_bytes_ = links.moved_bytes();
  total_bytes_ = total_bytes;
}

void Client::end_progress() {
  const std::lock_guard guard(mutex_);
  calling_ = nullptr;
}

json Client::call(const std::string& module, const std::string& routine, const json& scalars,
                  const std::vector<ArrayArgument>& arrays) {
  const Routine& description = find(module, routine);
  const Integers integers = integers_of(description, scalars);
  // Errors in the arguments are found before the server does anything.
  check_arguments(description, layout_of(description, integers, 1), arrays);
  const Asked asked{module, description, scalars, integers, arrays};
  while (true) {
    RankLinks& links = links_to(module);
    try {
      return call_ranks(links, asked);
    } catch (const Interrupted&) {
      forget_links(module);
      throw;
    } catch (const error&) {
      if (is_cancelled_) throw error("call", "the call was cancelled", "call again");
      if (has_begun(module, links.calls_count())) throw;
    }
  }
}

json Client::call_ranks(RankLinks& links, const Asked& asked) {
  const CallLayout layout = layout_of(asked.routine, asked.integers, links.ranks());
  begin_progress(links, moved_bytes_of(asked.routine, layout));
  const EndOfProgress end{*this};
  json report = {{"mode", "hand-off"}, {"ranks", json::array()}};
  for (json& seconds : links.call({asked.routine, asked.scalars, layout, asked.arrays})) {
    report["ranks"].push_back({{"seconds", std::move(seconds)}});
  }
  return report;
}

bool Client::has_begun(const std::string& module, std::int64_t call) {
  forget_links(module);
  const json settled = ask({{"message", "settle"}, {"module", module}});
  return call <= field_of<std::int64_t>(settled, "calls");
}

}  // namespace tasuki::rpc
