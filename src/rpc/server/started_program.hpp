// A module's program while it runs: started, joined by its ranks, and started again when nobody
// knows what its processes do.
//
// Owned by the module's processes, who lease its ranks. Thread-safety: none; its owner's mutex
// guards it.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tasuki/error.hpp>
#include <utility>

#include "rpc/server/process_end.hpp"
#include "rpc/server/process_group.hpp"
#include "rpc/server/rank_faults.hpp"
#include "rpc/server/rank_members.hpp"
#include "rpc/server/routine_program.hpp"
#include "rpc/wire/pulse.hpp"
#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

class StartedProgram {
 public:
  using Clock = std::chrono::steady_clock;

  /// `module` is its name, for errors. Requires: `program` outlives it.
  StartedProgram(const RoutineProgram& program, std::string module)
      : program_(program), module_(std::move(module)), members_(program.ranks) {}

  /// Throws tasuki::error if there is no such program.
  void start();
  /// Ends it, whatever it computes, and forgets what has gone wrong. Operators read the reason.
  void end(const char* reason);
  /// The same, but its ranks are still known, whose threads tell of them.
  void end_processes(const char* reason);
  /// Returns: does nothing run?
  bool has_ended() noexcept { return processes_.has_ended(); }
  /// Returns: how the program has ended by itself; nothing if it runs, or none has been started.
  std::optional<ProcessEnd> how_ended() noexcept { return processes_.how_ended(); }
  /// Notes that nobody knows any more what its processes do.
  void fail() noexcept { has_failed_ = true; }
  bool has_failed() const noexcept { return has_failed_; }
  /// Has it to be started anew before it can be leased?
  bool must_restart() noexcept { return has_failed_ || processes_.has_ended(); }
  /// Throws tasuki::error if ranks that have not joined will not: it has failed then.
  void check_joins();

  /// Throws tasuki::error if the process that joins is none of these ranks.
  void check_join(const nlohmann::json& join);
  void join(int rank, std::shared_ptr<Socket> connection, const nlohmann::json& join);
  /// Forgets a rank whose process has ended, or whose state nobody knows. Returns: is it the first
  /// fault of this program?
  bool lose(int rank);
  /// Returns: has the program ended and said why, or is there no more sense in waiting for that?
  /// `waited` is for how long the first rank has been lost.
  bool knows_why(Clock::duration waited);
  /// Why calls fail since the first rank was lost. Requires: one was.
  LeaseFault fault_of_loss();
  /// The same where a rank has not answered for so long. Requires: all are there.
  LeaseFault fault_of_silence(const Pulse& pulse, double silence_s) const;
  /// Ends the connections of all, of which their threads take notice.
  void shut_down() const { members_.shut_down(); }
  const RankMembers& members() const noexcept { return members_; }

 private:
  /// Returns: the other hosts of which each rank that is there is silent.
  SilentHosts silent_hosts_of(const std::function<bool(int rank)>& is_silent) const;
  /// For how long at most the program may take to end once the first rank is lost.
  std::chrono::seconds loss_wait() const;
  /// What all processes tell, be they ranks of this program or not.
  void check_types(const nlohmann::json& join);
  [[noreturn]] void refuse_join(const std::string& happened, const std::string& remedy);

  const RoutineProgram& program_;
  const std::string module_;
  ProcessGroup processes_;
  RankMembers members_;
  bool has_failed_ = false;
  std::optional<error> join_fault_;                  ///< Why a process could not join.
  LostRank lost_;                                    ///< The first one.
  bool has_other_hosts_ = false;                     ///< When that one was lost.
  std::optional<Clock::time_point> words_deadline_;  ///< Once it has ended.
};

}  // namespace tasuki::rpc
