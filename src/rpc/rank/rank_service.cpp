#include <tasuki/routines.hpp>

#include <unistd.h>

#include <exception>
#include <optional>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>
#include <utility>

#include "base/host_name.hpp"
#include "rpc/links/admission.hpp"
#include "rpc/rank/lease.hpp"
#include "rpc/rank/lone_process.hpp"
#include "rpc/rank/quota_question.hpp"
#include "rpc/sessions/server_address.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/refusal.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

constexpr Socket::Seconds front_end_timeout{10};
/// Less than a client waits.
constexpr Socket::Seconds call_back_timeout{4};
/// For what the front end says of a user's quota: rank 0 asks once its client has called it, too.
constexpr Socket::Seconds quota_patience{60};

/// Where this process belongs.
struct RankPlace {
  int rank = 0;
  int ranks = 1;
  Endpoint front_end = {};
  std::string key = {};                   ///< Lets it join.
  std::string signature = {};             ///< Of the interface that it was made of, if it knows.
  std::optional<LoneProcess> alone = {};  ///< If it knows of no other.
};

Endpoint server_from_settings() {
  const std::string address = base::setting::server.text();
  if (address.empty()) {
    throw error("serve calls", "no server has started this program", "start it by tasuki serve");
  }
  return server_address(address);
}

bool is_any_address(const std::string& host) { return host == "0.0.0.0" || host == "::"; }

/// At all addresses of its own host the front end is not to be found from another.
Socket connect_with(const Endpoint& front_end) {
  try {
    return Socket::connect(front_end, front_end_timeout);
  } catch (const error& fault) {
    if (!is_any_address(front_end.host)) throw;
    throw error(fault.operation(), fault.happened(),
                "where ranks are on other hosts than the server, let it --listen at a name or an"
                " address of its host that they reach");
  }
}

/// Asks the front end to let this process in, which clients reach at the port.
void join(const RankPlace& place, Socket& front_end, std::uint16_t port) {
  json message = {{"message", "join"},    {"key", place.key}, {"rank", place.rank},
                  {"ranks", place.ranks}, {"port", port},     {"host", base::host_name()}};
  if (!place.signature.empty()) message["signature"] = place.signature;
  if (place.alone) message["alone"] = place.alone->fault();
  send_frame(front_end, message);
}

/// Returns: nothing if the client cannot be reached; it notices.
std::optional<Socket> call_back(const LeaseOrder& order, bool is_encrypted) {
  try {
    Socket client = Socket::connect(*order.call_back, call_back_timeout);
    if (is_encrypted) client.encrypt(order.ticket, call_back_timeout);
    send_frame(client, {{"ticket", order.ticket}});
    return client;
  } catch (const error&) {
    return {};
  }
}

/// Answers a client that offers its memory. Returns: what this process may read.
std::optional<PeerMemory> share_memory(Admission::Admitted& client, const std::string& ticket) {
  if (!client.message.contains("memory")) return {};
  const auto offer = field_of<json>(client.message, "memory");
  // No client may have this process read its own memory, with what is in it of others.
  const bool is_own = field_of<pid_t>(offer, "process") == getpid();
  const bool is_here = client.socket.own_host() == client.socket.peer_host();
  auto memory = is_own || !is_here ? std::nullopt : PeerMemory::find(offer, ticket, client.socket);
  json answer = {{"message", "welcome"}};
  if (memory) answer["memory"] = memory_offer(ticket);
  send_frame(client.socket, answer);
  return memory;
}

/// Other ranks may serve a call of the client already: so this one waits until it comes, or until
/// the front end has ended the lease on all. Returns: nothing then.
std::optional<Admission::Admitted> await_client(const LeaseOrder& order, Lease& lease,
                                                FrontEndLink& front_end, Admission& admission) {
  const auto is_over = [&] { return lease.is_over() || front_end.has_gone(); };
  while (!is_over()) {
    auto client = admission.await(std::span(&order.ticket, 1), front_end.wake_up(), is_over);
    if (client) return client;
    lease.lose_patience();
  }
  return {};
}

/// Where clients come, and who finds those that may.
struct Door {
  Listener& listener;
  Admission& admission;
};

void serve(const LeaseOrder& order, const RankProgram& program, Kept& kept, CallReporter& reporter,
           FrontEndLink& front_end, const Door& door) {
  KeepLimit::AskQuota ask_quota;
  if (order.kept_quota) {
    ask_quota = QuotaQuestion(program.rank, *order.kept_quota, quota_patience, reporter, front_end);
  }
  kept.lease_to(order.owner, order.gone_clients, std::move(ask_quota));
  Lease lease(program, kept, reporter, front_end, order);
  std::optional<error> fault;
  try {
    if (order.call_back) {
      if (std::optional<Socket> client = call_back(order, door.admission.is_encrypted())) {
        lease.serve(std::move(*client), {}, door.listener);
      }
    } else if (auto client = await_client(order, lease, front_end, door.admission)) {
      door.admission.refuse_others();
      const std::optional<PeerMemory> memory = share_memory(*client, order.ticket);
      lease.serve(std::move(client->socket), memory, door.listener);
    }
  } catch (const RefusedCall& one) {
    return lease.report_refusal(one);
  } catch (const BrokenOffCall& one) {
    return lease.report_broken_off(one);
  } catch (const error& one) {
    fault = one;
  } catch (const std::exception& one) {  // Of a library that a message has surprised.
    fault = error("serve a client", one.what(), "use a client of Tasuki's");
  }
  lease.report_end(fault);
}

}  // namespace

void serve_calls(int rank, int ranks, std::span<const RoutineEntry> routines,
                 std::span<const ClassEntry> classes, std::string_view signature) {
  const RankPlace place{rank,
                        ranks,
                        server_from_settings(),
                        base::setting::server_key.text(),
                        std::string(signature),
                        ranks == 1 ? LoneProcess::find() : std::nullopt};
  Socket joined = connect_with(place.front_end);
  if (place.front_end.is_encrypted) joined.encrypt(place.key, front_end_timeout);
  // At the address by which the front end, and so its clients, see this process; at all if the
  // front end is at all addresses of its machine.
  const std::string& host = place.front_end.host;
  Listener listener({is_any_address(host) ? host : joined.own_host(), 0});
  join(place, joined, listener.port());
  const json welcome = receive_frame(joined);
  if (welcome.contains("happened")) {
    if (place.alone) place.alone->end_unless_first(field_of<std::string>(welcome, "happened"));
    throw_refusal(welcome);
  }
  const Module module = module_from_json(field_of<json>(welcome, "interface"));
  const RankProgram program{rank, ranks, module, routines, classes, place.key};
  Kept kept(program, field_of<std::int64_t>(welcome, "keep_limit_bytes"));
  Admission admission(listener, place.front_end.is_encrypted);
  FrontEndLink front_end(std::move(joined));
  CallReporter reporter(front_end);
  const auto discard = [&kept](const DiscardOrder& order) {
    kept.discard(order.names, order.happened);
  };
  while (const auto order = front_end.next_lease(discard, listener)) {
    serve(*order, program, kept, reporter, front_end, {listener, admission});
  }
}

}  // namespace tasuki::rpc
