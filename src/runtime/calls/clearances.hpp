// What other ranks have cleared: lengths of long records that this rank sends to them without
// announcing them, straight into a receive that is posted there (early_receives.hpp).
//
// Asked by Sender for each long record. Thread-safety: none; the rank's own thread.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tasuki/detail/transport/lane.hpp>
#include <unordered_map>
#include <vector>

namespace tasuki::runtime {

struct Clearance {
  int posted_receive = transport::Lane::no_posted_receive;
  std::uint64_t bytes = 0;  ///< Of the data, exactly.
  std::uint64_t sent_count = 0;
};

class Clearances {
 public:
  /// Counts a record that goes to a receive of `rank`. Returns: the receive; no_posted_receive if
  /// none is cleared for data of that length.
  int use(int rank, std::size_t bytes) {
    const auto of_rank = of_ranks_.find(rank);
    if (of_rank == of_ranks_.end()) return transport::Lane::no_posted_receive;
    const auto found = std::ranges::find(of_rank->second, bytes, &Clearance::bytes);
    if (found == of_rank->second.end()) return transport::Lane::no_posted_receive;
    ++found->sent_count;
    return found->posted_receive;
  }
  /// Would `use` find a receive?
  bool is_for(int rank, std::size_t bytes) const {
    const auto of_rank = of_ranks_.find(rank);
    return of_rank != of_ranks_.end() &&
           std::ranges::find(of_rank->second, bytes, &Clearance::bytes) != of_rank->second.end();
  }
  void add(int rank, const Clearance& clearance) { of_ranks_[rank].push_back(clearance); }
  /// Nothing more is sent to the receive. Requires: it is there. Returns: how much was.
  std::uint64_t end(int rank, int posted_receive) {
    std::vector<Clearance>& all = of_ranks_.at(rank);
    const auto found = std::ranges::find(all, posted_receive, &Clearance::posted_receive);
    const std::uint64_t sent_count = found->sent_count;
    all.erase(found);
    return sent_count;
  }

 private:
  std::unordered_map<int, std::vector<Clearance>> of_ranks_;
};

}  // namespace tasuki::runtime
