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
#include "rpc/server/line_reader.hpp"
#include "rpc/tls/digest.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/named_error.hpp"
#include "rpc/wire/secret.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds accept_pause{10};
/// How often it asks who has been silent for too long, which programs are idle, and the time.
constexpr std::chrono::milliseconds house_interval{200};
constexpr int check_interval_ms = 200;
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
                   const ServerOptions& options, const PageSource& page)
    : listener_(address),
      signals_(take_ending_signals()),
      audit_(options.log_file),
      log_(past_calls_most,
           [this](const CallRecord& record) { audit_.write("call", to_json(record)); }),
      entrance_(options.users),
      drain_most_s_(options.drain_most_s),
      page_(page.folder, {modules_, log_, entrance_.users(), connections_, page.version}) {
  const Endpoint found{address.host, listener_.port()};
  for (const ServedModule& one : modules) {
    for (int pool = 0; pool < options.pools_count; ++pool) {
      RoutineProgram program{
          one.command,    one.ranks,        found, make_secret(), one.keep_limit_bytes,
          options.limits, one.documentation};
      modules_.push_back(std::make_unique<RoutineProcesses>(module_from_json(one.interface),
                                                            std::move(program), log_, kept_));
      if (one.is_warm) modules_.back()->start();
    }
  }
  housekeeper_ = std::thread([this] { keep_house(); });
}

FrontEnd::~FrontEnd() {
  is_ending_ = true;
  for (const auto& one : modules_) one->stop();
  for (const auto& one : modules_) one->end();  // Connections may wait for what they compute.
  connections_.end();
  if (drainer_.joinable()) drainer_.join();
  housekeeper_.join();
  close(signals_);
}

void FrontEnd::run(int starter) {
  LineReader lines(starter);
  while (!is_drained_) {
    std::array<pollfd, 4> ready = {{{listener_.descriptor(), POLLIN, 0},
                                    {signals_, POLLIN, 0},
                                    {starter, POLLIN, 0},
                                    {wake_up_.descriptor(), POLLIN, 0}}};
    const int ready_count = poll(ready.data(), ready.size(), check_interval_ms);
    entrance_.end_late();
    connections_.forget_ended();
    if (drain_end_ && Clock::now() > *drain_end_) return;
    if (ready_count <= 0) continue;
    if (ready[1].revents != 0) return;
    if (ready[2].revents != 0) {
      if (!lines.read()) return;
      while (const auto line = lines.next()) obey(*line);
    }
    if (ready[0].revents != 0) accept();
  }
}

void FrontEnd::accept() {
  std::optional<Socket> socket = listener_.accept_now();
  if (!socket) {
    // No descriptor is free, or the peer has gone: until something changes, poll would return.
    std::this_thread::sleep_for(accept_pause);
    return;
  }
  socket->set_send_timeout(send_timeout);
  connections_.add(std::move(*socket), [this](const auto& one) { serve(one); });
}

void FrontEnd::obey(const std::string& line) {
  try {
    const auto order = field_of<std::string>(json::parse(line), "do");
    if (order == "reopen") audit_.reopen();
    if (order == "drain" && !drainer_.joinable()) {
      if (drain_most_s_) {
        drain_end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(*drain_most_s_));
      }
      drainer_ = std::thread([this] { drain(); });
    }
  } catch (const std::exception& fault) {
    base::report(fault.what());
  }
}

void FrontEnd::drain() {
  // At once: each stops giving its ranks away when it begins.
  std::vector<std::jthread> drains;
  for (const auto& one : modules_) drains.emplace_back([&one] { one->drain(); });
  drains.clear();
  passages_.await_end();  // The ranks have sent all; some may still be on its way through here.
  is_drained_ = true;
  wake_up_.notify();
}

void FrontEnd::keep_house() {
  while (!is_ending_) {
    for (const auto& one : modules_) one->keep_house();
    std::this_thread::sleep_for(house_interval);
  }
}

void FrontEnd::serve(const std::shared_ptr<Socket>& connection) {
  try {
    const Visitor visitor = entrance_.admit(connection);
    if (const auto* guest = std::get_if<Guest>(&visitor)) return serve_client(*connection, *guest);
    if (std::holds_alternative<Browser>(visitor)) return page_.serve(*connection);
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
