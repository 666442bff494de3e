// The errors of a module whose ranks have ended, do not answer, or have never come, and why a
// server ends them.
//
// Made by the module's processes, for the clients whose calls fail, and for operators.
// Thread-safety: pure functions.
#pragma once

#include <optional>
#include <string>
#include <tasuki/error.hpp>
#include <vector>

#include "rpc/server/lease_state.hpp"
#include "rpc/server/process_end.hpp"
#include "rpc/server/rank_members.hpp"

namespace tasuki::rpc {

inline constexpr const char* printed_remedy = "read what the server has printed";

struct LostRank {
  int rank = 0;
  std::string host;  ///< As of RankMembers::host_of.
};

/// `end` is how the program, or the launcher of its ranks, has ended: launchers end as a rank has.
LeaseFault lost_rank(const std::string& module, const LostRank& lost,
                     const std::optional<ProcessEnd>& end);

/// `told` is what the launcher has printed of the hosts and their ranks.
LeaseFault vanished_hosts(const std::string& module, const std::string& told);

LeaseFault silent_rank(const std::string& module, const LostRank& silent, double silence_s);

/// Hosts of which no rank answers.
struct SilentHosts {
  std::vector<RankHost> vanished = {};  ///< Their systems do not answer either.
  std::vector<RankHost> stopped = {};   ///< The others.
  /// The name of the front end's own host if all others with ranks have vanished, else "".
  std::string cut_off = {};
};

LeaseFault silent_hosts(const std::string& module, const SilentHosts& hosts, double silence_s);

/// `printed` are the program's last lines, or "".
error failed_start(const std::string& module, const std::optional<ProcessEnd>& end,
                   const std::string& printed);

[[noreturn]] void throw_fault(const LeaseFault& fault);

/// Tells operators why the server ends the ranks; the launcher only says that it was told to end.
std::string end_notice(const std::string& module, const char* reason);

}  // namespace tasuki::rpc
