// What arrives over the lanes of a rank, the progress of what is under way on them, and the wait
// for more.
//
// Handed out by a transport. The runtime's poller takes arrivals; whoever has nothing to do calls
// `wait`. `poll` never allocates, and memory stays bounded whatever the peers send. Nothing calls
// back into the runtime except through a Completion, and those only from inside a call that makes
// progress or sends bulk data.
//
// Thread-safety: `wake` from any thread; all others from the rank's own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace tasuki::transport {

enum class ArrivalKind : std::uint8_t { message, bulk };

/// Something that arrived. `bytes` (the message, or the header of a bulk message) stays valid
/// until `release`; it starts on a multiple of 8.
struct Arrival {
  ArrivalKind kind = ArrivalKind::message;
  int source = -1;
  std::span<const std::byte> bytes;
  std::size_t bulk_bytes = 0;    ///< kind == bulk: size of the data to come.
  std::uint64_t bulk_token = 0;  ///< kind == bulk: what to hand to `accept` of the source's lane.
};

class Arrivals {
 public:
  /// Makes progress and hands out the next arrival, if there is one. The next call comes only
  /// after the arrival was released.
  virtual bool poll(Arrival& arrival) = 0;
  /// Gives the arrival's memory back. Requires: it is the one that `poll` has handed out last.
  virtual void release(const Arrival& arrival) = 0;
  /// Makes progress without handing out arrivals (completions, pending sends).
  virtual void progress() = 0;
  /// Called when nothing can run: `idle_count` counts such calls since the last arrival. It spins,
  /// yields the core or sleeps as it sees fit, never longer than `most_us`, and returns early when
  /// something arrives, or somebody calls `notify` for this rank, or `wake`. Before each call the
  /// caller looks for what `wake` tells of; the one before a sleep only prepares it.
  virtual void wait(std::uint64_t idle_count, std::int64_t most_us) = 0;
  /// Another thread of the process has left something for the rank's own: ends its sleep, unless
  /// it sees what the caller has written before it sleeps. A backend that nobody can wake sleeps
  /// 50 us at most.
  virtual void wake() noexcept {}

 protected:
  ~Arrivals() = default;
};

}  // namespace tasuki::transport
