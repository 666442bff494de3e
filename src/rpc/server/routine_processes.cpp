#include "rpc/server/routine_processes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/server/lease_limits.hpp"
#include "rpc/server/rank_faults.hpp"
#include "rpc/wire/frame.hpp"
#include "rpc/wire/named_error.hpp"
#include "rpc/wire/protocol.hpp"
#include "rpc/wire/refusal.hpp"
#include "rpc/wire/secret.hpp"

namespace tasuki::rpc {
namespace {

using nlohmann::json;
using Clock = std::chrono::steady_clock;

/// How often a wait asks whether the client or the program has gone, of which nobody tells it.
constexpr std::chrono::milliseconds check_interval{50};
/// How long ranks may take to end a lease whose client has gone: they are not in a call then, or in
/// one that nobody waits for.
constexpr std::chrono::milliseconds given_up_wait{200};
constexpr std::chrono::seconds idle_given_up_wait{10};
/// For so long housekeeping waits for a call under way to end; then it sees to other modules.
constexpr std::chrono::milliseconds house_wait{50};
/// For so long a client waits for ranks of its user to say that they can be given back.
constexpr std::chrono::seconds room_wait = first_call_wait + std::chrono::seconds(1);
/// A call may have ended for so long before the ranks have told of it.
constexpr std::chrono::milliseconds told_late{300};
/// For so long a reload waits for the ranks of a new program; other reloads wait for that one.
constexpr std::chrono::minutes start_wait{2};

}  // namespace

RoutineProcesses::RoutineProcesses(Module module, RoutineProgram program, CallLog& log,
                                   KeptTable& kept)
    : module_(std::move(module)),
      program_(std::move(program)),
      log_(log),
      kept_(program_.key, program_.limits.keep_most_s, kept),
      started_(program_, module_.name),
      pulse_(program_.limits.rank_most_s, program_.ranks) {}

void RoutineProcesses::start() { started_.start(); }

void RoutineProcesses::await_start() {
  Lock lock(mutex_);
  const auto deadline = Clock::now() + start_wait;
  await_ranks(lock, [&] {
    if (Clock::now() < deadline) return;
    throw error(fmt::format("start module {}", module_.name),
                "its ranks have not joined in two minutes", printed_remedy);
  });
}

void RoutineProcesses::stop() {
  const Lock lock(mutex_);
  is_stopped_ = true;
  changed_.notify_all();
  started_.shut_down();
}

void RoutineProcesses::end() {
  const Lock lock(mutex_);
  started_.end_processes(is_retired_    ? "the server has other routines now"
                         : is_draining_ ? "the server is drained"
                                        : "the server ends");
  kept_.forget_all();
}

ModuleState RoutineProcesses::state() const {
  const Lock lock(mutex_);
  ModuleState state;
  for (int rank = 0; rank < ranks(); ++rank) {
    state.has_joined.push_back(started_.members().has_joined(rank));
  }
  if (lease_) state.lease = lease_->number();
  state.waiting_count = turns_.size();
  return state;
}

void RoutineProcesses::check_not_stopped() const {
  if (is_retired_) throw Retired();
  if (is_stopped_ || is_draining_) {
    throw NamedError(draining_kind, "call", "the server is ending",
                     "start it again, or call another");
  }
}

void RoutineProcesses::check_queue() const {
  if (turns_.size() < program_.limits.queue_most) return;
  throw NamedError(queue_full_kind, fmt::format("call {}", module_.name),
                   fmt::format("its queue is full: {} clients wait for the ranks", turns_.size()),
                   "call again later, or start the server with a larger --queue-limit");
}

bool RoutineProcesses::has_used_up_calls(const User& user) const {
  const auto most = user.limits.calls_per_minute;
  return most && log_.recent_count(user.name) >= *most;
}

std::int64_t RoutineProcesses::queue(Lock& lock, const LeaseRequest& request) {
  const User& user = *request.user;
  const auto refuse = [&](const char* quota, std::int64_t most) {
    throw NamedError(quota_kind, fmt::format("call {}", module_.name),
                     fmt::format("the quota {} = {} of user {} is used up", quota, most, user.name),
                     "call again later, or ask for a larger quota");
  };
  const UserLimits& limits = user.limits;
  if (has_used_up_calls(user)) refuse("calls_per_minute", *limits.calls_per_minute);
  const auto deadline = Clock::now() + told_late;
  while (true) {
    if (const auto number = log_.queue(request.origin, limits.calls_at_once)) {
      turns_.add(*number, request.user);
      return *number;
    }
    if (Clock::now() >= deadline) refuse("calls_at_once", *limits.calls_at_once);
    changed_.wait_for(lock, check_interval);
  }
}

void RoutineProcesses::check_calls() {
  // lose() fails the lease once it knows how the first rank has ended.
  if (!lease_ || started_.has_failed()) return;
  if (std::optional<LeaseFault> fault = watch_->check()) lease_->fail(*std::move(fault));
  lease_->check_ended(Clock::now());
  lease_->check_held(Clock::now(), std::chrono::duration<double>(program_.limits.rank_most_s));
  if (lease_->fault()) finish_lease();
}

std::size_t RoutineProcesses::load() {
  const Lock lock(mutex_);
  // To end a lease without a call takes a message each way.
  const std::size_t of_lease = !lease_ ? 0 : watch_->is_busy() ? 2 : 1;
  return 2 * turns_.size() + of_lease;
}

void RoutineProcesses::watch_calls() {
  const Lock lock(mutex_);
  check_calls();
  check_ranks();
}

void RoutineProcesses::check_ranks() {
  if (!lease_) return;
  for (const int rank : pulse_.whom_to_ask()) {
    if (started_.members().has_joined(rank)) {
      started_.members().tell(rank, {{"message", "ask"}, {"lease", lease_->number()}});
    }
  }
  if (started_.has_failed() || !pulse_.silent_one()) return;  // As in check_calls.
  const LeaseFault fault = started_.fault_of_silence(pulse_, program_.limits.rank_most_s);
  base::report(error(fault.operation, fault.happened, fault.remedy).what());
  lease_->fail(fault);
  finish_lease();
}

void RoutineProcesses::keep_house() {
  Lock lock(mutex_);
  // The client calls the ranks directly, and has to ask again then.
  if (lease_ && has_used_up_calls(*lease_user_)) end_lease_soon(lock, house_wait);
  end_if_idle(lock);
  free_unwanted(lock);
}

void RoutineProcesses::end_lease_soon(Lock& lock, std::chrono::milliseconds silence_most) {
  if (is_ending_lease_) return;
  const auto begin = Clock::now();
  end_lease(lock, [&] {
    return Clock::now() - begin >= (lease_->is_counted() ? house_wait : silence_most);
  });
}

void RoutineProcesses::free_unwanted(Lock& lock) {
  if (is_ending_lease_ || is_stopped_ || !kept_.has_unwanted()) return;
  if (lease_) end_lease_soon(lock, house_wait);  // Its client gets another one with its next call.
  if (!lease_) tell_discards();
}

void RoutineProcesses::tell_discards() {
  for (const json& one : kept_.take_discards()) tell_ranks(one);
}

void RoutineProcesses::discard(const std::string& name, const std::string& happened) {
  Lock lock(mutex_);
  kept_.give_up(name, happened);
  while (lease_ && kept_.is_given_up(name) && !is_stopped_) {
    await_lease_end(lock, lease_->number());
  }
  // While another lease is under way, it is told before the next one.
  if (!lease_ && !is_stopped_) tell_discards();
}

void RoutineProcesses::begin_to_discard(const std::string& name, const std::string& happened) {
  const Lock lock(mutex_);
  kept_.give_up(name, happened);
}

void RoutineProcesses::end_if_idle(Lock& lock) {
  const std::optional<double> most_s = program_.limits.idle_most_s;
  const auto is_idle = [&] {
    return most_s && !started_.has_ended() && !is_stopped_ && turns_.empty() && !is_ending_lease_ &&
           Clock::now() - last_used_ > std::chrono::duration<double>(*most_s);
  };
  if (!is_idle()) return;
  if (lease_) end_lease_soon(lock, house_wait);  // Its client gets another one with its next call.
  if (!is_idle() || lease_) return;
  end_program("nobody has called for as long as --idle-limit");
}

void RoutineProcesses::retire() {
  {
    const Lock lock(mutex_);
    is_retired_ = true;
  }
  drain();
}

bool RoutineProcesses::is_retired() {
  const Lock lock(mutex_);
  return is_retired_;
}

void RoutineProcesses::revoke(const Users& users) {
  Lock lock(mutex_);
  turns_.cancel_if([&](const User& user) { return users.current(user) == nullptr; },
                   {fmt::format("call {}", module_.name), unknown_user_happened,
                    unknown_user_remedy, true, access_kind});
  changed_.notify_all();
  const auto is_same = [&](const User& user) {
    const std::shared_ptr<const User> now = users.current(user);
    return now != nullptr && *now == user;
  };
  if (lease_ && !is_ending_lease_ && !is_same(*lease_user_)) end_lease(lock);
}

void RoutineProcesses::end_lease_soon_if(const IsMeant& is_meant) {
  Lock lock(mutex_);
  if (lease_ && is_meant(*lease_user_)) end_lease_soon(lock, room_wait);
}

void RoutineProcesses::take_back(std::int64_t lease) {
  Lock lock(mutex_);
  await_lease_end(lock, lease);
}

void RoutineProcesses::fail_slow_lease(std::int64_t number, bool has_begun) {
  const Lock lock(mutex_);
  if (!lease_ || lease_->number() != number) return;
  LeaseFault fault =
      slow_client_fault(fmt::format("call {}", module_.name), program_.limits.client_most_s);
  fault.spoils_ranks = has_begun;
  lease_->fail(std::move(fault));
  finish_lease();
}

void RoutineProcesses::drain() {
  Lock lock(mutex_);
  is_draining_ = true;
  changed_.notify_all();
  while (lease_ && !is_stopped_) await_lease_end(lock, lease_->number());
}

/// Nobody knows what the processes are doing.
void RoutineProcesses::restart() {
  end_program("they have failed, or a call on them, and are started anew");
  start();
}

void RoutineProcesses::end_program(const char* reason) {
  started_.end(reason);
  kept_.forget_all();
}

void RoutineProcesses::join(const std::shared_ptr<Socket>& connection, const json& join) {
  const auto rank = field_of<int>(join, "rank");
  Lock lock(mutex_);
  try {
    started_.check_join(join);
  } catch (const error&) {
    changed_.notify_all();  // Who waits for the ranks is told of it.
    throw;
  }
  if (started_.members().has_joined(rank)) {
    lose(lock, rank, false);  // What the process before has done since then, nobody knows.
    throw error("join a server", fmt::format("rank {} has joined before", rank),
                "leave it to the server to start processes anew");
  }
  // Before anybody else can tell it something.
  send_frame(*connection, {{"message", "joined"},
                           {"interface", module_.json},
                           {"keep_limit_bytes", program_.keep_limit_bytes}});
  started_.join(rank, connection, join);
  changed_.notify_all();
}

void RoutineProcesses::serve(const std::shared_ptr<Socket>& connection, const json& message) {
  try {
    join(connection, message);
  } catch (const error& fault) {
    send_frame(*connection, refusal_of(fault));
    throw;
  }
  const auto rank = field_of<int>(message, "rank");
  try {
    while (true) take(rank, connection, receive_frame(*connection));
  } catch (const error&) {
    lose(rank, connection);
  }
}

void RoutineProcesses::take(int rank, const std::shared_ptr<Socket>& connection,
                            const json& message) {
  const Lock lock(mutex_);
  if (!started_.members().is_of(rank, connection)) return;
  pulse_.hear(rank);
  const auto kind = field_of<std::string>(message, "message");
  if (!lease_ || field_of<std::int64_t>(message, "lease") != lease_->number() || kind == "here") {
    return;
  }
  if (kind == "reserve") return tell_ranks(kept_.room(*lease_user_, lease_origin_, message));
  if (kind == "calls") {
    log_.take(lease_->number(), rank, message);
    if (rank == 0) kept_.take(lease_origin_, message);
    last_used_ = Clock::now();
    watch_->take(rank, message);
    check_calls();
    return;
  }
  if (started_.has_failed()) return;  // What ranks say now follows from that.
  lease_->take(rank, message);
  tell_end();
  // Whoever has asked for the end of the lease may not have waited for it.
  if (lease_->fault() || (lease_->is_over() && !is_ending_lease_)) finish_lease();
  changed_.notify_all();
}

void RoutineProcesses::lose(int rank, const std::shared_ptr<Socket>& connection) {
  Lock lock(mutex_);
  if (started_.members().is_of(rank, connection)) lose(lock, rank, true);
}

void RoutineProcesses::lose(Lock& lock, int rank, bool is_to_wait) {
  if (!started_.lose(rank)) return;  // It follows from the end of the first one.
  kept_.forget_all();
  changed_.notify_all();
  const std::int64_t number = lease_ ? lease_->number() : 0;
  const auto begin = Clock::now();
  if (lease_ && is_to_wait) {  // The systems of the others answer, if they are there.
    started_.members().tell_all({{"message", "ask"}, {"lease", number}}, [](int) { return true; });
  }
  const auto is_under_way = [&] {
    return lease_ && lease_->number() == number && started_.has_failed();
  };
  const auto is_over = [&] {
    return !is_to_wait || is_stopped_ || started_.knows_why(Clock::now() - begin);
  };
  while (is_under_way() && !is_over()) {
    changed_.wait_for(lock, check_interval);
  }
  if (!is_under_way()) return;
  lease_->fail(started_.fault_of_loss());
  finish_lease();
}

json RoutineProcesses::lease(Socket& client, LeaseRequest request) {
  Lock lock(mutex_);
  check_not_stopped();
  check_queue();
  const std::int64_t number = queue(lock, request);
  const auto leave = [&] {
    changed_.notify_all();
    return turns_.remove(number);
  };
  try {
    await_turn(lock, number, client);
    if (request.current_user) request.user = request.current_user();
  } catch (const Retired&) {
    leave();
    log_.close(number, CallState::done);  // It is queued elsewhere.
    throw;
  } catch (const error& fault) {
    const bool is_cancelled = leave() || client.has_ended();
    log_.close(number, is_cancelled ? CallState::cancelled : CallState::failed, fault.happened());
    throw;
  }
  leave();
  return issue_lease(number, request);
}

void RoutineProcesses::await_turn(Lock& lock, std::int64_t turn, Socket& client) {
  const auto check_client = [&] {
    if (client.has_ended()) throw error("call", "the client has gone", "call again");
    if (const auto fault = turns_.fault_of(turn)) throw_fault(*fault);
  };
  while (true) {
    check_client();
    check_not_stopped();
    const bool is_next = turns_.is_next(turn) && !is_ending_lease_;
    if (is_next && !lease_) break;
    if (is_next) {
      const auto is_given_up = [&] { return turns_.fault_of(turn) || client.has_ended(); };
      end_lease(lock, [&] { return is_draining_ || is_given_up(); });
    } else {
      changed_.wait_for(lock, check_interval);
    }
  }
  if (started_.must_restart()) restart();
  await_ranks(lock, check_client);
}

void RoutineProcesses::await_ranks(Lock& lock, const std::function<void()>& check) {
  while (true) {
    check();
    check_not_stopped();
    if (started_.members().have_all_joined() && !started_.has_failed()) return;
    started_.check_joins();
    changed_.wait_for(lock, check_interval);
  }
}

json RoutineProcesses::issue_lease(std::int64_t number, const LeaseRequest& request) {
  tell_discards();
  lease_.emplace(number, ranks());
  pulse_.begin();
  watch_.emplace(fmt::format("call {}", module_.name),
                 watch_limits(program_.limits, *request.user, request.is_staged), ranks());
  log_.open(number, ranks(), request.is_staged);
  last_used_ = Clock::now();
  lease_user_ = request.user;
  lease_origin_ = request.origin;
  const std::int64_t most_bytes = call_most_bytes(program_.limits, *request.user);
  json leased = {{"message", "leased"},
                 {"lease", number},
                 {"call_most_bytes", most_bytes},
                 {"keep_limit_bytes", program_.keep_limit_bytes},
                 {"ranks", json::array()}};
  json order = lease_order(request, {number, most_bytes, program_.limits.client_most_s,
                                     std::exchange(gone_clients_, {})});
  if (order.contains("kept_quota")) leased["kept_quota"] = order["kept_quota"];
  for (int rank = 0; rank < ranks(); ++rank) {
    const std::string ticket = make_secret();
    const Endpoint address = started_.members().address_of(rank);
    leased["ranks"].push_back({{"host", address.host}, {"port", address.port}, {"ticket", ticket}});
    order["ticket"] = ticket;
    started_.members().tell(rank, order);
  }
  return leased;
}

bool RoutineProcesses::cancel(const CallPlace& call, const std::string& by) {
  Lock lock(mutex_);
  const LeaseFault fault{fmt::format("call {}", module_.name),
                         fmt::format("it was cancelled by {}", by), "ask them, or call again", true,
                         cancelled_kind};
  if (turns_.cancel(call.lease, fault)) {
    changed_.notify_all();
    return true;
  }
  const auto is_under_way = [&] {
    return lease_ && lease_->number() == call.lease && !is_stopped_;
  };
  while (cancellation_ && is_under_way()) changed_.wait_for(lock, check_interval);
  if (!is_under_way()) return false;
  cancellation_ = {call.lease, call.call, fault};
  // If it is not the last one, it has ended; once all ranks are counted, they end by themselves.
  await_lease_end(lock, call.lease,
                  [&] { return lease_->is_counted() && lease_->last_call() > call.call; });
  return std::exchange(cancellation_, std::nullopt)->is_done;
}

void RoutineProcesses::forget(std::int64_t client_number) {
  const Lock lock(mutex_);
  gone_clients_.push_back(client_number);
  kept_.forget_client(client_number);
}

void RoutineProcesses::tell_ranks(const json& message) {
  started_.members().tell_all(message,
                              [this](int rank) { return !lease_ || !lease_->has_ended(rank); });
}

void RoutineProcesses::end_lease(Lock& lock, const std::function<bool()>& is_left) {
  const std::int64_t number = lease_->number();
  const auto is_under_way = [&] { return lease_ && lease_->number() == number; };
  std::optional<Clock::time_point> deadline;
  const auto wait_while = [&](auto is_true) {
    while (is_under_way() && is_true() && !is_stopped_ && !is_left()) {
      changed_.wait_for(lock, check_interval);
      if (is_under_way()) fail_unwanted(deadline);
    }
  };
  is_ending_lease_ = true;
  hold_ranks();
  wait_while([&] { return !lease_->is_over(); });  // Once all are counted, `take` tells them.
  if (is_under_way() && !is_left() && lease_->is_over()) {
    if (is_cancelled() && lease_->last_call() < cancellation_->call) {
      LeaseFault fault = cancellation_->fault;
      fault.spoils_ranks = false;  // Its client has the ranks, and has not called yet.
      lease_->fail(std::move(fault));
      cancellation_->is_done = true;
    }
    finish_lease();
  }
  is_ending_lease_ = false;
  changed_.notify_all();
}

void RoutineProcesses::await_lease_end(Lock& lock, std::int64_t number,
                                       const std::function<bool()>& is_left) {
  while (lease_ && lease_->number() == number && !is_stopped_ && !is_left()) {
    if (is_ending_lease_) {
      changed_.wait_for(lock, check_interval);
    } else {
      end_lease(lock, is_left);
    }
  }
}

bool RoutineProcesses::is_cancelled() const {
  return cancellation_ && cancellation_->lease == lease_->number() &&
         lease_->last_call() <= cancellation_->call;
}

void RoutineProcesses::hold_ranks() {
  const std::int64_t number = lease_->number();
  const bool at_once = is_given_up() || is_cancelled();
  if (!lease_->hold(at_once)) return;
  tell_ranks({{"message", "hold"}, {"lease", number}, {"has_client_gone", at_once}});
}

void RoutineProcesses::fail_unwanted(std::optional<Clock::time_point>& deadline) {
  const bool is_to_be_cancelled = is_cancelled();
  if (started_.has_failed()) return;  // lose() fails the lease.
  if (!is_given_up() && !is_to_be_cancelled) return;
  hold_ranks();
  tell_end();
  if (!deadline) deadline = Clock::now() + given_up_wait;
  if (Clock::now() < *deadline) return;
  // Without a call the ranks end by themselves, once they have freed what the last one had.
  const bool is_last_call_cancelled =
      is_to_be_cancelled && lease_->is_counted() && lease_->last_call() == cancellation_->call;
  const bool is_idle = !is_last_call_cancelled && !watch_->is_busy();
  if (is_idle && Clock::now() < *deadline + idle_given_up_wait) return;
  if (is_to_be_cancelled) {
    lease_->fail(cancellation_->fault);
    cancellation_->is_done = true;
  } else {
    lease_->fail({fmt::format("call {}", module_.name), "its client has given it up", "call again",
                  true, given_up_kind});
  }
  finish_lease();
}

void RoutineProcesses::finish_lease() {
  const std::optional<LeaseFault> fault = lease_->fault();
  outcomes_[lease_->number()] = {lease_->last_call(), fault};
  if (fault) {
    log_.close(lease_->number(), fault->is_cancelled ? CallState::cancelled : CallState::failed,
               fault->happened);
  } else {
    log_.close(lease_->number(), CallState::done);
  }
  lease_.reset();
  changed_.notify_all();
  last_used_ = Clock::now();
  if (!fault || !fault->spoils_ranks || is_stopped_ || is_retired_) return;
  started_.fail();
  try {
    restart();
  } catch (const error& other) {
    base::report(other.what());  // The next call tries again and tells its client.
  }
}

LeaseOutcome RoutineProcesses::settle(std::int64_t number) {
  Lock lock(mutex_);
  given_up_ = std::max(given_up_, number);
  await_lease_end(lock, number);
  const auto found = outcomes_.find(number);
  if (found == outcomes_.end()) {
    const LeaseFault fault{"end a lease", "the server is ending", "start it again"};
    return {lease_ ? lease_->last_call() : 0, fault};
  }
  LeaseOutcome outcome = std::move(found->second);
  outcomes_.erase(found);
  return outcome;
}

}  // namespace tasuki::rpc
