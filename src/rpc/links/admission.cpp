#include "rpc/links/admission.hpp"

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/tls/digest.hpp"
#include "rpc/tls/tls_secret.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/protocol.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

constexpr std::size_t candidates_most = 64;

/// Returns: is one of them ready? Not if the deadline passes before.
bool wait_until(std::vector<pollfd>& watched, Clock::time_point deadline) {
  while (true) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
    const int timeout_ms = static_cast<int>(std::max<std::int64_t>(left.count(), 0));
    const int ready_count = poll(watched.data(), watched.size(), timeout_ms);
    if (ready_count >= 0 || errno != EINTR) return ready_count > 0;
  }
}

/// Has all of a frame come? Else the descriptor becomes readable when that may be. Throws
/// tasuki::error if it is empty, or longer than a first frame may be.
bool has_frame(int descriptor) {
  std::array<std::uint8_t, frame_head_bytes + first_frame_most_bytes> come;
  const auto wait_for_bytes = [descriptor](std::size_t bytes) {
    const int least = static_cast<int>(bytes);
    setsockopt(descriptor, SOL_SOCKET, SO_RCVLOWAT, &least, sizeof least);
  };
  const ssize_t bytes = recv(descriptor, come.data(), come.size(), MSG_PEEK | MSG_DONTWAIT);
  std::size_t wanted_bytes = frame_head_bytes + 1;  // No body is empty.
  if (bytes >= static_cast<ssize_t>(frame_head_bytes)) {
    FrameHead head;
    std::copy_n(come.begin(), head.size(), head.begin());
    wanted_bytes = frame_head_bytes + body_bytes(head, first_frame_most_bytes);
  }
  const bool is_whole = bytes >= static_cast<ssize_t>(wanted_bytes);
  wait_for_bytes(is_whole ? 1 : wanted_bytes);
  return is_whole;
}

/// Returns: what it says first, with its ticket; an empty one if that has none.
nlohmann::json first_message(Socket& candidate, Socket::Seconds timeout) {
  try {
    candidate.set_timeout(timeout);
    nlohmann::json message = receive_frame(candidate, first_frame_most_bytes);
    message["ticket"] = field_of<std::string>(message, "ticket");
    return message;
  } catch (const error&) {
    return {{"ticket", ""}};
  }
}

}  // namespace

Admission::Admission(Listener& listener, bool is_encrypted, const AdmissionLimits& limits)
    : listener_(listener), limits_(limits) {
  if (!is_encrypted) return;
  tls_ = TlsContext::for_listeners([this](std::string_view identity) -> std::optional<std::string> {
    for (const std::string& one : tickets_) {
      if (!one.empty() && identity_of(one) == identity) return one;
    }
    return {};
  });
}

std::optional<json> Admission::hear(Socket& candidate, bool has_ended) {
  try {
    // Who has ended the negotiation has a ticket: its message comes as quickly.
    if (tls_ && !candidate.try_accept_encryption(*tls_)) return {};
    if (!tls_ && !has_ended && !has_frame(candidate.descriptor())) return {};
  } catch (const error&) {
    return json{{"ticket", ""}};
  }
  return first_message(candidate, limits_.ticket_wait);
}

std::optional<Admission::Admitted> Admission::await(std::span<const std::string> tickets,
                                                    WakeUp& wake_up,
                                                    const std::function<bool()>& is_over) {
  const auto deadline = Clock::now() + limits_.connection_wait;
  tickets_ = tickets;
  while (!is_over()) {
    std::vector<pollfd> watched = {{wake_up.descriptor(), POLLIN, 0},
                                   {listener_.descriptor(), POLLIN, 0}};
    for (const Socket& one : candidates_) {
      watched.push_back({one.descriptor(), POLLIN | POLLRDHUP, 0});
    }
    if (!wait_until(watched, deadline)) return {};
    if (watched[0].revents != 0) wake_up.clear();
    for (std::size_t i = candidates_.size(); i-- > 0;) {
      if (watched[i + 2].revents == 0) continue;
      const bool has_ended = (watched[i + 2].revents & ~POLLIN) != 0;
      std::optional<json> message = hear(candidates_[i], has_ended);
      if (!message) continue;
      Socket candidate = std::move(candidates_[i]);
      candidates_.erase(candidates_.begin() + static_cast<std::ptrdiff_t>(i));
      const auto ticket = (*message)["ticket"].get<std::string>();
      const auto found = std::ranges::find_if(
          tickets, [&](const std::string& one) { return is_same_secret(one, ticket); });
      if (ticket.empty() || found == tickets.end()) continue;
      return Admitted{static_cast<std::size_t>(found - tickets.begin()), std::move(candidate),
                      std::move(*message)};
    }
    if (watched[1].revents != 0) take();
    if (Clock::now() >= deadline) return {};  // Though strangers may always have something ready.
  }
  return {};
}

void Admission::take() {
  std::optional<Socket> made = listener_.accept_now();
  if (!made) return;
  if (candidates_.size() == candidates_most) candidates_.erase(candidates_.begin());
  candidates_.push_back(std::move(*made));
}

}  // namespace tasuki::rpc
