// Indices that go to the ranks of their places by MPI_Alltoallv: what one writes in MPI instead of
// small messages. Some are collected for each rank, and all ranks exchange them together.
//
// Used by the histogram and the index gather over MPI. Thread-safety: the main thread; collective.
#pragma once

#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "places.hpp"

namespace tasuki::bench::kernels {

/// Indices that a rank collects before all exchange: 64 Ki of 4 bytes stay in the second cache.
constexpr std::size_t exchanged_indices = 65536;

/// T is a 4- or 8-byte integer.
template <class T>
class SortedExchange {
 public:
  explicit SortedExchange(int ranks)
      : to_each_(static_cast<std::size_t>(ranks)),
        to_each_counts_(to_each_.size()),
        to_each_begins_(to_each_.size()),
        from_each_counts_(to_each_.size()),
        from_each_begins_(to_each_.size()) {}

  /// Sends the index of each place to its rank. `collect(rank, i)` is called for place `i`, and
  /// `handle(arrived)` for what has come, by rank, each time that the ranks have exchanged some.
  /// Requires: all ranks have as many places.
  template <class Collect, class Handle>
  void send(const std::vector<Place>& places, Collect collect, Handle handle) {
    for (std::size_t begin = 0; begin < places.size(); begin += exchanged_indices) {
      const std::size_t end = std::min(places.size(), begin + exchanged_indices);
      for (std::size_t i = begin; i < end; ++i) {
        const auto rank = static_cast<std::size_t>(places[i].rank);
        to_each_[rank].push_back(places[i].index);
        collect(rank, i);
      }
      exchange();
      handle(arrived_);
    }
  }
  /// Answers `values`, one for each index that has arrived. Returns: the answers to what this rank
  /// sent, by rank.
  std::vector<T> answer(const std::vector<T>& values) {
    std::vector<T> answers(sent_.size());
    MPI_Alltoallv(values.data(), from_each_counts_.data(), from_each_begins_.data(), type(),
                  answers.data(), to_each_counts_.data(), to_each_begins_.data(), type(),
                  MPI_COMM_WORLD);
    return answers;
  }

 private:
  static MPI_Datatype type() { return sizeof(T) == sizeof(int) ? MPI_INT32_T : MPI_INT64_T; }
  /// Returns: how many there are in all.
  static std::size_t begins(const std::vector<int>& counts, std::vector<int>& begins) {
    std::exclusive_scan(counts.begin(), counts.end(), begins.begin(), 0);
    return static_cast<std::size_t>(begins.back()) + static_cast<std::size_t>(counts.back());
  }

  void exchange() {
    sent_.clear();
    for (std::size_t rank = 0; rank < to_each_.size(); ++rank) {
      to_each_counts_[rank] = static_cast<int>(to_each_[rank].size());
      sent_.insert(sent_.end(), to_each_[rank].begin(), to_each_[rank].end());
      to_each_[rank].clear();
    }
    MPI_Alltoall(to_each_counts_.data(), 1, MPI_INT, from_each_counts_.data(), 1, MPI_INT,
                 MPI_COMM_WORLD);
    arrived_.resize(begins(from_each_counts_, from_each_begins_));
    begins(to_each_counts_, to_each_begins_);
    MPI_Alltoallv(sent_.data(), to_each_counts_.data(), to_each_begins_.data(), type(),
                  arrived_.data(), from_each_counts_.data(), from_each_begins_.data(), type(),
                  MPI_COMM_WORLD);
  }

  std::vector<std::vector<T>> to_each_;
  std::vector<T> sent_, arrived_;
  std::vector<int> to_each_counts_, to_each_begins_, from_each_counts_, from_each_begins_;
};

}  // namespace tasuki::bench::kernels
