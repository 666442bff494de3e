// Items that go to the ranks they belong to by MPI_Alltoallv: what one writes in MPI instead of
// small messages. The caller collects some for each rank, and all ranks exchange them together.
//
// Used by the histogram and the index gather over MPI. Thread-safety: the main thread; collective.
#pragma once

#include <mpi.h>

#include <numeric>
#include <vector>

namespace tasuki::bench::kernels {

/// Items that a rank collects before all exchange: 64 Ki of 4 bytes stay in the second cache.
constexpr std::size_t exchanged_items = 65536;

/// T is a 4- or 8-byte integer.
template <class T>
class SortedExchange {
 public:
  explicit SortedExchange(int ranks)
      : to_each(static_cast<std::size_t>(ranks)),
        from_each_counts(to_each.size()),
        to_each_counts_(to_each.size()),
        to_each_begins_(to_each.size()),
        from_each_begins_(to_each.size()) {}

  /// Filled by the caller; empty after `exchange`.
  std::vector<std::vector<T>> to_each;
  /// What has come, by rank.
  std::vector<T> arrived;
  std::vector<int> from_each_counts;

  void exchange() {
    sent_.clear();
    for (std::size_t rank = 0; rank < to_each.size(); ++rank) {
      to_each_counts_[rank] = static_cast<int>(to_each[rank].size());
      sent_.insert(sent_.end(), to_each[rank].begin(), to_each[rank].end());
      to_each[rank].clear();
    }
    MPI_Alltoall(to_each_counts_.data(), 1, MPI_INT, from_each_counts.data(), 1, MPI_INT,
                 MPI_COMM_WORLD);
    arrived.resize(begins(from_each_counts, from_each_begins_));
    begins(to_each_counts_, to_each_begins_);
    MPI_Alltoallv(sent_.data(), to_each_counts_.data(), to_each_begins_.data(), type(),
                  arrived.data(), from_each_counts.data(), from_each_begins_.data(), type(),
                  MPI_COMM_WORLD);
  }
  /// Answers `values`, one for each item of `arrived`. Returns: the answers to what this rank
  /// sent, by rank.
  std::vector<T> answer(const std::vector<T>& values) {
    std::vector<T> answers(sent_.size());
    MPI_Alltoallv(values.data(), from_each_counts.data(), from_each_begins_.data(), type(),
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

  std::vector<T> sent_;
  std::vector<int> to_each_counts_, to_each_begins_, from_each_begins_;
};

}  // namespace tasuki::bench::kernels
