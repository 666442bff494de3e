// The staging buffer: where the ranks of one node put data for each other, step by step, without
// messages.
//
// All collectives in node memory are made of it. Each team on one node has its own. Its steps are
// numbered from 0, alike on all ranks. In each step a rank may stage some data and may read what
// others staged; small data lie in the same cache line as the step's number.
//
// The slots of a rank form a ring of 16: step s uses the slot of step s - 16. Usually a rank that
// publishes step t has read what it wanted of the steps up to t - 2, so the slot is free for step s
// when all ranks have published step s - 14. A rank that has a core of its own and has to wait
// waits for step s - 7, so that its next steps need not wait. A collective may let its reads lag
// behind by up to seven steps (Turn); the slots that it used are then free when all have published
// step s - 9. Beside the number is a tag of what the rank calls, by which ranks notice that they
// call different things (collective_check.hpp compares more, in debug builds).
//
// Thread-safety: none; the rank's own thread. Collectives of several fibers take turns (Turn).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "node/segment/call_tag.hpp"
#include "node/segment/flag_wait.hpp"
#include "node/segment/members.hpp"
#include "node/segment/slots.hpp"

namespace tasuki::node {

class StagingBuffer {
 public:
  static constexpr std::size_t line_bytes = 64;
  /// What fits beside the number of the step.
  static constexpr std::size_t line_data_bytes = line_bytes - sizeof(std::uint64_t);

  /// How much of the transport's scratch it needs.
  static std::size_t bytes_for(int ranks) noexcept;
  /// Requires: `memory` has bytes_for(members.count()), zero at first, the same for all of them.
  StagingBuffer(Host& host, const Members& members, std::byte* memory);
  ~StagingBuffer();
  StagingBuffer(const StagingBuffer&) = delete;
  StagingBuffer& operator=(const StagingBuffer&) = delete;

  /// Places among the members, as everywhere here.
  int rank() const noexcept { return rank_; }
  int ranks() const noexcept { return ranks_; }
  const Members& members() const noexcept { return members_; }
  Host& host() const noexcept { return host_; }

  /// By how many steps reads may lag behind: a rank that publishes step t may not yet have read
  /// steps t - lag + 1 to t.
  static constexpr std::uint64_t usual_lag = 2;
  static constexpr std::uint64_t most_lag = 7;

  /// A collective's turn: it waits until those begun before are over on this rank. Its steps are
  /// first_step(), first_step() + 1, ...: as many as were asked for, on every rank. `lag` is at
  /// most most_lag, and the same on every rank.
  class Turn {
   public:
    Turn(StagingBuffer& buffer, std::uint64_t steps_count, CallTag tag, const char* what,
         std::uint64_t lag = usual_lag);
    Turn(StagingBuffer& buffer, std::uint64_t steps_count, const coll::Call& call,
         std::uint64_t lag = usual_lag)
        : Turn(buffer, steps_count, CallTag(call), coll::name_of(call.collective), lag) {
      buffer.call_ = &call;
    }
    /// Of a collective that takes no step, such as a barrier.
    Turn(StagingBuffer& buffer, const char* what);
    ~Turn() { ++buffer_.turns_ended_; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    std::uint64_t first_step() const noexcept { return first_step_; }

   private:
    StagingBuffer& buffer_;
    std::uint64_t first_step_;
  };

  /// Room for this rank's data of the step. Waits until nobody reads there any more.
  /// Requires: bytes <= slot_bytes.
  std::byte* open(std::uint64_t step, std::size_t bytes);
  /// Both places of the step, whatever the size: line_data_bytes beside its number, and a slot.
  std::byte* open_line(std::uint64_t step) { return open(step, line_data_bytes); }
  std::byte* open_slot(std::uint64_t step) { return open(step, slot_bytes); }
  /// The step's data, if there are any, are complete. All are told, for somebody may wait for
  /// this rank's flag only in a later step.
  void publish(std::uint64_t step) noexcept;
  /// All three in one: opens, copies `bytes` from `data`, publishes.
  void stage(std::uint64_t step, const std::byte* data, std::size_t bytes);
  /// What `rank` has staged in the step, once it has.
  const std::byte* await(int rank, std::uint64_t step, std::size_t bytes);
  const std::byte* await_line(int rank, std::uint64_t step) {
    return await(rank, step, line_data_bytes);
  }
  const std::byte* await_slot(int rank, std::uint64_t step) {
    return await(rank, step, slot_bytes);
  }

  /// This rank has copied what it wanted of the step out of the memory of `givers`, who wait for
  /// it.
  void note_taken(std::uint64_t step, std::span<const int> givers) noexcept;
  /// Waits until `rank` has called note_taken for the step.
  void await_taken(int rank, std::uint64_t step);

  /// The memory of this rank's heap that it has taken, or nullptr; whoever asks frees it.
  /// Requires: nobody uses the staging buffer any more.
  void* own_memory() const noexcept { return slots_[static_cast<std::size_t>(rank_)]; }

 private:
  static constexpr std::uint64_t slots_count = 16;
  static constexpr std::uint64_t steps_awaited_ahead = 7;
  static_assert(steps_awaited_ahead + most_lag <= slots_count);
  struct alignas(line_bytes) Line {
    std::uint64_t published;  ///< 1 + the step, above a CallTag.
    std::byte data[line_data_bytes];
  };

  /// Of each rank; in a line of its own.
  struct alignas(line_bytes) Taken {
    std::uint64_t steps_count;  ///< 1 + the last step for which it has called note_taken.
  };

  /// Begins a turn: returns when those begun before are over.
  void await_turn(const char* what);
  Line& line(int rank, std::uint64_t step) const noexcept;
  /// Where the rank's slots begin; for its own, they are made if need be.
  std::byte* slots(int rank);
  void wait_until_published(int rank, std::uint64_t step);
  /// Ends the job if `rank` called something else for the step than this rank.
  void compare(int rank, std::uint64_t step, std::uint64_t published) const;

  Host& host_;
  Members members_;
  FlagWait wait_;
  int rank_;
  int ranks_;
  Line* lines_;
  Taken* taken_;
  std::uint64_t* slots_addresses_;        ///< Of each rank, as that rank sees its own; shared.
  std::vector<std::byte*> slots_;         ///< The same, as this rank sees them; nullptr: not yet.
  std::vector<std::uint64_t> published_;  ///< By each rank, as far as this one knows.
  std::uint64_t next_step_ = 0;
  std::uint64_t lagging_until_step_ = 0;  ///< Reads of earlier steps may lag by most_lag.
  std::uint64_t turns_begun_ = 0;
  std::uint64_t turns_ended_ = 0;
  // Of the call whose turn it is:
  std::uint64_t turn_first_step_ = 0;
  CallTag tag_;
  const char* what_ = "";             ///< For hang reports.
  const coll::Call* call_ = nullptr;  ///< For errors; nullptr: only the tag is known.
};

}  // namespace tasuki::node
