#include "rpc/server/front_end.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <exception>
#include <tasuki/error.hpp>
#include <thread>
#include <utility>

#include "rpc/server/client_session.hpp"
#include "rpc/server/descriptor_limit.hpp"
#include "rpc/server/line_reader.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/named_error.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

/// How often it asks who has been silent for too long, which programs are idle, and the time.
constexpr std::chrono::milliseconds house_interval{200};
constexpr int check_interval_ms = 200;
/// That operators can read.
constexpr std::size_t past_calls_most = 1000;
/// A peer that does not take its messages would hold up the calls of others.
constexpr Socket::Seconds send_timeout{10};
/// Clients ask in few words; what belongs to calls goes by other connections.
constexpr std::size_t client_frame_most_bytes = std::size_t{64} << 10;

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
      client_most_(std::chrono::ceil<Socket::Seconds>(
          std::chrono::duration<double>(options.limits.client_most_s))),
      entrance_(options.users, tls_of(options),
                options.connections_most.value_or(usual_connections_most())),
      staging_room_(options.staged_most_bytes),
      modules_({address.host, listener_.port(), !options.tls_certificate_file.empty()},
               options.limits, options.pools_count, log_, kept_),
      drain_most_s_(options.drain_most_s),
      reloader_([this](const json& order) { reload(order); }),
      control_(modules_, log_, kept_, audit_),
      page_(page.folder,
            {modules_, log_, entrance_.users(), connections_, kept_, is_draining_, page.version},
            control_, audit_, options.browsers_most) {
  modules_.offer(modules);
  housekeeper_ = std::thread([this] { keep_house(); });
}

std::optional<TlsContext> FrontEnd::tls_of(const ServerOptions& options) {
  if (options.tls_certificate_file.empty()) return {};
  return TlsContext::for_servers(options.tls_certificate_file, options.tls_key_file,
                                 [this](std::string_view identity) { return secret_of(identity); });
}

std::optional<std::string> FrontEnd::secret_of(std::string_view identity) {
  if (const RankGroup found = modules_.find_identity(identity)) return found->key();
  return passages_.find(identity);
}

FrontEnd::~FrontEnd() {
  is_ending_ = true;
  modules_.end();  // Connections may wait for what they compute.
  reloader_.end();
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
    page_.end_late();
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
  if (!socket) return;
  socket->set_send_timeout(send_timeout);
  connections_.add(std::move(*socket), [this](const auto& one) { serve(one); });
}

void FrontEnd::obey(const std::string& line) {
  try {
    const json message = json::parse(line);
    const auto order = field_of<std::string>(message, "do");
    if (order == "reload" && !drainer_.joinable()) reloader_.ask(message);
    if (order == "drain" && !drainer_.joinable()) {
      if (drain_most_s_) {
        drain_end_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(
                                        std::chrono::duration<double>(*drain_most_s_));
      }
      is_draining_ = true;
      drainer_ = std::thread([this] { drain(); });
    }
  } catch (const std::exception& fault) {
    base::report(fault.what());
  }
}

void FrontEnd::reload(const json& order) {
  try {
    // Users first: whatever else fails, who was removed must not call any more.
    std::vector<User> users;
    for (const json& one : order.at("users")) users.push_back(user_from_json(one));
    entrance_.users().replace(std::move(users));
    modules_.revoke(entrance_.users());
    json happened = order.at("happened");
    try {
      audit_.reopen();
    } catch (const error& fault) {
      base::report(fault.what());
      happened.push_back(fault.what());
    }
    ModuleChanges changes = modules_.replace(served_modules_from(order.at("modules")));
    for (const std::string& one : changes.happened) base::report(one);
    for (std::string& one : changes.happened) happened.push_back(std::move(one));
    audit_.write("reload", {{"begun", std::move(changes.begun)},
                            {"ended", std::move(changes.ended)},
                            {"happened", std::move(happened)}});
  } catch (const std::exception& fault) {
    base::report(fault.what());
    audit_.write("reload", {{"begun", json::array()},
                            {"ended", json::array()},
                            {"happened", json::array({fault.what()})}});
  }
}

void FrontEnd::drain() {
  modules_.drain();
  passages_.await_end();  // The ranks have sent all; some may still be on its way through here.
  is_drained_ = true;
  wake_up_.notify();
}

void FrontEnd::keep_house() {
  while (!is_ending_) {
    modules_.keep_house();
    std::this_thread::sleep_for(house_interval);
  }
}

void FrontEnd::serve(const std::shared_ptr<Socket>& connection) {
  try {
    const Visitor visitor = entrance_.admit(connection);
    if (const auto* guest = std::get_if<Guest>(&visitor)) return serve_client(*connection, *guest);
    if (const auto* browser = std::get_if<Browser>(&visitor)) {
      return page_.serve(connection, browser->must_encrypt);
    }
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
  ClientSession session(
      client, ++clients_count_, guest.user,
      {modules_, entrance_.users(), passages_, log_, audit_, kept_, control_, staging_room_});
  client.set_timeout(client_most_);
  client.set_send_timeout(send_timeout);
  while (true) {
    {
      const Socket::Patience patience(client);  // A client may be silent for as long as it likes.
      client.first_byte();
    }
    const json message = receive_frame(client, client_frame_most_bytes);
    json answer;
    {
      const SignsOfLife::Waiting waiting(signs_of_life_, client, guest.sign_s);
      answer = session.answer(message);
    }
    send_frame(client, answer);
  }
}

void FrontEnd::join(const std::shared_ptr<Socket>& connection, const json& message) {
  const auto key = field_of<std::string>(message, "key");
  if (const RankGroup found = modules_.find_key(key)) found->serve(connection, message);
}

}  // namespace tasuki::rpc
