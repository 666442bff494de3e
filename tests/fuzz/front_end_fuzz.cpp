#include <chrono>
#include <string>
#include <tasuki/error.hpp>
#include <variant>

#include "fuzz/decoders.hpp"
#include "rpc/server/client_session.hpp"
#include "rpc/server/entrance.hpp"
#include "rpc/server/lease_state.hpp"
#include "rpc/server/server_control.hpp"
#include "rpc/server/staging_room.hpp"
#include "rpc/web/http_connection.hpp"
#include "rpc/web/request_guard.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/refusal.hpp"

namespace tasuki::fuzz {
namespace {

using nlohmann::json;

/// A front end that offers module m, whose program cannot be started.
struct FrontEndParts {
  FrontEndParts() {
    rpc::ServedModule module;
    module.interface = {
        {"interface", 1}, {"module", "m"}, {"routines", json::array()}, {"classes", json::array()}};
    module.command = {"/nonexistent"};
    module.is_warm = false;
    modules.offer({module});
  }

  rpc::Entrance entrance{{}, {}, 256};
  rpc::AuditLog audit{""};
  rpc::CallLog log{10};
  rpc::KeptTable kept;
  rpc::Passages passages;
  rpc::ModuleTable modules{{"127.0.0.1", 1}, {}, 1, log, kept};
  rpc::ServerControl control{modules, log, kept, audit};
  rpc::StagingRoom staging_room{std::int64_t{1} << 20};
  std::int64_t clients_count = 0;
};

FrontEndParts& parts() {
  static FrontEndParts one;
  return one;
}

void serve_browser(rpc::Socket& browser) {
  constexpr std::chrono::seconds time{1};
  rpc::HttpConnection(browser, {4096, 4096, time, time}).serve([](const rpc::HttpRequest& request) {
    if (auto refusal = rpc::guard_request(request, {"127.0.0.1"})) return *refusal;
    rpc::HttpResponse response;
    response.body = request.cookie("tasuki_80") + request.method + request.path;
    for (const auto& [name, value] : rpc::form_fields(request.body)) response.body += name + value;
    return response;
  });
}

void serve_client(rpc::Socket& client, const rpc::Guest& guest) {
  rpc::ClientSession session(
      client, ++parts().clients_count, guest.user,
      {parts().modules, parts().entrance.users(), parts().passages, parts().log, parts().audit,
       parts().kept, parts().control, parts().staging_room});
  while (true) {
    rpc::send_frame(client, session.answer(rpc::receive_frame(client)));
  }
}

void join(FuzzedPeer& peer, const json& message) {
  const rpc::RankGroup group = parts().modules.offered().groups.front();
  group->serve(peer.shared_socket(), message);
}

}  // namespace

void serve_visitor(Bytes input) {
  FuzzedPeer peer(input);
  const rpc::Visitor visitor = parts().entrance.admit(peer.shared_socket());
  if (const auto* guest = std::get_if<rpc::Guest>(&visitor)) {
    return serve_client(peer.socket(), *guest);
  }
  if (std::holds_alternative<rpc::Browser>(visitor)) return serve_browser(peer.socket());
  const json& message = std::get<json>(visitor);
  if (!message.contains("ticket")) return join(peer, message);
  parts().passages.pass(peer.socket(), rpc::field_of<std::string>(message, "ticket"));
}

void take_reports(Bytes input) {
  constexpr int ranks = 2;
  FuzzedPeer peer(input);
  rpc::CallLog log(10);
  rpc::KeptTable kept;
  const rpc::CallOrigin origin{"m"};
  const std::int64_t number = *log.queue(origin);
  rpc::LeaseState lease(number, ranks);
  log.open(number, ranks);
  for (int count = 0;; ++count) {
    const json message = rpc::receive_frame(peer.socket());
    if (rpc::field_of<std::string>(message, "message") == "calls") {
      log.take(number, count % ranks, message);
      kept.take("program", origin, message);
      kept.list("", 1.0);
      kept.bytes_of("");
    } else {
      lease.take(count % ranks, message);
      require(lease.last_call() >= 0 || lease.is_counted());
    }
    log.current();
    log.past(10);
  }
}

}  // namespace tasuki::fuzz
