// Builds a schedule step by step: what the algorithms write with.
//
// Within a round the order of sends and receives is free, but transfers between the same two
// ranks match in the order given. Local steps belong to the end of the round.
// Thread-safety: none; one per call of an algorithm.
#pragma once

#include <cstddef>
#include <vector>

#include <tasuki/detail/coll/schedule.hpp>

namespace tasuki::coll {

class ScheduleBuilder {
 public:
  /// Room for `count` elements of scratch, distinct from what was given before.
  Slice scratch(std::size_t count);

  /// A transfer of this round. Empty slices are dropped: both sides know that there is nothing.
  void send(int peer, Slice from);
  void receive(int peer, Slice into);
  /// A transfer of no data that is nevertheless carried out.
  void signal(int peer);
  void await_signal(int peer);

  /// Local steps after the transfers of this round. Empty slices are dropped.
  /// Requires: from.count == to.count.
  void local(LocalKind kind, Slice from, Slice to);
  void copy(Slice from, Slice to) { local(LocalKind::copy, from, to); }
  void reduce(Slice from, Slice to) { local(LocalKind::reduce, from, to); }
  void reduce_right(Slice from, Slice to) { local(LocalKind::reduce_right, from, to); }

  /// Ends the round; a round without any step leaves no trace.
  void next_round();

  /// Ends the last round and hands the schedule out. What a first round only copies from the input
  /// is sent from there by the second, which then does the copies too, if nothing stands in the
  /// way: they delay no message, and peers that fetch the data find them in lines not just written.
  Schedule finish();

 private:
  void merge_first_copies();
  void number_transfers();

  Schedule schedule_;
  std::vector<Transfer> receives_;  ///< Of the open round, like `sends_`.
  std::vector<Transfer> sends_;
};

}  // namespace tasuki::coll
