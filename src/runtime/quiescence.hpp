// Waiting until no call is under way anywhere: Mattern's four-counter method (1987), in rounds that
// only news begins.
//
// Each round sums the calls sent and done over all ranks. When two rounds in a row find the same
// sums, and as many calls done as sent, nothing was under way between them. When they are the same
// but calls are missing, all ranks sleep until one of them has sent or done a call; it tells rank
// 0, which calls everybody to the next round. So ranks whose last calls wait for ever are idle, and
// the hang report sees that.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <array>
#include <cstdint>
#include <tasuki/runtime/record.hpp>

namespace tasuki::runtime {

class Quiescence {
 public:
  explicit Quiescence(World& world) : world_(world) {}

  /// Returns when all calls of all ranks, and the calls they made, are done. Collective.
  void wait();

 private:
  using Counts = std::array<std::uint64_t, 2>;  ///< Calls sent, calls done.

  Counts counts() const noexcept;
  Counts sum(const Counts& mine);
  /// Waits until this rank's counts are no longer `mine`, or another rank's are.
  void wait_for_news(const Counts& mine);
  void want_round(std::uint64_t round);
  static void handle_wanted_round(World& world, int source, Reader& reader);

  World& world_;
  std::uint64_t round_ = 0;  ///< Rounds done; the same on all ranks between two rounds.
  std::uint64_t wanted_round_ = 0;
};

}  // namespace tasuki::runtime
