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

#include "rpc/interface/call_layout.hpp"
#include "rpc/server/secret.hpp"
#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

constexpr std::chrono::milliseconds accept_pause{10};
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

json refusal(const error& fault) {
  return {{"message", "refused"},
          {"operation", fault.operation()},
          {"happened", fault.happened()},
          {"remedy", fault.remedy()}};
}

}  // namespace

FrontEnd::FrontEnd(const Endpoint& address, const std::vector<ServedModule>& modules)
    : listener_(address), signals_(take_ending_signals()) {
  const Endpoint found{address.host, listener_.port()};
  for (const ServedModule& one : modules) {
    RoutineProgram program{one.command, one.ranks, found, make_secret()};
    modules_.push_back(
        std::make_unique<RoutineProcesses>(module_from_json(one.interface), std::move(program)));
    modules_.back()->start();
  }
}

FrontEnd::~FrontEnd() {
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
  try {
    while (serve_message(connection)) {
    }
  } catch (const std::exception&) {
    return;  // The peer has gone, or does not speak the protocol.
  }
}

/// Returns: may another message follow?
bool FrontEnd::serve_message(const std::shared_ptr<Socket>& connection) {
  const json message = receive_frame(*connection);
  if (field_of<std::string>(message, "message") != "join") {
    send_frame(*connection, answer(*connection, message));
    return true;
  }
  const auto key = field_of<std::string>(message, "key");
  const auto key_of = [](const auto& one) -> const std::string& { return one->key(); };
  const auto found = std::ranges::find(modules_, key, key_of);
  if (found != modules_.end()) (*found)->serve(connection, message);
  return false;
}

json FrontEnd::answer(Socket& client, const json& message) {
  try {
    const auto kind = field_of<std::string>(message, "message");
    if (kind == "call") return call(client, message);
    if (kind != "interfaces") {
      throw error("read a message", fmt::format("there is no message {}", kind),
                  "let server and client use versions of Tasuki that know each other");
    }
    json modules = json::array();
    for (const auto& one : modules_) modules.push_back(one->module().json);
    return {{"message", "interfaces"}, {"modules", modules}};
  } catch (const error& fault) {
    return refusal(fault);
  }
}

json FrontEnd::call(Socket& client, const json& message) {
  const auto module = field_of<std::string>(message, "module");
  const auto name = field_of<std::string>(message, "routine");
  const auto name_of = [](const auto& one) -> const std::string& { return one->module().name; };
  const auto found = std::ranges::find(modules_, module, name_of);
  const Routine* routine = found == modules_.end() ? nullptr : (*found)->module().find(name);
  if (routine == nullptr) {
    throw error("call a routine", fmt::format("there is no routine {}/{}", module, name),
                "choose one of the server's routines");
  }
  // What the ranks would refuse is refused before they are told.
  const Integers integers = integers_of(*routine, field_of<json>(message, "scalars"));
  layout_of(*routine, integers, (*found)->ranks());
  const std::int64_t number = ++calls_count_;
  const json ranks = (*found)->call(client, number, message);
  return {{"message", "report"}, {"call", number}, {"mode", "hand-off"}, {"ranks", ranks}};
}

}  // namespace tasuki::rpc
