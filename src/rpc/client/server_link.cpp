#include "rpc/client/server_link.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <tasuki/detail/base/watch_settings.hpp>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/wire/frame.hpp"
#include "rpc/wire/interrupt.hpp"
#include "rpc/wire/protocol.hpp"
#include "rpc/wire/refusal.hpp"
#include "rpc/wire/vanished_host.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

constexpr Socket::Seconds connect_timeout{10};
/// A front end answers at once; who does not is none.
constexpr Socket::Seconds greeting_timeout{5};
constexpr Socket::Seconds for_ever{0};
/// A sign of life is shorter.
constexpr std::size_t sign_most_bytes = 1024;
/// There are fewer between two checks, but from a server that does nothing else than to send them.
constexpr int signs_most = 100;

/// What `work` returns. Whatever it throws is thrown as ServerGone, unless the program has ended
/// the wait.
template <class Work>
auto or_gone(Work work) {
  try {
    return work();
  } catch (const Interrupted&) {
    throw;
  } catch (const ServerGone&) {
    throw;
  } catch (const error& fault) {
    throw ServerGone(fault);
  }
}

Socket connected_to(const Endpoint& server, const Credentials& credentials) {
  Socket made = Socket::connect(server, connect_timeout);
  if (server.is_encrypted) {
    made.encrypt(TlsContext::for_clients(credentials.ca_file), server.host, greeting_timeout);
  }
  return made;
}

json or_refusal(json answer) {
  if (answer.contains("happened")) throw_refusal(answer);
  return answer;
}

}  // namespace

ServerLink::ServerLink(const Endpoint& server, const Credentials& credentials)
    : endpoint_(server),
      silence_most_s_(base::setting::server_timeout.seconds()),
      socket_(or_gone([&] { return connected_to(server, credentials); })),
      address_(or_gone([&] {
        return text_of({socket_.peer_host(), server.port});
      })),
      pulse_(silence_most_s_, 1) {
  or_gone([&] { greet(credentials); });
}

void ServerLink::greet(const Credentials& credentials) {
  json hello = {{"message", "hello"}, {"protocol", protocol_version}};
  if (!credentials.token.empty()) {
    if (!endpoint_.is_encrypted && !is_loopback(socket_.peer_host())) {
      throw NamedError(access_kind, "connect",
                       fmt::format("the token would travel to {} unencrypted", peer()),
                       "give tasukis:// in place of tasuki://");
    }
    hello["token"] = credentials.token;
    if (credentials.is_token_given) hello["is_token_given"] = true;
  }
  // It is asked when it has been silent for a third of the time, too.
  if (silence_most_s_ > 0) hello["sign_s"] = silence_most_s_ / 3;
  socket_.set_timeout(greeting_timeout);
  is_watched_ = or_refusal(converse(hello)).contains("sign_s") && silence_most_s_ > 0;
}

json ServerLink::converse(const json& message) {
  try {
    return or_gone([&] {
      send_frame(socket_, message);
      return receive_answer();
    });
  } catch (const error&) {
    shut_down();  // Else the answer would be taken for that to the next question.
    throw;
  }
}

json ServerLink::receive_answer() {
  while (true) {
    json answer = receive_message();
    const std::lock_guard guard(mutex_);
    pulse_.hear(0);
    const auto kind = answer.find("message");
    if (kind == answer.end() || *kind != "here") return answer;
  }
}

json ServerLink::receive_message() {
  if (come_.empty()) return receive_frame(socket_);
  while (const std::size_t bytes = missing_bytes()) {
    come_.resize(come_.size() + bytes);
    socket_.receive(&*(come_.end() - static_cast<std::ptrdiff_t>(bytes)), bytes);
  }
  const std::vector<std::uint8_t> frame = std::exchange(come_, {});
  return decode_body(std::span(frame).subspan(frame_head_bytes));
}

std::size_t ServerLink::missing_bytes() const {
  if (come_.size() < frame_head_bytes) return frame_head_bytes - come_.size();
  FrameHead head;
  std::copy_n(come_.begin(), frame_head_bytes, head.begin());
  return frame_head_bytes + body_bytes(head, sign_most_bytes) - come_.size();
}

bool ServerLink::has_sign_come() {
  std::size_t bytes = missing_bytes();
  while (bytes > 0 && socket_.has_come()) {
    std::array<std::byte, sign_most_bytes> buffer;
    const std::size_t come_bytes = socket_.receive_some(std::span(buffer).first(bytes));
    const auto* const begin = reinterpret_cast<const std::uint8_t*>(buffer.data());
    come_.insert(come_.end(), begin, begin + come_bytes);
    bytes = missing_bytes();
  }
  return bytes == 0;
}

json ServerLink::exchange(const json& message) {
  // Calls take their time.
  socket_.set_timeout(is_watched_ ? watch_interval : for_ever);
  std::optional<Socket::Patience> patience;
  if (is_watched_) {
    {
      const std::lock_guard guard(mutex_);
      pulse_.begin();
    }
    patience.emplace(socket_, [this] {
      const std::lock_guard guard(mutex_);
      count_silence(socket_.moved_bytes());  // It gives signs without being asked.
      return false;
    });
  }
  return converse(message);
}

json ServerLink::ask(const json& message) { return or_refusal(exchange(message)); }

bool ServerLink::count_silence(std::int64_t moved_bytes) {
  if (std::exchange(moved_bytes_, moved_bytes) != moved_bytes) pulse_.hear(0);
  if (!pulse_.whom_to_ask().empty()) return true;  // It has until the next time to answer.
  if (!pulse_.silent_one()) return false;
  throw ServerSilent(fault_of_silence());
}

NamedError ServerLink::fault_of_silence() const {
  const bool is_of_host = is_silent_host(socket_.descriptor());
  return {silent_kind, "wait for the server",
          fmt::format("{} has given no sign of life for {} s: {}", peer(), silence_most_s_,
                      is_of_host ? "its host does not answer, as it has vanished or is paused"
                                 : "its process is stopped, or its host is paused or too busy"),
          fmt::format("see whether {}, then call again; or set a larger {}",
                      is_of_host ? "that host runs, and whether the network reaches it"
                                 : "that process and its host go on",
                      base::setting::server_timeout.name)};
}

void ServerLink::check(std::int64_t moved_bytes) {
  const std::lock_guard guard(mutex_);
  if (!is_watched_) return;
  try {
    for (int i = 0; i < signs_most && has_sign_come(); ++i) {
      receive_message();
      pulse_.hear(0);
    }
    if (count_silence(moved_bytes)) send_frame(socket_, {{"message", "ask"}});
  } catch (const ServerGone&) {
    throw;
  } catch (const Interrupted&) {
    throw;
  } catch (const error&) {
    is_watched_ = false;  // It has ended the connection; ranks may still answer.
    shut_down();
  }
}

OfferedInterfaces ServerLink::ask_interfaces() {
  socket_.set_timeout(greeting_timeout);
  const json answer = or_refusal(converse({{"message", "interfaces"}}));
  return {field_of<std::vector<json>>(answer, "modules"),
          field_of<std::int64_t>(answer, "revision")};
}

}  // namespace tasuki::rpc
