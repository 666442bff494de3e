#include "rpc/server/front_end.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <exception>
#include <tasuki/error.hpp>
#include <thread>
#include <utility>

#include "rpc/server/client_session.hpp"
#include "rpc/tls/digest.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/named_error.hpp"
#include "rpc/wire/secret.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

constexpr std::chrono::milliseconds accept_pause{10};
/// That operators can read.
constexpr std::size_t past_calls_most = 1000;
/// How often it asks who has been silent for too long.
constexpr int check_interval_ms = 1000;
/// A peer that does not take its messages would hold up the calls of others.
constexpr Socket::Seconds send_timeout{10};

/// Blocks SIGINT and SIGTERM in this thread and those that it starts. Returns: a descriptor from
/// which they are read.
int take_ending_signals() {
  sigset_t ending;
  sigemptyset(&ending);
  sigaddset(&ending, SIGINT);
  sigaddset(&ending, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &ending, nullptr);
  return signalfd(-1, &ending, SFD_CLOEXEC);
}

}  // namespace

FrontEnd::FrontEnd(const Endpoint& address, const std::vector<ServedModule>& modules,
                   const ServerOptions& options)
    : listener_(address),
      signals_(take_ending_signals()),
      audit_(options.log_file),
      log_(past_calls_most,
           [this](const CallRecord& record) { audit_.write("call", to_json(record)); }),
      entrance_(options.users) {
  const Endpoint found{address.host, listener_.port()};
  for (const ServedModule& one : modules) {
    RoutineProgram program{one.command, one.ranks, found, make_secret(), one.keep_limit_bytes};
    modules_.push_back(std::make_unique<RoutineProcesses>(module_from_json(one.interface),
                                                          std::move(program), log_));
    if (one.is_warm) modules_.back()->start();
  }
}

FrontEnd::~FrontEnd() {
  for (const auto& one : modules_) one->stop();
  for (const auto& one : modules_) one->end();  // Connections may wait for what they compute.
  connections_.end();
  close(signals_);
}

void FrontEnd::run(int starter) {
  while (true) {
    std::array<pollfd, 3> ready = {
        {{listener_.descriptor(), POLLIN, 0}, {signals_, POLLIN, 0}, {starter, POLLIN, 0}}};
    const int ready_count = poll(ready.data(), ready.size(), check_interval_ms);
    entrance_.end_late();
    if (ready_count <= 0) continue;
    if (ready[1].revents != 0 || ready[2].revents != 0) return;
    std::optional<Socket> socket = listener_.accept_now();
    if (!socket) {
      // No descriptor is free, or the peer has gone: until something changes, poll would return.
      std::this_thread::sleep_for(accept_pause);
      continue;
    }
    socket->set_send_timeout(send_timeout);
    connections_.add(std::move(*socket), [this](const auto& one) { serve(one); });
  }
}

void FrontEnd::serve(const std::shared_ptr<Socket>& connection) {
  try {
    const Visitor visitor = entrance_.admit(connection);
    if (const auto* guest = std::get_if<Guest>(&visitor)) return serve_client(*connection, *guest);
    const json& message = std::get<json>(visitor);
    if (message.contains("ticket")) {
      passages_.pass(*connection, field_of<std::string>(message, "ticket"));
    } else {
      join(connection, message);
    }
  } catch (const NamedError& fault) {
    audit_.write("refusal",
                 {{"client", {{"host", connection->peer_host()}}}, {"happened", fault.happened()}});
  } catch (const std::exception&) {
    return;  // The peer has gone, or does not speak the protocol.
  }
}

void FrontEnd::serve_client(Socket& client, const Guest& guest) {
  ClientSession session(client, ++clients_count_, guest.user, {modules_, passages_, log_, audit_});
  while (true) send_frame(client, session.answer(receive_frame(client)));
}

void FrontEnd::join(const std::shared_ptr<Socket>& connection, const json& message) {
  const auto key = field_of<std::string>(message, "key");
  const auto found = std::ranges::find_if(
      modules_, [&](const auto& one) { return is_same_secret(one->key(), key); });
  if (found != modules_.end()) (*found)->serve(connection, message);
}

}  // namespace tasuki::rpc
