#include "rpc/server/call_watch.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "rpc/wire/frame.hpp"
#include "rpc/wire/pace.hpp"

namespace tasuki::rpc {

using nlohmann::json;

void CallWatch::take(int rank, const json& message) {
  Part& part = parts_.at(static_cast<std::size_t>(rank));
  for (const json& one : field_of<json>(message, "calls")) {
    const auto state = call_state_of(field_of<std::string>(one, "state"));
    if (!state) refuse_field("state");
    part = {field_of<std::int64_t>(one, "call"), *state, field_of<double>(one, "age_s"),
            field_of<std::int64_t>(one, "moved")};
  }
  const auto ended = field_of<std::int64_t>(message, "ended");
  if (ended >= part.call) part = {ended};
}

bool CallWatch::is_busy() const {
  return std::ranges::any_of(parts_, [](const Part& one) { return !is_over(one.state); });
}

std::optional<LeaseFault> CallWatch::check(Clock::time_point now) {
  const std::optional<double> call_most_s = limits_.call_most_s;
  const bool is_late = call_most_s && std::ranges::any_of(parts_, [&](const Part& one) {
                         return !is_over(one.state) && one.age_s >= *call_most_s;
                       });
  if (is_late) {
    return LeaseFault{operation_, fmt::format("the call has taken longer than {} s", *call_most_s),
                      "let it do less, or ask for a larger --time-limit or quota call_time_s"};
  }
  if (has_slow_client(now)) {
    return LeaseFault{operation_,
                      fmt::format("its client has sent and taken less than {} KiB in {} s",
                                  Pace::least_bytes >> 10, *limits_.client_most_s),
                      "use a faster network, or ask for a larger --client-timeout"};
  }
  return {};
}

/// A rank that receives, or has not been called where others have, waits for nobody else. One that
/// sends may wait until the client has the results of another, which still computes.
bool CallWatch::is_clients_turn() const {
  const std::int64_t last = std::ranges::max(parts_, {}, &Part::call).call;
  const auto any = [&](auto is_true) { return std::ranges::any_of(parts_, is_true); };
  if (any([&](const Part& one) { return one.call < last || one.state == CallState::receiving; })) {
    return true;
  }
  return any([](const Part& one) { return one.state == CallState::sending; }) &&
         !any([](const Part& one) { return one.state == CallState::computing; });
}

bool CallWatch::has_slow_client(Clock::time_point now) {
  if (!limits_.client_most_s || !is_clients_turn()) {
    turn_begin_.reset();
    return false;
  }
  std::int64_t moved_bytes = 0;
  for (const Part& one : parts_) moved_bytes += one.moved_bytes;
  const std::int64_t more_bytes = moved_bytes - turn_begin_bytes_;
  // With another call a rank counts from the beginning.
  const bool is_other_call = more_bytes < 0;
  if (!turn_begin_ || is_other_call || std::cmp_greater_equal(more_bytes, Pace::least_bytes)) {
    turn_begin_ = now;
    turn_begin_bytes_ = moved_bytes;
    return false;
  }
  return now - *turn_begin_ >= std::chrono::duration<double>(*limits_.client_most_s);
}

}  // namespace tasuki::rpc
