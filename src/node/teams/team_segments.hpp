// The segments of teams that are made by split: who makes one, and when its memory may go.
//
// The flags and lines of a team lie in the shared heap of its first rank; every rank's slots lie in
// its own. None of this may be freed while another rank may read it, and ranks let go of a
// team at different times. So each counts itself out when it does; its memory is kept until all
// have, and is given back when this rank makes or lets go of a team the next time.
//
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "node/teams/node_segment.hpp"

namespace tasuki::node {

/// A segment in the heap of the team's first rank.
class TeamSegment {
 public:
  static std::size_t bytes_for(int ranks) noexcept;
  /// Requires: `memory` has bytes_for(members.count()), zero at first, the same for all of them.
  TeamSegment(Host& host, const Members& members, std::byte* memory);

 private:
  friend class TeamSegments;
  /// Only the ranks' counts of themselves; in a line of its own.
  struct alignas(64) Departures {
    std::uint64_t departed;  ///< Ranks that will not use the segment again.
    std::uint64_t freed;     ///< Of those, the ones that will not read this again.
  };

  Departures* departures_;

 public:
  NodeSegment segment;
};

class TeamSegments {
 public:
  explicit TeamSegments(Host& host) : host_(host) {}

  /// Memory for a segment, zeroed, on the team's first rank. Returns: nullptr if there is none.
  std::byte* allocate(int ranks);
  /// The segment in what the team's first rank has allocated at `address` (its own). Returns:
  /// nullptr if `address` is 0.
  std::unique_ptr<TeamSegment> make(const Members& members, std::uint64_t address);
  /// This rank has let go of the team.
  void retire(std::unique_ptr<TeamSegment> segment);
  /// Gives back what nobody reads any more.
  void sweep();
  /// NodeSegments whose memory is still kept.
  std::size_t retired_count() const noexcept { return retired_.size(); }

 private:
  /// Returns: has everything of it been given back?
  static bool give_back(const TeamSegment& segment);

  Host& host_;
  std::vector<std::unique_ptr<TeamSegment>> retired_;
};

}  // namespace tasuki::node
