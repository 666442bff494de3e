// The requests that are under way in the network's own library (transport/network_operations.hpp),
// and who is told when they are complete.
//
// Filled by the collectives; asked by the poller in each of its steps, and by fibers that wait for
// a collective before they give way. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <tasuki/transport/transport.hpp>
#include <vector>

namespace tasuki::runtime {

class NetworkRequests {
 public:
  static constexpr std::size_t any_bytes = SIZE_MAX;

  explicit NetworkRequests(transport::NetworkOperations* operations) : operations_(operations) {}

  /// `completion` is told inside `progress`. `expected_bytes` have to arrive from `source`;
  /// any_bytes unless it is a receive.
  void add(const transport::NetworkRequest& request, transport::Completion* completion,
           int source = -1, std::size_t expected_bytes = any_bytes) {
    requests_.push_back(request);
    parts_.push_back({completion, expected_bytes, source});
  }
  bool empty() const noexcept { return requests_.empty(); }

  /// Tells whom it concerns, who may wait and start new ones. Returns: was anything complete?
  bool progress();

 private:
  struct Part {
    transport::Completion* completion;
    std::size_t expected_bytes;
    int source;
  };

  transport::NetworkOperations* operations_;
  std::vector<transport::NetworkRequest> requests_;
  std::vector<Part> parts_;  ///< Of the requests, in the same order.
  std::size_t next_ = 0;     ///< Where to look, if they are too many to look at all.
};

}  // namespace tasuki::runtime
