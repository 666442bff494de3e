// Ranks that are threads of one process: the numerical code with many ranks, and no network.
//
// Thread-safety: every thread calls the same functions in the same order.
#pragma once

#include <algorithm>
#include <barrier>
#include <span>
#include <thread>
#include <vector>

namespace tasuki::apps {

class ThreadRanks {
 public:
  explicit ThreadRanks(int ranks)
      : ranks_(ranks), barrier_(ranks), published_(static_cast<std::size_t>(ranks)) {}

  /// Runs `main(rank)` on every rank.
  template <class Main>
  void run(Main main) {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < ranks_; ++rank) threads.emplace_back(main, rank);
  }

  void wait() { barrier_.arrive_and_wait(); }

  /// Shows `mine` to the others. Returns: everybody's, by rank; to be read until `wait`.
  template <class T>
  std::vector<std::span<const T>> publish(int rank, std::span<const T> mine) {
    published_[static_cast<std::size_t>(rank)] = std::as_bytes(mine);
    wait();
    std::vector<std::span<const T>> all;
    for (const auto bytes : published_)
      all.emplace_back(reinterpret_cast<const T*>(bytes.data()), bytes.size() / sizeof(T));
    return all;
  }

  /// Sums over all ranks, in place.
  template <class T>
  void sum(int rank, std::span<T> values) {
    std::vector<T> sums(values.size());
    for (const auto part : publish(rank, std::span<const T>(values)))
      for (std::size_t k = 0; k < sums.size(); ++k) sums[k] += part[k];
    wait();
    std::copy(sums.begin(), sums.end(), values.begin());
  }

 private:
  int ranks_;
  std::barrier<> barrier_;
  std::vector<std::span<const std::byte>> published_;
};

}  // namespace tasuki::apps
