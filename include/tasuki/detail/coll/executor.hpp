// The generic executor: carries a schedule out over a channel, driven by events.
//
// It never waits and never allocates: `advance` does what can be done now. A runtime that has
// several collectives in flight keeps one Execution for each and calls `advance` when one of them
// can go on. How messages travel is the channel's business.
//
// Thread-safety: none; one thread per object.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <tasuki/detail/coll/reduction.hpp>
#include <tasuki/detail/coll/schedule.hpp>

namespace tasuki::coll {

class Execution;

/// Carries the transfers of executions. `peer` and `sequence` are those of the Transfer: the
/// n-th send of this collective to a peer meets the peer's receive with the same sequence. Both
/// functions return true if the transfer is complete now; if they return false, the channel
/// calls `execution.transfer_done()` once, later or even inside this call.
class Channel {
 public:
  /// Over MPI, short messages are on their way while the receives are handed out. Measured:
  /// docs/design/collectives-over-mpi.md, "What saves time".
  static constexpr std::size_t sent_first_over_mpi_bytes = 257;

  /// Sends of less are handed out before the receives of their round. The others come after them,
  /// so that what arrives early already has its place.
  std::size_t sent_first_below_bytes = 0;

  /// `bytes` stay unchanged until the transfer is complete; then they may be overwritten.
  virtual bool send(Execution& execution, int peer, std::uint32_t sequence,
                    std::span<const std::byte> bytes) = 0;
  /// Complete when the message is in `into`, which it fills exactly.
  virtual bool receive(Execution& execution, int peer, std::uint32_t sequence,
                       std::span<std::byte> into) = 0;

 protected:
  ~Channel() = default;
};

/// The memory and the operation that a schedule is run on. `scratch` has room for
/// schedule.scratch_count elements and is aligned for them; input may be null if it has none.
struct Buffers {
  const std::byte* input = nullptr;
  std::byte* output = nullptr;
  std::byte* scratch = nullptr;
  std::size_t element_bytes = 1;
  const ReduceOp* op = nullptr;  ///< Null if the collective does not reduce.
};

class Execution {
 public:
  /// All three, and what `buffers` points to, must outlive the execution.
  Execution(const Schedule& schedule, const Buffers& buffers, Channel& channel) noexcept
      : schedule_(schedule),
        channel_(channel),
        op_(buffers.op),
        // No step writes to the input: the builder refuses it.
        bases_{const_cast<std::byte*>(buffers.input), buffers.output, buffers.scratch},
        element_bytes_(buffers.element_bytes),
        round_(schedule.rounds.data()),
        rounds_end_(round_ + schedule.rounds.size()),
        transfer_(schedule.transfers.data()),
        local_(schedule.locals.data()) {}
  Execution(const Execution&) = delete;
  Execution& operator=(const Execution&) = delete;

  /// Goes on as far as it can without waiting. Returns: is the collective complete on this rank?
  bool advance();

  /// Told by the channel for each transfer that was not complete at once.
  /// Returns: should `advance` be called now? (Never true inside `advance` itself.)
  bool transfer_done() noexcept { return --pending_count_ == 0 && !advancing_; }

  bool done() const noexcept { return round_ == rounds_end_; }

 private:
  // Inlined: of a round of few bytes the calls of them are a large part.
  inline void start_round();
  inline void start_receives(std::span<const Transfer> receives);
  inline void start_sends(std::span<const Transfer> sends);
  inline void run_locals();
  inline void run(const LocalStep& step) const;
  std::byte* address(Buffer buffer, std::size_t offset) const noexcept {
    return bases_[static_cast<std::size_t>(buffer)] + offset * element_bytes_;
  }

  const Schedule& schedule_;
  Channel& channel_;
  const ReduceOp* op_;
  std::byte* bases_[3];
  std::size_t element_bytes_;
  const Round* round_;  ///< The round whose transfers are in flight.
  const Round* rounds_end_;
  const Transfer* transfer_;         ///< The next to be handed out.
  const LocalStep* local_;           ///< The next to be run.
  std::uint32_t pending_count_ = 0;  ///< Transfers of the round that are not complete.
  bool started_ = false;             ///< Were the transfers of the round handed out?
  bool advancing_ = false;
};

}  // namespace tasuki::coll
