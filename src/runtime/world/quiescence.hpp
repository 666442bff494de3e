// Waiting until nothing is under way, anywhere or among the ranks of a team: Mattern's four-counter
// method (1987), in rounds that only news begins.
//
// Each round sums what the ranks have begun for each other and what they have seen done: calls,
// reads and writes of other ranks' memory, and what threads hand over to their rank. When two
// rounds in a row find the same sums, and as much done as begun, nothing was under way between
// them. When they are the same but something is missing, the ranks sleep until one of them has
// begun or done something; it tells the first rank, which calls everybody to the next round. So
// ranks whose last calls wait for ever are idle, and the hang report sees that.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <array>
#include <cstdint>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/team.hpp>
#include <unordered_map>

namespace tasuki::runtime {

class Quiescence {
 public:
  Quiescence(Rank& self, RankCollectives& collectives, ThreadWorks& thread_works);

  /// Returns when all calls of all ranks, the calls they made, and what they wrote and read are
  /// done. Collective.
  void wait();
  /// The same of what the ranks of the team have begun for each other. Collective over the team.
  void wait(const Team& team);
  /// As the first, and no rank has sent a record that another has not handled: none is sent after
  /// this either. Threads that no rank has started can hand nothing over any more. Collective.
  void close();
  /// Has the main function of this rank returned?
  bool is_closing() const noexcept { return is_closing_; }
  /// Is nothing of the program left on any rank? Then the library's own records are only answered.
  bool is_settled() const noexcept { return is_settled_; }

 private:
  /// Begun and done: what the program does, then the library's own records.
  using Counts = std::array<std::uint64_t, 4>;
  static constexpr Counts never_seen{1, 0, 0, 0};
  /// Is as much done as begun?
  static bool program_is_done(const Counts& sums) noexcept { return sums[0] == sums[1]; }
  static bool service_is_done(const Counts& sums) noexcept { return sums[2] == sums[3]; }
  static bool same_program(const Counts& a, const Counts& b) noexcept {
    return a[0] == b[0] && a[1] == b[1];
  }

  /// Those of this rank with the ranks of the team.
  Counts counts(const TeamState& team) const noexcept;
  Counts sum(const Team& team, const Counts& mine);
  /// Sums until two rounds, of which the one before found `before`, find the same of the program,
  /// and all of it done. Returns: the sums.
  Counts settle(const Team& team, Counts before);
  /// Waits until this rank's counts are no longer `mine`, or another rank's are.
  void wait_for_news(const Team& team, const Counts& mine);
  /// The team lives until all its ranks are told.
  void want_round(Team team, std::uint64_t round);
  static void handle_wanted_round(Rank& self, int source, Reader& reader);

  Rank& self_;
  RankCollectives& collectives_;
  ThreadWorks& thread_works_;
  std::unordered_map<std::uint64_t, Team> waiting_;  ///< Teams whose ranks wait, by id.
  bool is_closing_ = false;
  bool is_settled_ = false;
};

}  // namespace tasuki::runtime
