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
#include "rpc/wire/frame.hpp"
#include "rpc/wire/secret.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

constexpr std::chrono::milliseconds accept_pause{10};
/// That operators can read.
constexpr std::size_t past_calls_most = 1000;
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
           [this](const CallRecord& record) { audit_.write("call", to_json(record)); }) {
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
    if (poll(ready.data(), ready.size(), -1) < 0) continue;
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
  ClientSession session(*connection, ++clients_count_, {modules_, passages_, log_, audit_});
  try {
    while (true) {
      const json message = receive_frame(*connection);
      if (message.contains("ticket")) {
        passages_.pass(*connection, field_of<std::string>(message, "ticket"));
        return;
      }
      if (field_of<std::string>(message, "message") == "join") {
        join(connection, message);
        return;
      }
      send_frame(*connection, session.answer(message));
    }
  } catch (const std::exception&) {
    return;  // The peer has gone, or does not speak the protocol.
  }
}

void FrontEnd::join(const std::shared_ptr<Socket>& connection, const json& message) {
  const auto key = field_of<std::string>(message, "key");
  const auto key_of = [](const auto& one) -> const std::string& { return one->key(); };
  const auto found = std::ranges::find(modules_, key, key_of);
  if (found != modules_.end()) (*found)->serve(connection, message);
}

}  // namespace tasuki::rpc
