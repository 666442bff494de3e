#include "rpc/client/client.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/client/handoff.hpp"
#include "rpc/interface/call_layout.hpp"
#include "rpc/wire/frame.hpp"

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

}  // namespace

Client::Client(const Endpoint& server) : server_(Socket::connect(server, connect_timeout)) {
  server_.set_timeout(greeting_timeout);
  send_frame(server_, {{"message", "interfaces"}});
  for (json& one : field_of<std::vector<json>>(receive(), "modules")) {
    modules_.push_back(module_from_json(std::move(one)));
  }
  server_.set_timeout(for_ever);  // Calls take their time.
}

json Client::receive() {
  json answer = receive_frame(server_);
  if (field_of<std::string>(answer, "message") == "refused") {
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

json Client::call(const std::string& module, const std::string& routine, const json& scalars,
                  const std::vector<ArrayArgument>& arrays) {
  const Routine& description = find(module, routine);
  const Integers integers = integers_of(description, scalars);
  // Errors in the arguments are found before the server does anything.
  check(description, layout_of(description, integers, 1), arrays);
  send_frame(server_,
             {{"message", "call"}, {"module", module}, {"routine", routine}, {"scalars", scalars}});
  const std::vector<RankAddress> ranks = addresses_from(receive());
  CallLayout layout = layout_of(description, integers, static_cast<int>(ranks.size()));
  const std::exception_ptr fault = Handoff(description, std::move(layout), arrays).run(ranks);
  json report = receive();  // If a rank failed, it says why; the connection to the rank did not.
  if (fault) std::rethrow_exception(fault);
  return report;
}

}  // namespace tasuki::rpc
