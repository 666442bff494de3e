// The modules that a server offers now, and those whose calls have still to end.
//
// Owned by the front end, which gives it other modules when it reloads. Thread-safety: any thread;
// one at a time replaces.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "rpc/server/call_log.hpp"
#include "rpc/server/kept_table.hpp"
#include "rpc/server/routine_processes.hpp"
#include "rpc/server/served_module.hpp"
#include "rpc/server/server_options.hpp"
#include "rpc/server/user.hpp"
#include "rpc/server/users.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

/// One of the groups of ranks that serve a module.
using RankGroup = std::shared_ptr<RoutineProcesses>;

/// What is offered at one time.
struct OfferedModules {
  std::int64_t revision = 0;      ///< Grows when an interface changes.
  std::vector<RankGroup> groups;  ///< Those of one module follow one another.
};

/// What other modules have changed.
struct ModuleChanges {
  std::vector<std::string> begun;     ///< Modules that are new, or have another program.
  std::vector<std::string> ended;     ///< Modules that are not there any more.
  std::vector<std::string> happened;  ///< Why modules are still the old ones.
};

class ModuleTable {
 public:
  /// Requires: log and table of what is kept outlive it.
  ModuleTable(Endpoint front_end, const ModuleLimits& limits, int pools_count, CallLog& log,
              KeptTable& kept)
      : front_end_(std::move(front_end)),
        limits_(limits),
        pools_(pools_count),
        log_(log),
        kept_(kept) {}
  ~ModuleTable() { end(); }
  ModuleTable(const ModuleTable&) = delete;
  ModuleTable& operator=(const ModuleTable&) = delete;

  /// Offers the first modules and starts the warm ones. Throws tasuki::error if a program or an
  /// interface is no good.
  void offer(const std::vector<ServedModule>& modules);
  /// Offers these from now on: what has not changed goes on, the ranks of the others end after the
  /// calls under way. A warm module whose ranks do not start stays what it was.
  ModuleChanges replace(const std::vector<ServedModule>& modules);
  OfferedModules offered() const;
  const ModuleLimits& limits() const noexcept { return limits_; }
  /// Ends a call of any group, offered or not any more. Returns: false if it has ended before.
  bool cancel(const CallPlace& call, const std::string& by);
  /// Frees what a program keeps, after the call under way. `happened` is for later calls.
  void discard(const std::string& program, const std::string& name,
               const std::string& happened) const;
  /// The same, but returns at once: keep_house() ends the lease and tells the ranks.
  void begin_to_discard(const std::string& program, const std::string& name,
                        const std::string& happened) const;
  /// Returns: the group whose ranks join with this key, offered or not yet or not any more; nullptr
  /// if there is none. It takes the same time for each wrong key.
  RankGroup find_key(std::string_view key) const;
  /// The same by the key's identity (identity_of), which is no secret.
  RankGroup find_identity(std::string_view identity) const;
  /// Lets clients of users who are none any more not wait, and ends the leases of these, and of
  /// users whose limits have changed, once their calls under way have ended. Requires: `users`
  /// outlives it.
  void revoke(const Users& users);
  /// Ends the leases of a user's clients that do not call now, if the user may have no other one.
  void make_room_for(const User& user);
  /// Ends programs that nobody needs.
  void keep_house();
  /// Gives ranks to no one any more. Returns when the calls under way have ended.
  void drain();
  /// Ends all programs, whatever they compute. From now on every wait for ranks fails.
  void end();

 private:
  struct Entry {
    ServedModule served;
    std::vector<RankGroup> groups;
  };
  /// What has to wait for calls to end.
  struct Task {
    std::vector<RankGroup> groups;  ///< That are not offered any more.
    std::atomic<bool> is_over = false;
    std::thread thread = {};
  };
  using Work = std::function<void(const std::vector<RankGroup>& groups)>;

  Entry make(const ServedModule& module, std::int64_t revision);
  /// Requires: mutex_ is held. Returns: nullptr if there is none.
  Entry* find(const std::string& name);
  /// Returns: false if nothing has changed. Throws tasuki::error if it stays what it was.
  bool replace_one(const ServedModule& module);
  /// Waits until the ranks of a warm module are there. Throws tasuki::error if they do not start.
  Entry make_ready(const ServedModule& module, std::int64_t revision);
  void forget_starting();
  /// Lets the calls under way end, and then the ranks.
  void retire(std::vector<RankGroup> groups);
  /// Does the work on a thread; on this one if no thread is to be had.
  void begin_task(std::vector<RankGroup> groups, const Work& work);
  void forget_tasks();
  std::vector<RankGroup> all() const;

  const Endpoint front_end_;
  const ModuleLimits limits_;
  const int pools_;
  CallLog& log_;
  KeptTable& kept_;
  mutable std::mutex mutex_;
  // Guarded by mutex_:
  std::int64_t revision_ = 1;
  std::vector<Entry> entries_;
  std::vector<RankGroup> starting_;  ///< Not offered yet.
  std::vector<std::shared_ptr<Task>> tasks_;
  bool is_ending_ = false;
  bool is_draining_ = false;  ///< No new ranks take the place of others.
};

}  // namespace tasuki::rpc
