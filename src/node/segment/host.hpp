// What node memory needs of the layer above: the other ranks' memory, memory of its own, and a way
// to wait.
//
// The runtime implements it with its fibers and its shared heap; a plain MPI program and the tests
// can with what they have. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tasuki/detail/transport/memory.hpp>

#include "base/processor.hpp"

namespace tasuki::node {

/// A condition that is asked for again and again; a reference to a callable that returns bool.
class Condition {
 public:
  template <class Ready>
  explicit Condition(const Ready& ready) noexcept
      : object_(&ready),
        holds_([](const void* object) { return (*static_cast<const Ready*>(object))(); }) {}
  bool operator()() const { return holds_(object_); }

 private:
  const void* object_;
  bool (*holds_)(const void* object);
};

/// What a wait is for, as a hang report tells it.
struct WaitNote {
  const char* collective;
  int rank;            ///< Of the job, whom it waits for; -1: not one alone.
  std::uint64_t team;  ///< As in Members.
};

/// What does not change.
struct HostTraits {
  int rank = 0;          ///< In the job, for messages to people.
  bool may_spin = true;  ///< Has every rank a core of its own, so that spinning hinders nobody?
  /// Can this rank read the private memory of every other, as far as it knows?
  bool reads_peers = false;
  base::Processor processor = base::processor_here();
};

class Host {
 public:
  Host(transport::PeerMemory& peers, const HostTraits& traits) : peers_(peers), traits_(traits) {}
  virtual ~Host() = default;
  Host(const Host&) = delete;
  Host& operator=(const Host&) = delete;

  transport::PeerMemory& peers() const noexcept { return peers_; }
  const HostTraits& traits() const noexcept { return traits_; }

  /// Memory that the other ranks can map. Throws tasuki::error if there is none.
  virtual void* allocate(std::size_t bytes, std::size_t alignment) = 0;
  virtual void free(void* memory) = 0;
  /// Lets a peer on this core run, for the `count`-th time in a wait. Returns: false at once if
  /// the rank has anything else to do than to wait.
  virtual bool yield_to_peers(std::uint64_t count) = 0;
  /// Returns when `ready` holds; asks for it, lets peers run, and does other work meanwhile.
  virtual void wait_until(const Condition& ready, const WaitNote& note) = 0;

 private:
  transport::PeerMemory& peers_;
  HostTraits traits_;
};

}  // namespace tasuki::node
