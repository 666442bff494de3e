#include "rpc/server/call_log.hpp"

#include <algorithm>
#include <chrono>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/wire/frame.hpp"
#include "rpc/wire/shortened.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;

constexpr double recent_s = 60;

double now_s() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

[[noreturn]] void refuse(const char* happened) {
  throw error("read what a rank says of its calls", happened,
              "build the routine's program with the server's version of Tasuki");
}

CallState state_in(const json& described) {
  const auto state = call_state_of(field_of<std::string>(described, "state"));
  if (!state) refuse("there is no such state of a call");
  return *state;
}

RankPart part_from(const json& described) {
  const json bytes = field_of<json>(described, "bytes");
  return {state_in(described),
          rank_seconds_from(field_of<json>(described, "seconds")),
          field_of<std::int64_t>(bytes, "received"),
          field_of<std::int64_t>(bytes, "to_receive"),
          field_of<std::int64_t>(bytes, "sent"),
          field_of<std::int64_t>(bytes, "to_send")};
}

/// The ranks are as far as the slowest; one that has failed counts before all.
CallState state_of(const CallRecord& record) {
  CallState slowest = CallState::done;
  for (const RankPart& one : record.ranks) {
    if (one.state == CallState::failed || one.state == CallState::cancelled) return one.state;
    slowest = std::min(slowest, one.state);
  }
  return slowest;
}

double sum_of(const RankSeconds& seconds) {
  return seconds.receive + seconds.compute + seconds.send;
}

}  // namespace

CallLog::CallLog(std::size_t past_most, OnEnd on_end)
    : past_most_(past_most), on_end_(std::move(on_end)) {}

std::optional<std::int64_t> CallLog::queue(const CallOrigin& origin,
                                           std::optional<std::int64_t> leases_most) {
  const std::lock_guard guard(mutex_);
  if (leases_most && count_leases(origin.user) >= *leases_most) return {};
  Lease lease{origin, now_s()};
  if (!origin.routine.empty()) {
    CallRecord& record = lease.queued.emplace();
    record.number = ++calls_count_;
    record.origin = origin;
    record.begin_s = lease.asked_s;
  }
  leases_.emplace(++leases_count_, std::move(lease));
  return leases_count_;
}

void CallLog::open(std::int64_t lease, int ranks, bool is_staged) {
  const std::lock_guard guard(mutex_);
  Lease& opened = leases_.at(lease);
  opened.ended.assign(static_cast<std::size_t>(ranks), 0);
  if (is_staged) opened.staged = 0;
  if (!opened.queued) return;
  opened.queued->queued_s = now_s() - opened.queued->begin_s;
  opened.queued->state = CallState::receiving;
}

void CallLog::set_mode(std::int64_t lease, const std::string& mode) {
  const std::lock_guard guard(mutex_);
  Lease& one = leases_.at(lease);
  one.origin.mode = mode;
  if (one.queued) one.queued->origin.mode = mode;
}

void CallLog::take(std::int64_t lease, int rank, const json& message) {
  const std::lock_guard guard(mutex_);
  const auto found = leases_.find(lease);
  if (found == leases_.end()) return;  // It has ended meanwhile.
  Lease& one = found->second;
  const auto index = static_cast<std::size_t>(rank);
  for (const json& described : field_of<json>(message, "calls")) take_call(one, index, described);
  if (rank == 0 && message.contains("others")) {
    for (const json& described : message["others"]) take_others(one, described);
  }
  one.ended.at(index) = field_of<std::int64_t>(message, "ended");
  end_calls(one);
}

CallRecord& CallLog::record_of(Lease& lease, std::int64_t call, double age_s) {
  const auto found = lease.calls.find(call);
  if (found != lease.calls.end()) return found->second;
  CallRecord record;
  if (lease.queued) {
    record = *std::exchange(lease.queued, std::nullopt);
  } else {
    record.number = ++calls_count_;
    record.begin_s = now_s() - age_s;
    record.origin = lease.origin;
  }
  record.ranks.resize(lease.ended.size());
  return lease.calls.emplace(call, std::move(record)).first->second;
}

void CallLog::take_call(Lease& lease, std::size_t rank, const json& described) {
  const auto call = field_of<std::int64_t>(described, "call");
  if (call <= lease.last_of_ranks()) refuse("a call has ended twice");
  CallRecord& record = record_of(lease, call, field_of<double>(described, "age_s"));
  RankPart& part = record.ranks.at(rank);
  part = part_from(described);
  record.kind = field_of<std::string>(described, "kind");
  auto routine = field_of<std::string>(described, "routine");
  // A rank whose message is still to come knows none.
  if (!routine.empty()) record.origin.routine = std::move(routine);
  if (described.contains("kept")) record.kept = field_of<std::string>(described, "kept");
  if (described.contains("is_in_memory")) record.origin.mode = "memory";
  if (described.contains("happened") && record.happened.empty()) {
    record.happened = field_of<std::string>(described, "happened");
  }
  const double told_s =
      described.contains("waited_s") ? field_of<double>(described, "waited_s") : 0;
  // The client's word; nobody waits for the ranks for longer than since it has asked for them.
  const double waited_s = std::max(0.0, std::min(now_s() - lease.asked_s, told_s));
  record.client_s = std::max(record.client_s, waited_s + sum_of(part.seconds));
  record.state = state_of(record);
  // The front end still sends results.
  if (lease.staged && record.state == CallState::done) record.state = CallState::sending;
  lease.has_failed |= is_over(record.state) && record.state != CallState::done;
}

void CallLog::take_others(const Lease& lease, const json& described) {
  CallRecord record;
  record.calls_count = field_of<std::int64_t>(described, "calls");
  record.number = calls_count_ + 1;
  calls_count_ += record.calls_count;
  record.kind = field_of<std::string>(described, "kind");
  record.origin = lease.origin;
  record.origin.routine = field_of<std::string>(described, "routine");
  record.begin_s = now_s();
  record.state = CallState::done;
  RankPart part{CallState::done, rank_seconds_from(field_of<json>(described, "seconds"))};
  const json bytes = field_of<json>(described, "bytes");
  part.received_bytes = part.to_receive_bytes = field_of<std::int64_t>(bytes, "received");
  part.sent_bytes = part.to_send_bytes = field_of<std::int64_t>(bytes, "sent");
  record.client_s = sum_of(part.seconds);
  record.begin_s -= record.client_s;
  record.ranks.push_back(part);
  end(std::move(record));
}

void CallLog::set_front_end(std::int64_t lease, std::int64_t call, FrontEndPart part) {
  const std::lock_guard guard(mutex_);
  const auto found = leases_.find(lease);
  if (found == leases_.end()) return;  // It has ended meanwhile.
  Lease& one = found->second;
  // What the ranks have told together with others has no record of its own.
  const bool is_among_others = call <= one.last_of_ranks() && !one.calls.contains(call);
  if (!is_among_others) record_of(one, call, part.seconds).front_end_s = part.seconds;
  if (!part.has_ended) return;
  one.staged = call;
  end_calls(one);
}

void CallLog::end_calls(Lease& lease) {
  const std::int64_t ended = lease.last_ended();
  while (!lease.calls.empty() && lease.calls.begin()->first <= ended) {
    CallRecord record = std::move(lease.calls.extract(lease.calls.begin()).mapped());
    // The first rank tells of too many short calls together, where another may tell of one.
    if (!is_over(record.ranks.front().state)) continue;
    for (RankPart& one : record.ranks) {
      if (!is_over(one.state)) one.state = CallState::done;
    }
    record.state = state_of(record);
    end(std::move(record));
  }
}

void CallLog::close(std::int64_t lease, CallState state, const std::string& happened) {
  const std::lock_guard guard(mutex_);
  const auto node = leases_.extract(lease);
  if (!node) return;
  Lease& one = node.mapped();
  const bool may_have_called = one.queued || !one.ended.empty();
  if (state != CallState::done && one.calls.empty() && may_have_called && !one.has_failed) {
    record_of(one, 0, 0);  // It had just begun: the ranks have not told of it.
  }
  for (auto& [call, record] : one.calls) {
    if (!is_over(record.state)) record.state = state;
    if (record.happened.empty() && record.state != CallState::done) record.happened = happened;
    end(std::move(record));
  }
}

std::int64_t CallLog::leases_count(const std::string& user) const {
  const std::lock_guard guard(mutex_);
  return count_leases(user);
}

std::int64_t CallLog::count_leases(const std::string& user) const {
  return std::ranges::count_if(leases_,
                               [&](const auto& one) { return one.second.origin.user == user; });
}

std::int64_t CallLog::recent_count(const std::string& user) {
  const std::lock_guard guard(mutex_);
  std::deque<Ended>& ended = recent_[user];
  while (!ended.empty() && ended.front().time_s < now_s() - recent_s) ended.pop_front();
  std::int64_t count = 0;
  for (const Ended& one : ended) count += one.calls_count;
  return count;
}

void CallLog::end(CallRecord record) {
  record.happened = shortened(std::move(record.happened));
  if (!record.origin.user.empty()) {
    std::deque<Ended>& ended = recent_[record.origin.user];
    ended.push_back({now_s(), record.calls_count});
    while (ended.front().time_s < ended.back().time_s - recent_s) ended.pop_front();
  }
  totals_[{record.origin.module, record.origin.routine}].add(record);
  if (on_end_) on_end_(record);
  past_.push_front(std::move(record));
  if (past_.size() > past_most_) past_.pop_back();
}

std::vector<CallRecord> CallLog::current() const {
  const std::lock_guard guard(mutex_);
  std::vector<CallRecord> records;
  for (const auto& [number, lease] : leases_) {
    if (lease.queued) records.push_back(*lease.queued);
    for (const auto& [call, record] : lease.calls) records.push_back(record);
  }
  std::ranges::sort(records, {}, &CallRecord::number);
  return records;
}

std::vector<CallRecord> CallLog::current_of(std::int64_t lease) const {
  const std::lock_guard guard(mutex_);
  std::vector<CallRecord> records;
  if (const auto found = leases_.find(lease); found != leases_.end()) {
    for (const auto& [call, record] : found->second.calls) records.push_back(record);
  }
  return records;
}

std::optional<CallPlace> CallLog::find(std::int64_t number) const {
  const std::lock_guard guard(mutex_);
  for (const auto& [lease_number, lease] : leases_) {
    if (lease.queued && lease.queued->number == number)
      return CallPlace{lease.origin, lease_number};
    for (const auto& [call, record] : lease.calls) {
      if (record.number == number && !is_over(record.state)) {
        return CallPlace{lease.origin, lease_number, call};
      }
    }
  }
  return {};
}

std::vector<CallRecord> CallLog::past(std::size_t most) const {
  const std::lock_guard guard(mutex_);
  const auto count = static_cast<std::ptrdiff_t>(std::min(most, past_.size()));
  return {past_.begin(), past_.begin() + count};
}

std::map<CallLog::RoutineKey, CallTotals> CallLog::totals() const {
  const std::lock_guard guard(mutex_);
  return totals_;
}

}  // namespace tasuki::rpc
