// MG's communication between ranks that are threads: they copy from each other between barriers.
//
// Thread-safety: one per thread; all threads call the same functions in the same order.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "apps/common/thread_ranks.hpp"
#include "npb/mg/exchange.hpp"

namespace tasuki::npb::mg {

class ThreadExchange {
 public:
  ThreadExchange(apps::ThreadRanks& threads, const Layout& layout)
      : threads_(threads), layout_(layout) {
    const auto most = most_face_points(layout);
    for (auto& box : outboxes_) box.resize(*std::max_element(most.begin(), most.end()));
  }

  std::span<double> outbox(Side side) { return outboxes_[side]; }
  std::span<const double> inbox(Side side) { return inboxes_[side]; }
  void swap(Axis axis, std::size_t count) {
    for (const Side side : {lower, upper}) {
      const auto faces =
          threads_.publish(layout_.rank(), std::span<const double>(outboxes_[side]).first(count));
      const Side from = side == lower ? upper : lower;
      const auto face = faces[static_cast<std::size_t>(layout_.neighbour(axis, from))];
      inboxes_[from].assign(face.begin(), face.end());
      threads_.wait();
    }
  }
  std::vector<double> gather(std::span<const double> mine) {
    std::vector<double> all;
    for (const auto part : threads_.publish(layout_.rank(), mine))
      all.insert(all.end(), part.begin(), part.end());
    threads_.wait();
    return all;
  }
  void sum(std::span<double> values) { threads_.sum(layout_.rank(), values); }

 private:
  apps::ThreadRanks& threads_;
  Layout layout_;
  std::array<std::vector<double>, side_count> outboxes_;
  std::array<std::vector<double>, side_count> inboxes_;
};

}  // namespace tasuki::npb::mg
