// The processes of one module's program: started, joined, leased to one client at a time, and
// started again after a failure.
//
// Owned by the front end. Thread-safety: any thread; each connection has one.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tasuki/error.hpp>
#include <vector>

#include "rpc/interface/module.hpp"
#include "rpc/server/call_log.hpp"
#include "rpc/server/call_watch.hpp"
#include "rpc/server/kept_table.hpp"
#include "rpc/server/lease_request.hpp"
#include "rpc/server/lease_state.hpp"
#include "rpc/server/module_state.hpp"
#include "rpc/server/program_kept.hpp"
#include "rpc/server/routine_program.hpp"
#include "rpc/server/started_program.hpp"
#include "rpc/server/turns.hpp"
#include "rpc/server/user.hpp"
#include "rpc/server/users.hpp"
#include "rpc/wire/pulse.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// How a lease ended: after which call, and what has gone wrong, if anything.
struct LeaseOutcome {
  std::int64_t last_call = 0;
  std::optional<LeaseFault> fault = {};
};

/// Other ranks have taken the place of these: a lease has to be asked of them.
class Retired : public error {
 public:
  Retired() : error("call", "the server has other routines now", "connect again") {}
};

class RoutineProcesses {
 public:
  using IsMeant = std::function<bool(const User&)>;

  /// Requires: log and table outlive it.
  RoutineProcesses(Module module, RoutineProgram program, CallLog& log, KeptTable& kept);

  const Module& module() const noexcept { return module_; }
  const std::string& key() const noexcept { return program_.key; }
  int ranks() const noexcept { return program_.ranks; }
  const nlohmann::json& documentation() const noexcept { return program_.documentation; }
  ModuleState state() const;
  std::int64_t revision() const noexcept { return program_.revision; }
  /// Throws tasuki::error if there is no such program.
  void start();
  /// Waits until all ranks have joined. Throws tasuki::error if the program ends before.
  void await_start();
  /// Returns: 0 if nobody has the ranks or waits for them; the more, the longer another would wait.
  std::size_t load();
  /// Ends a call that must be ended, and a program of which a rank does not answer. To be called
  /// about each second at least; waits for no rank.
  void watch_calls();
  /// Ends the program if nobody has called for as long as the limit says, and the lease of a user
  /// whose quota is used up; frees what is to be freed. To be called again and again; waits for
  /// ranks for a moment alone.
  void keep_house();
  /// Gives the ranks to no one any more. Returns when the calls under way have ended.
  void drain();
  /// The same; whoever waits for the ranks then is told by Retired.
  void retire();
  bool is_retired();
  /// Lets no client of a user wait who is none any more, and ends the lease of one, or of one whose
  /// limits are others now: its client has to ask again. Waits for a call under way.
  void revoke(const Users& users);
  /// Ends the lease of a user who is meant, but waits for a call under way for a moment alone, and
  /// for ranks that say nothing for some seconds; the lease ends by itself then.
  void end_lease_soon_if(const IsMeant& is_meant);
  /// Ends a lease: then the ranks have told all of its calls. Its client gets another one with its
  /// next call.
  void take_back(std::int64_t lease);
  /// The client of a lease holds up the front end, through which its arrays pass: if the lease is
  /// under way, it fails as when a client holds up the ranks. They are started anew if one of them
  /// has begun the call.
  void fail_slow_lease(std::int64_t number, bool has_begun);
  /// Asks the program to end. From now on every wait fails, and no program is started again.
  void stop();
  /// Ends the program, whatever it computes. Requires: stop() before.
  void end();

  /// A process joins by this connection. Returns when the connection has ended.
  void serve(const std::shared_ptr<Socket>& connection, const nlohmann::json& message);

  /// Leases the ranks to the client, once all who have asked before have had them. Returns: the
  /// number of the lease, and for each rank where it waits and a ticket. Throws tasuki::error if
  /// the ranks cannot be started, or the client goes; NamedError; Retired.
  nlohmann::json lease(Socket& client, LeaseRequest request);
  /// The client has gone: the ranks free what they keep for it.
  void forget(std::int64_t client_number);
  /// Ends a call that waits for the ranks, or on which they work; its client is told by whom.
  /// Returns: false if it has ended before.
  bool cancel(const CallPlace& call, const std::string& by);
  /// Frees an array or an object, after the call under way. `happened` is why, for calls that name
  /// it later.
  void discard(const std::string& name, const std::string& happened);
  /// The same, but returns at once: keep_house() sees to it.
  void begin_to_discard(const std::string& name, const std::string& happened);
  /// Ends a lease that its client has given up, and forgets it. Returns: how it ended, be it now
  /// or before.
  LeaseOutcome settle(std::int64_t number);

 private:
  using Lock = std::unique_lock<std::mutex>;
  /// What somebody wants to end.
  struct Cancellation {
    std::int64_t lease = 0;
    std::int64_t call = 0;
    LeaseFault fault = {};
    bool is_done = false;
  };

  /// Throws tasuki::error if the process that joins is none of these ranks, or there already. Of
  /// two that join as one rank at a time, the second one finds the first.
  void join(const std::shared_ptr<Socket>& connection, const nlohmann::json& join);
  void take(int rank, const std::shared_ptr<Socket>& connection, const nlohmann::json& message);
  void lose(int rank, const std::shared_ptr<Socket>& connection);
  /// May wait for the program to end, to say how: launchers end after their processes.
  void lose(Lock& lock, int rank, bool is_to_wait);
  /// Ends the lease under way; waits for the call under way, unless its client has given up. Leaves
  /// it to others once `is_left` says so.
  void end_lease(
      Lock& lock, const std::function<bool()>& is_left = [] { return false; });
  /// The same, but waits for a call under way for a moment alone, and for `silence_most` for ranks
  /// that have not said how many calls they have begun. The lease ends by itself then.
  void end_lease_soon(Lock& lock, std::chrono::milliseconds silence_most);
  void finish_lease();
  /// Ends the lease under way if it is still that one, or waits while others do; as `end_lease`.
  void await_lease_end(
      Lock& lock, std::int64_t number, const std::function<bool()>& is_left = [] { return false; });
  /// Fails the lease if nobody waits for its call any more, and the ranks do not end it in time.
  void fail_unwanted(std::optional<std::chrono::steady_clock::time_point>& deadline);
  /// Does somebody want to end the last call that has begun, or one that may still begin?
  bool is_cancelled() const;
  /// Lets the ranks begin no other call; at once, if nobody waits for one.
  void hold_ranks();
  bool is_given_up() const { return given_up_ >= lease_->number(); }
  /// Once all ranks are counted, tells them after which call they end.
  void tell_end() {
    if (const auto until = lease_->until(is_given_up())) tell_ranks(*until);
  }
  /// Waits until all ranks have joined. Throws tasuki::error if they do not, and what `check`
  /// throws, which is called now and then.
  void await_ranks(Lock& lock, const std::function<void()>& check);
  nlohmann::json issue_lease(std::int64_t number, const LeaseRequest& request);
  /// Returns once all who have asked before have had the ranks, and these have joined.
  void await_turn(Lock& lock, std::int64_t turn, Socket& client);
  /// To all ranks on which no lease is, or has not ended.
  void tell_ranks(const nlohmann::json& message);
  void end_program(const char* reason);
  void restart();
  void check_not_stopped() const;
  /// Throws NamedError if too many wait.
  void check_queue() const;
  /// Returns: the number of the lease for which the client waits from now on. Throws NamedError if
  /// a quota of the user is used up.
  std::int64_t queue(Lock& lock, const LeaseRequest& request);
  bool has_used_up_calls(const User& user) const;
  void end_if_idle(Lock& lock);
  /// Ends the lease if the ranks keep something that is to be freed, and tells them.
  void free_unwanted(Lock& lock);
  /// Requires: the ranks are leased to nobody.
  void tell_discards();
  /// Fails the lease if a call under way must be ended.
  void check_calls();
  /// The same if a rank does not answer; asks those that have said nothing for some time.
  void check_ranks();

  const Module module_;
  const RoutineProgram program_;
  CallLog& log_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  // Guarded by mutex_:
  ProgramKept kept_;
  StartedProgram started_;
  Pulse pulse_;
  Turns turns_;
  std::optional<LeaseState> lease_;
  std::optional<CallWatch> watch_;          ///< Of the lease.
  std::shared_ptr<const User> lease_user_;  ///< Whose the lease is, or was.
  CallOrigin lease_origin_;
  bool is_ending_lease_ = false;
  std::int64_t given_up_ = 0;  ///< The last lease whose client waits for no call any more.
  std::optional<Cancellation> cancellation_;       ///< Of a call under way.
  std::map<std::int64_t, LeaseOutcome> outcomes_;  ///< Until the clients have asked.
  std::vector<std::int64_t> gone_clients_;         ///< That the ranks have not heard of.
  bool is_draining_ = false;
  bool is_retired_ = false;
  bool is_stopped_ = false;
  std::chrono::steady_clock::time_point last_used_ = std::chrono::steady_clock::now();
};

}  // namespace tasuki::rpc
