// The cluster: the ranks of one loopback job, their channels and the switching between them.
//
// Used by LoopbackCluster and LoopbackTransport only. Thread-safety: none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include <tasuki/detail/transport/loopback.hpp>

#include "transport/loopback/context.hpp"
#include "transport/loopback/random.hpp"

namespace tasuki::transport::loopback {

class LoopbackTransport;

/// A message under way, announcements of bulk data included.
struct Packet {
  std::unique_ptr<std::byte[]> storage;
  std::size_t bytes = 0;
  std::uint64_t deliver_at = 0;  ///< In ticks: polls and waits of all ranks since start.
  ArrivalKind kind = ArrivalKind::message;
  std::span<const std::byte> bulk_data;
  Completion* bulk_sent = nullptr;         ///< nullptr: already done, data copied.
  std::unique_ptr<std::byte[]> bulk_copy;  ///< The data, if the sender did not wait for them.
};

/// What one rank has sent to another and the other has not yet released.
struct Channel {
  std::deque<Packet> packets;
  std::size_t bytes = 0;
  Packet open;  ///< The acquired slot; no storage if there is none.
};

class Cluster {
 public:
  Cluster(const LoopbackOptions& options, LoopbackHooks hooks);
  ~Cluster();

  void run(const std::function<void(Transport&)>& body);

  const LoopbackOptions& options() const noexcept { return options_; }
  Random& random() noexcept { return random_; }
  /// Made when it is first asked for, as most pairs of many ranks never talk. Its address stays.
  Channel& channel(int source, int destination) { return inbox(destination)[source]; }
  /// The channels to a rank, by source.
  std::map<int, Channel>& inbox(int destination) noexcept {
    return inboxes_[static_cast<std::size_t>(destination)];
  }
  LoopbackTransport& transport(int rank) noexcept;
  /// Empty if the ranks share no memory.
  std::span<std::byte> shared_scratch() noexcept { return scratch_; }

  std::uint64_t ticks() const noexcept { return ticks_; }
  /// Passes one tick; with a seed, or if `rank` has only polled for long, lets others run.
  void tick(int rank);
  /// `rank` has nothing to do: lets others run.
  void wait(int rank, std::int64_t most_us);
  /// Something was sent, received or completed: the ranks are not stalled.
  void note_activity() noexcept { fruitless_waits_ = 0; }

 private:
  struct Rank;

  static void enter_rank(void* argument);
  void switch_from(int rank);
  int next_after(int rank) noexcept;
  void leave_for(int rank, int next);
  void handle_stall();
  void check_delivered() const;

  LoopbackOptions options_;
  LoopbackHooks hooks_;
  Random random_;
  std::uint64_t ticks_ = 0;
  std::uint64_t fruitless_waits_ = 0;
  std::vector<std::unique_ptr<Rank>> ranks_;
  std::vector<std::map<int, Channel>> inboxes_;  ///< By destination.
  std::vector<std::byte> scratch_;
  const std::function<void(Transport&)>* body_ = nullptr;
  Context main_context_;
  void* main_state_ = nullptr;
  int main_rank_for_messages_ = -1;
  std::exception_ptr failure_;
};

}  // namespace tasuki::transport::loopback
