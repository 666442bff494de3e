// Radix sort over MPI: beside radixsort_tasuki.cpp, with the same numerical code.
//
// Keys are grouped by owner, move by MPI_Alltoallv and are then put where they belong; counts go
// by MPI_Allgather.

#include <algorithm>
#include <numeric>
#include <optional>

#include "common/mpi_program.hpp"
#include "radixsort/node.hpp"

namespace tasuki::radixsort {
namespace {

using apps::Range;
using apps::Stopwatch;

class MpiExchange {
 public:
  MpiExchange(Range all, bool split)
      : rank_(static_cast<std::size_t>(apps::MpiJob::rank())), stopwatch_(MPI_Wtime, split) {
    for (int rank = 0; rank < apps::MpiJob::size(); ++rank)
      parts_.push_back(apps::part_of(all, rank, apps::MpiJob::size()));
    for (apps::HugeArray<Key>* array : {&keys_, &target_, &outgoing_, &incoming_})
      array->resize(static_cast<std::size_t>(places().size()));
  }

  Stopwatch& stopwatch() noexcept { return stopwatch_; }
  Range places() const noexcept { return parts_[rank_]; }
  std::span<Key> keys() noexcept { return keys_; }
  void barrier() { MPI_Barrier(MPI_COMM_WORLD); }

  std::vector<std::int64_t> gather_counts(std::span<const std::int64_t> counts) {
    if (stopwatch_.is_split()) wait_for_all();
    const Stopwatch::Communication clocked(stopwatch_);
    stopwatch_.count(1, counts.size_bytes());
    std::vector<std::int64_t> all(counts.size() * parts_.size());
    const int count = static_cast<int>(counts.size());
    MPI_Allgather(counts.data(), count, MPI_INT64_T, all.data(), count, MPI_INT64_T,
                  MPI_COMM_WORLD);
    return all;
  }

  void open_pass(const PassLayout& layout) { layout_ = layout; }

  /// Own keys go to their places, the others' beside each other in order of digits and so of
  /// owners.
  void write(const Block& block) {
    const Range places = {block.place, block.place + static_cast<std::int64_t>(block.keys.size())};
    const Range own = intersection(places, parts_[rank_]);
    if (own.size() < places.size())
      std::copy(block.keys.begin(), block.keys.end(),
                outgoing_.begin() + static_cast<std::ptrdiff_t>(block.grouped));
    if (own.size() > 0)
      std::copy_n(block.keys.begin() + (own.begin - block.place), own.size(),
                  target_.begin() + (own.begin - parts_[rank_].begin));
  }

  void close_pass() {
    const Counts sent = counts_between(rank_, rank_, true);
    const Counts received = counts_between(0, parts_.size() - 1, false);
    wait_for_all();
    {
      const Stopwatch::Communication clocked(stopwatch_);
      for (const int count : sent.counts)
        if (count > 0) stopwatch_.count(1, static_cast<std::size_t>(count) * sizeof(Key));
      MPI_Alltoallv(outgoing_.data(), sent.counts.data(), sent.begins.data(), MPI_UINT32_T,
                    incoming_.data(), received.counts.data(), received.begins.data(), MPI_UINT32_T,
                    MPI_COMM_WORLD);
    }
    unpack(received);
    keys_.swap(target_);
  }

 private:
  struct Counts {
    std::vector<int> counts;
    std::vector<int> begins;
  };

  /// By rank, what this rank sends (own keys, which stay, keep their room) or receives.
  Counts counts_between(std::size_t first, std::size_t last, bool sends) const {
    const std::size_t ranks = parts_.size();
    std::vector<int> rooms(ranks);
    for (std::size_t source = first; source <= last; ++source)
      for (std::size_t owner = sends ? 0 : rank_; owner <= (sends ? ranks - 1 : rank_); ++owner)
        for (std::size_t digit = 0; digit < layout_->radix(); ++digit)
          rooms[sends ? owner : source] +=
              static_cast<int>(intersection(layout_->segment(source, digit), parts_[owner]).size());
    Counts result{rooms, std::vector<int>(ranks)};
    std::exclusive_scan(rooms.begin(), rooms.end(), result.begins.begin(), 0);
    result.counts[rank_] = 0;
    return result;
  }

  /// What came from a rank is in order of digits: each digit's keys follow each other.
  void unpack(const Counts& received) {
    for (std::size_t source = 0; source < parts_.size(); ++source) {
      if (source == rank_) continue;
      auto from = incoming_.begin() + received.begins[source];
      for (std::size_t digit = 0; digit < layout_->radix(); ++digit) {
        const Range run = intersection(layout_->segment(source, digit), parts_[rank_]);
        if (run.size() > 0)
          std::copy_n(from, run.size(), target_.begin() + (run.begin - parts_[rank_].begin));
        from += run.size();
      }
    }
  }

  void wait_for_all() {
    const Stopwatch::Wait clocked(stopwatch_);
    MPI_Barrier(MPI_COMM_WORLD);
  }

  std::size_t rank_;
  std::vector<Range> parts_;
  apps::HugeArray<Key> keys_;
  apps::HugeArray<Key> target_;
  apps::HugeArray<Key> outgoing_;  ///< In order of digits.
  apps::HugeArray<Key> incoming_;  ///< By source, each in order of digits.
  std::optional<PassLayout> layout_;
  Stopwatch stopwatch_;
};

}  // namespace
}  // namespace tasuki::radixsort

int main(int argc, char** argv) {
  using namespace tasuki;
  return apps::run_mpi_program(argc, argv, radixsort::parse_options,
                               radixsort::run<apps::MpiJob, radixsort::MpiExchange>);
}
