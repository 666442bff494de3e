#include "rpc/server/lease_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "rpc/wire/frame.hpp"
#include "rpc/wire/protocol.hpp"

namespace tasuki::rpc {

bool LeaseState::hold(bool at_once, Clock::time_point now) {
  if (asked_at_ && (is_asked_at_once_ || !at_once)) return false;
  if (!asked_at_) asked_at_ = now;
  is_asked_at_once_ = at_once;
  return true;
}

void LeaseState::take(int rank, const nlohmann::json& message) {
  Said& said = said_[static_cast<std::size_t>(rank)];
  said.calls_count = field_of<std::int64_t>(message, "calls");
  if (field_of<std::string>(message, "message") == "held") return;
  said.has_ended = true;
  said.digest = field_of<std::string>(message, "said");
  if (!message.contains("happened")) return;
  LeaseFault fault{fmt::format("call on rank {}", rank), field_of<std::string>(message, "happened"),
                   field_of<std::string>(message, "remedy"), message.contains("has_client_gone")};
  said.has_refused = message.contains("has_refused");
  if (message.contains("is_broken_off")) {
    if (!broken_off_) broken_off_ = {std::move(fault), Clock::now()};
  } else if (said.has_refused && !refusal_) {
    refusal_ = {std::move(fault), Clock::now()};
  } else if (!said.has_refused && !(refusal_ && fault.is_cancelled)) {
    fail(std::move(fault));  // Unless the client has gone as it was refused.
  }
}

void LeaseState::fail(LeaseFault fault) {
  if (!fault_) fault_ = std::move(fault);
}

void LeaseState::check_ended(Clock::time_point now) {
  if (is_over()) return;
  if (refusal_ && now - refusal_->told > refused_wait) fail(refusal_->fault);
  if (broken_off_ && now - broken_off_->told > broken_off_wait) {
    fail(refusal_ ? refusal_->fault : broken_off_->fault);
  }
}

void LeaseState::check_held(Clock::time_point now, std::chrono::duration<double> most) {
  if (!asked_at_ || now - *asked_at_ <= first_call_wait + most) return;
  const auto silent = std::ranges::find_if(said_, [](const Said& one) { return !one.calls_count; });
  if (silent == said_.end()) return;
  fail({fmt::format("call on rank {}", silent - said_.begin()),
        fmt::format("the rank has not begun to serve the lease for {} s: it still frees what a"
                    " client that has gone has left there",
                    std::chrono::duration<double>(now - *asked_at_).count()),
        "call again: the ranks are started anew; let methods _finalize end, or give the server a"
        " larger --rank-timeout"});
}

bool LeaseState::is_counted() const noexcept {
  return std::ranges::all_of(said_, [](const Said& one) { return one.calls_count.has_value(); });
}

bool LeaseState::is_over() const noexcept {
  return std::ranges::all_of(said_, [](const Said& one) { return one.has_ended; });
}

std::int64_t LeaseState::last_call() const noexcept {
  std::int64_t last = 0;
  for (const Said& one : said_) last = std::max(last, one.calls_count.value_or(0));
  return last;
}

std::int64_t LeaseState::first_last_call() const noexcept {
  return *std::ranges::min_element(said_, {}, &Said::calls_count)->calls_count;
}

std::optional<nlohmann::json> LeaseState::until(bool has_client_gone) {
  if (!is_counted()) return {};
  const std::int64_t end = refusal_ && has_client_gone ? first_last_call() : last_call();
  if (told_end_ == end) return {};
  told_end_ = end;
  return {{{"message", "until"}, {"lease", number_}, {"calls", end}}};
}

std::optional<LeaseFault> LeaseState::fault() const {
  if (fault_) return fault_;
  if (is_counted() && last_call() - first_last_call() > 1) {
    return LeaseFault{"call", "the client has called some ranks more often than others",
                      "use a client of Tasuki's"};
  }
  if (!is_over()) return {};
  if (refusal_ && (broken_off_ || !is_refused_by_all())) return refusal_->fault;
  if (broken_off_) return broken_off_->fault;
  for (std::size_t rank = 0; rank < said_.size() && !refusal_; ++rank) {
    if (said_[rank].calls_count == last_call()) continue;
    return LeaseFault{fmt::format("call on rank {}", rank),
                      "the client has called other ranks, but not this one", "call again"};
  }
  for (std::size_t rank = 1; rank < said_.size(); ++rank) {
    if (said_[rank].digest == said_.front().digest) continue;
    return LeaseFault{fmt::format("call on rank {}", rank),
                      "the client has told this rank something else than rank 0",
                      "use a client of Tasuki's"};
  }
  if (!refusal_) return {};
  LeaseFault harmless = refusal_->fault;
  harmless.spoils_ranks = false;
  return harmless;
}

bool LeaseState::is_refused_by_all() const noexcept {
  return std::ranges::all_of(said_, [last = last_call()](const Said& one) {
    return one.has_refused ? one.calls_count == last : one.calls_count < last;
  });
}

}  // namespace tasuki::rpc
