// The world: composes what runs on one rank, and starts and ends the job there.
//
// Made by tasuki::run; everything else finds the rank through `Rank::current()`.
//
// Thread-safety: none. A world belongs to the thread that runs the rank.
#pragma once

#include <memory>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/detail/transport/transport.hpp>

#include "runtime/world/poller.hpp"

namespace tasuki::runtime {

class World {
 public:
  /// Takes the transport over and starts it. Collective.
  explicit World(std::unique_ptr<transport::Transport> transport);
  /// For transports that somebody else owns (loopback).
  explicit World(transport::Transport& transport);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// From here on the calling thread runs `rank`, and all that is kept for it; nullptr: none.
  static void make_current(Rank* rank) noexcept;

  /// Runs `main(argument)` as the first fiber, serves calls whenever it waits, and ends when
  /// nothing is under way on any rank. Collective. An exception from `main` ends the job.
  /// Returns: what `main` returned.
  int run(int (*main)(void*), void* argument);

 private:
  struct Parts;

  int run_main(int (*main)(void*), void* argument);

  std::unique_ptr<transport::Transport> owned_transport_;
  Poller poller_;
  Rank rank_;
  std::unique_ptr<Parts> parts_;
};

}  // namespace tasuki::runtime
