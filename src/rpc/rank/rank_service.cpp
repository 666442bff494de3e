#include <tasuki/routines.hpp>

#include <optional>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/rank/admission.hpp"
#include "rpc/rank/lease.hpp"
#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

constexpr Socket::Seconds front_end_timeout{10};

/// Where this process belongs.
struct RankPlace {
  int rank = 0;
  int ranks = 1;
  Endpoint front_end = {};
  std::string key = {};  ///< Lets it join.
};

Endpoint server_from_settings() {
  const std::string address = base::setting::server.text();
  if (address.empty()) {
    throw error("serve calls", "no server has started this program", "start it by tasuki serve");
  }
  return endpoint_from(address);
}

/// Returns: the connection on which the front end has let this process in.
Socket join(const RankPlace& place, std::uint16_t port) {
  Socket front_end = Socket::connect(place.front_end, front_end_timeout);
  send_frame(front_end, {{"message", "join"},
                         {"key", place.key},
                         {"rank", place.rank},
                         {"ranks", place.ranks},
                         {"port", port}});
  return front_end;
}

void serve(const LeaseOrder& order, const RankProgram& program, KeptArrays& kept,
           FrontEndLink& front_end, Admission& admission) {
  kept.lease_to(order.client, order.gone_clients);
  Lease lease(program, kept, front_end, order.number);
  std::optional<error> fault;
  try {
    std::optional<Socket> client = admission.await(
        order.ticket, front_end.wake_up(), [&] { return lease.is_over() || front_end.has_gone(); });
    if (client) lease.serve(std::move(*client));
  } catch (const error& one) {
    fault = one;
  }
  lease.report_end(fault);
}

}  // namespace

void serve_calls(int rank, int ranks, std::span<const RoutineEntry> routines) {
  const RankPlace place{rank, ranks, server_from_settings(), base::setting::server_key.text()};
  Listener listener({place.front_end.host, 0});
  Socket joined = join(place, listener.port());
  const json welcome = receive_frame(joined);
  const Module module = module_from_json(field_of<json>(welcome, "interface"));
  KeptArrays kept(field_of<std::int64_t>(welcome, "keep_limit_bytes"));
  const RankProgram program{rank, ranks, module, routines};
  Admission admission(listener);
  FrontEndLink front_end(std::move(joined));
  while (const auto order = front_end.next_lease()) {
    serve(*order, program, kept, front_end, admission);
  }
}

}  // namespace tasuki::rpc
