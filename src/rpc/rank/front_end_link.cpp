#include "rpc/rank/front_end_link.hpp"

#include <poll.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/wire/frame.hpp"

namespace tasuki::rpc {

using nlohmann::json;

namespace {

/// A client may come before the lease does. For one that comes after its lease there will be none.
constexpr int early_client_wait_ms = 5000;

}  // namespace

FrontEndLink::FrontEndLink(Socket socket, std::chrono::seconds call_patience)
    : socket_(std::move(socket)), call_patience_(call_patience), thread_([this] { listen(); }) {}

FrontEndLink::~FrontEndLink() {
  {
    const std::lock_guard guard(mutex_);
    is_over_ = true;
    over_.notify_one();
  }
  socket_.shut_down();
  thread_.join();
}

std::optional<LeaseOrder> FrontEndLink::next_lease(const Discard& discard, Listener& listener) {
  while (true) {
    wake_up_.clear();
    if (has_gone_) return {};  // After clear(), which may have taken what tells of it.
    std::vector<DiscardOrder> discards;
    std::optional<LeaseOrder> order;
    {
      // Together: what was said before the lease is done before it, on every rank.
      const std::lock_guard guard(mutex_);
      discards = std::exchange(discards_, {});
      order = std::exchange(order_, std::nullopt);
    }
    for (const DiscardOrder& one : discards) discard(one);
    if (order) return order;
    std::array<pollfd, 2> watched = {
        {{wake_up_.descriptor(), POLLIN, 0}, {listener.descriptor(), POLLIN, 0}}};
    if (poll(watched.data(), watched.size(), -1) <= 0 || watched[0].revents != 0) continue;
    if (poll(watched.data(), 1, early_client_wait_ms) == 0) listener.accept_now();
  }
}

void FrontEndLink::attend(std::int64_t lease, CallGate* gate) {
  const std::lock_guard guard(mutex_);
  gate_ = gate;
  if (lease != attended_) return;
  if (gate_ != nullptr && early_hold_) gate_->hold(*early_hold_);
}

void FrontEndLink::send(const json& message) {
  const std::vector<std::uint8_t> frame = encode_frame(message);
  const std::lock_guard guard(sending_);
  try {
    socket_.send(frame.data(), frame.size());
  } catch (const error&) {
    socket_.shut_down();  // The thread that listens notices.
  }
}

std::optional<KeptRoom> FrontEndLink::await_room(std::int64_t call, Socket::Seconds patience) {
  std::unique_lock lock(mutex_);
  rooms_changed_.wait_for(lock, patience, [&] { return has_gone_ || rooms_.contains(call); });
  const auto found = rooms_.extract(call);
  if (found.empty()) return {};
  return found.mapped();
}

void FrontEndLink::listen() {
  try {
    while (true) {
      take(receive_frame(socket_));
      wake_up_.notify();
    }
  } catch (const error&) {
    has_gone_ = true;
    wake_up_.notify();
  }
  std::unique_lock lock(mutex_);
  rooms_changed_.notify_all();
  if (over_.wait_for(lock, call_patience_, [this] { return is_over_; })) return;
  base::die(
      "serve calls: the front end has gone, and the call under way does not end. Remedy:"
      " start the server again.");
}

void FrontEndLink::take(const json& message) {
  const auto kind = field_of<std::string>(message, "message");
  if (kind == "discard") {  // Between leases.
    DiscardOrder discard{field_of<std::vector<std::string>>(message, "names"),
                         field_of<std::string>(message, "happened")};
    const std::lock_guard guard(mutex_);
    discards_.push_back(std::move(discard));
    return;
  }
  const auto lease = field_of<std::int64_t>(message, "lease");
  if (kind == "ask") return send({{"message", "here"}, {"lease", lease}});
  const std::lock_guard guard(mutex_);
  if (kind == "lease") {
    order_ = {lease,
              field_of<std::string>(message, "ticket"),
              {field_of<std::int64_t>(message, "client"), field_of<std::string>(message, "user")},
              field_of<std::vector<std::int64_t>>(message, "gone_clients"),
              field_of<std::int64_t>(message, "call_most_bytes"),
              field_of<double>(message, "client_most_s")};
    if (message.contains("kept_quota")) {
      order_->kept_quota = kept_quota_from(field_of<json>(message, "kept_quota"));
    }
    if (message.contains("call_back")) {
      order_->call_back = endpoint_from(field_of<std::string>(message, "call_back"));
    }
    attended_ = lease;
    early_hold_.reset();
    rooms_.clear();
  } else if (lease != attended_) {
    return;  // It is over.
  } else if (kind == "room") {
    rooms_[field_of<std::int64_t>(message, "call")] = {
        field_of<bool>(message, "is_granted"), field_of<std::int64_t>(message, "used_bytes")};
    rooms_changed_.notify_all();
  } else if (kind == "hold") {
    early_hold_ = field_of<bool>(message, "has_client_gone");
    if (gate_ != nullptr) gate_->hold(*early_hold_);
  } else if (gate_ != nullptr) {
    gate_->end_after(field_of<std::int64_t>(message, "calls"));
  }
}

}  // namespace tasuki::rpc
