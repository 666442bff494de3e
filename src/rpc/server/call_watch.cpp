#include "rpc/server/call_watch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rpc/wire/frame.hpp"
#include "rpc/wire/pace.hpp"

namespace tasuki::rpc {

using nlohmann::json;

LeaseFault slow_client_fault(std::string operation, double client_most_s) {
  return {std::move(operation),
          fmt::format("its client has sent and taken less than {} KiB/s for {} s",
                      Pace::least_bytes_per_s / 1024, client_most_s),
          "use a faster network, or ask for a larger --client-timeout"};
}

void CallWatch::take(int rank, const json& message, Clock::time_point now) {
  Part& part = parts_.at(static_cast<std::size_t>(rank));
  part.state = CallState::done;
  part.told = now;
  for (const json& one : field_of<json>(message, "calls")) {
    const auto state = call_state_of(field_of<std::string>(one, "state"));
    if (!state) refuse_field("state");
    part.state = *state;
    part.age_s = field_of<double>(one, "age_s");
    part.call = std::max(part.call, field_of<std::int64_t>(one, "call"));
  }
  part.ended = field_of<std::int64_t>(message, "ended");
  if (part.ended >= part.call) part.state = CallState::done;
  part.call = std::max(part.call, part.ended);
  part.moved_bytes = field_of<std::int64_t>(message, "moved");
  part.waits = field_of<bool>(message, "waits");
}

bool CallWatch::is_busy() const {
  return std::ranges::any_of(parts_, [](const Part& one) { return !is_over(one.state); });
}

std::optional<LeaseFault> CallWatch::check(Clock::time_point now) {
  const std::optional<double> call_most_s = limits_.call_most_s;
  const bool is_late = call_most_s && std::ranges::any_of(parts_, [&](const Part& one) {
                         const double silent_s =
                             std::chrono::duration<double>(now - one.told).count();
                         return !is_over(one.state) && one.age_s + silent_s >= *call_most_s;
                       });
  if (is_late) {
    return LeaseFault{operation_, fmt::format("the call has taken longer than {} s", *call_most_s),
                      "let it do less, or ask for a larger --time-limit or quota call_time_s"};
  }
  if (has_slow_client(now)) return slow_client_fault(operation_, *limits_.client_most_s);
  return {};
}

std::int64_t CallWatch::last_call() const { return std::ranges::max(parts_, {}, &Part::call).call; }

/// A rank that has not been called where others have waits for the client, and one that receives,
/// also in a callback. One that sends may wait until the client has the results of another, which
/// still computes.
bool CallWatch::is_clients_turn() const {
  const std::int64_t last = last_call();
  const auto any = [&](auto is_true) { return std::ranges::any_of(parts_, is_true); };
  const auto computes = [](const Part& one) {
    return one.state == CallState::computing && !one.waits;
  };
  return any([&](const Part& one) {
    if (one.call < last) return true;
    if (is_over(one.state) || !one.waits) return false;
    return one.state != CallState::sending || !any(computes);
  });
}

bool CallWatch::has_slow_client(Clock::time_point now) {
  if (!limits_.client_most_s || !is_clients_turn()) {
    turn_.reset();
    return false;
  }
  std::int64_t moved_bytes = 0;
  for (const Part& one : parts_) moved_bytes += one.moved_bytes;
  // Ranks tell of the same short calls at different times: some seem to be behind at any time.
  const auto has_gone_on = [&] {
    return moved_bytes - turn_->moved_bytes >= Pace::least_bytes_in(*limits_.client_most_s) ||
           std::ranges::all_of(parts_, [&](const Part& one) { return one.ended >= turn_->call; });
  };
  if (!turn_ || has_gone_on()) {
    turn_ = {now, last_call(), moved_bytes};
    return false;
  }
  return now - turn_->begin >= std::chrono::duration<double>(*limits_.client_most_s);
}

}  // namespace tasuki::rpc
