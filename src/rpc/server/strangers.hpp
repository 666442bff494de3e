// The connections whose peers have not yet said who they are: few at once, and not for long.
//
// Owned by the front end, so that peers which say nothing, little, or wrong tokens cost little.
// Thread-safety: any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "rpc/wire/socket.hpp"

namespace tasuki::rpc {

class Strangers {
 public:
  using Clock = std::chrono::steady_clock;

  /// While there are more than `count_most`, the one that has been there for longest is shut down,
  /// of those from the address that has the most; each is after `patience`.
  Strangers(std::size_t count_most, Clock::duration patience)
      : count_most_(count_most), patience_(patience) {}

  /// While it lives, the peer of the connection is a stranger.
  class Stay {
   public:
    Stay(Strangers& strangers, std::shared_ptr<Socket> connection);
    ~Stay();
    Stay(const Stay&) = delete;
    Stay& operator=(const Stay&) = delete;

   private:
    Strangers& strangers_;
    std::shared_ptr<Socket> connection_;
  };

  /// Shuts down those that have been strangers for too long.
  void end_late();

 private:
  struct Stranger {
    std::shared_ptr<Socket> connection;
    std::string host;  ///< Its address, in numbers.
    Clock::time_point deadline;
  };

  /// Requires: mutex_ is held, and there is a stranger.
  void end_oldest_of_most();

  const std::size_t count_most_;
  const Clock::duration patience_;
  std::mutex mutex_;
  std::list<Stranger> strangers_;  ///< Guarded by mutex_. Who came first is first.
};

}  // namespace tasuki::rpc
