// What arrives over a network, and the same mixed with what arrives from the own node.
//
// Used by the transports that reach other nodes. Thread-safety: `wake` from any thread; the rest
// from the rank's own.
#pragma once

#include <tasuki/detail/transport/arrivals.hpp>

#include <algorithm>
#include <cstdint>

#include "transport/shm/shm_node.hpp"

namespace tasuki::transport {

class NetworkArrivals : public Arrivals {
 public:
  /// Longest sleep: networks wake nobody, so this is what a message may be late after a long
  /// silence.
  static constexpr std::int64_t sleep_most_us = 50;

  /// Is there an arrival for `poll` to hand out? (Known since the last `progress`.)
  virtual bool has_arrival() const noexcept = 0;

 protected:
  ~NetworkArrivals() = default;
};

/// What arrives from the own node and from others.
class MixedArrivals final : public Arrivals {
 public:
  MixedArrivals(shm::ShmNode& node, NetworkArrivals& network) : node_(node), network_(network) {}

  bool poll(Arrival& arrival) override {
    node_first_ = !node_first_;  // neither starves the other
    is_of_node_ = node_first_ && node_.poll(arrival);
    if (is_of_node_ || network_.poll(arrival)) return true;
    is_of_node_ = !node_first_ && node_.poll(arrival);
    return is_of_node_;
  }
  void release(const Arrival& arrival) override {
    is_of_node_ ? node_.release(arrival) : network_.release(arrival);
  }
  void progress() override {
    node_.progress();
    network_.progress();
  }
  void wait(std::uint64_t idle_count, std::int64_t most_us) override {
    network_.progress();
    if (network_.has_arrival()) return;
    node_.wait(idle_count, std::min(most_us, NetworkArrivals::sleep_most_us));
  }
  void wake() noexcept override { node_.wake(); }

 private:
  shm::ShmNode& node_;
  NetworkArrivals& network_;
  bool node_first_ = true;   ///< The next poll asks the other one first.
  bool is_of_node_ = false;  ///< What was handed out last.
};

}  // namespace tasuki::transport
