// The requests that are under way in the MPI library (transport/mpi_operations.hpp),
// and who is told when they are complete.
//
// Filled by the collectives; polled by the poller in each of its steps, and by fibers that wait for
// a collective before they yield. Completions run users' code, so a fiber tells only its own; the
// poller tells the others. Thread-safety: none; the rank's own thread.
//
// Of many requests each poll tests only some: the oldest, because messages come in about the order
// in which their receives were posted, and some of the others in rotation, because what is old may
// wait for what is young. So a poll takes as long with 30,000 requests as with 32.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <list>
#include <tasuki/detail/fiber/scheduler.hpp>
#include <tasuki/detail/transport/transport.hpp>

#include "runtime/collectives/unfinished_requests.hpp"
#include "runtime/waiting/event.hpp"

namespace tasuki::runtime {

class MpiRequests {
 public:
  /// `shares_cores`: may another rank need this one's core?
  MpiRequests(transport::MpiOperations* operations, const fiber::Scheduler& scheduler,
              bool shares_cores)
      : operations_(operations),
        scheduler_(scheduler),
        yields_(shares_cores && operations != nullptr && !operations->yields()),
        blocks_(1),
        turn_(blocks_.begin()) {}
  MpiRequests(const MpiRequests&) = delete;
  MpiRequests& operator=(const MpiRequests&) = delete;

  /// `completion` is told inside `progress`. `number` is that of the message's collective.
  void add_send(const transport::MpiRequest& request, transport::Completion* completion, int to,
                std::uint32_t number, std::size_t bytes) {
    add(request, {completion, {UnfinishedRequest::Kind::send, to, number, bytes}});
  }
  void add_receive(const transport::MpiRequest& request, transport::Completion* completion,
                   int source, std::uint32_t number, std::size_t bytes) {
    add(request, {completion, {UnfinishedRequest::Kind::receive, source, number, bytes}});
  }
  /// `bytes`: about as many travel.
  void add_collective(const transport::MpiRequest& request, transport::Completion* completion,
                      bool needs_all, std::uint64_t bytes) {
    const auto kind = needs_all ? UnfinishedRequest::Kind::collective
                                : UnfinishedRequest::Kind::partial_collective;
    add(request, {completion, {kind, -1, collectives_begun_count_++, bytes}});
  }
  bool empty() const noexcept { return count_ == 0 && untold_.empty(); }

  /// For the poller: tells whom it concerns, who may wait and start new ones; comes back after one
  /// that has waited. Returns: was anything complete?
  bool progress();
  /// For a fiber that waits until `awaited` has happened, which follows when `own` is told: polls
  /// for a while, and lets the poller and others have their turns meanwhile.
  void poll_for(const transport::Completion& own, const Event& awaited);
  /// A poll for such a fiber: tells `own` only, which must not wait.
  /// Returns: was anything complete?
  bool progress_for(const transport::Completion& own);
  /// Is anything complete that the poller has to tell?
  bool has_untold() const noexcept { return !untold_.empty(); }

  /// Requests that have been complete so far.
  std::uint64_t completed_count() const noexcept { return completed_count_; }
  /// Those that may take long, the oldest first. Its `rank` is left open.
  UnfinishedRequests describe() const;

 private:
  static constexpr std::size_t block_most = transport::MpiOperations::tested_most;

  struct Part {
    transport::Completion* completion = nullptr;
    UnfinishedRequest request;
  };
  /// Requests of about one age, in any order; empty only if it is the only one.
  struct Block {
    std::array<transport::MpiRequest, block_most> requests;
    std::array<Part, block_most> parts;
    std::size_t count = 0;
  };
  using Blocks = std::list<Block>;

  void add(const transport::MpiRequest& request, const Part& part) {
    if (blocks_.back().count == block_most) add_block();
    Block& block = blocks_.back();
    block.requests[block.count] = request;
    block.parts[block.count] = part;
    ++block.count;
    ++count_;
  }
  void add_block();
  /// Polls some of all. Returns: who is to be told of one that is complete; nullptr: none is.
  transport::Completion* take_complete();
  /// The same of one block.
  transport::Completion* take_complete_of(Blocks::iterator block);
  Part take(Blocks::iterator block, std::size_t index);

  transport::MpiOperations* operations_;
  const fiber::Scheduler& scheduler_;
  bool yields_;  ///< Does a fiber that polls let other ranks have the core?
  std::deque<transport::Completion*> untold_;  ///< Complete; the poller has to tell them.
  Blocks blocks_;                              ///< The oldest first.
  Blocks spare_;           ///< At most one, empty, so that few requests allocate nothing.
  Blocks::iterator turn_;  ///< The next to be tested beside the first, or the end.
  std::size_t count_ = 0;  ///< Of all requests.
  std::uint64_t completed_count_ = 0;
  std::uint32_t collectives_begun_count_ = 0;
};

}  // namespace tasuki::runtime
