// Radix sort over Tasuki: beside radixsort_mpi.cpp, with the same numerical code.
//
// Keys move as remote writes into the shared arrays of their owners, counts by allgather.

#include <algorithm>

#include "common/tasuki_program.hpp"
#include "radixsort/node.hpp"

namespace tasuki::radixsort {
namespace {

using apps::Range;
using apps::SharedArray;
using apps::Stopwatch;

class TasukiExchange {
 public:
  TasukiExchange(Range all, bool split)
      : places_(apps::part_of(all, rank(), size())),
        owned_(static_cast<std::size_t>(places_.size())),
        target_(static_cast<std::size_t>(places_.size())),
        stopwatch_(apps::now_s, split) {
    for (int rank = 0; rank < size(); ++rank) parts_.push_back(apps::part_of(all, rank, size()));
    owned_everywhere_ = allgather(owned_.pointer());
    target_everywhere_ = allgather(target_.pointer());
  }

  Stopwatch& stopwatch() noexcept { return stopwatch_; }
  Range places() const noexcept { return places_; }
  std::span<Key> keys() noexcept { return swapped_ ? view(target_) : view(owned_); }
  void barrier() { tasuki::barrier(); }

  std::vector<std::int64_t> gather_counts(std::span<const std::int64_t> counts) {
    if (stopwatch_.is_split()) wait_for_all();
    const Stopwatch::Communication clocked(stopwatch_);
    stopwatch_.count(1, counts.size_bytes());
    std::vector<std::int64_t> all(counts.size() * parts_.size());
    allgather(counts, std::span(all));
    return all;
  }

  void open_pass(const PassLayout&) {}

  void write(Block block) {
    const auto& targets = swapped_ ? owned_everywhere_ : target_everywhere_;
    while (!block.keys.empty()) {
      const std::size_t owner = owner_of(block.place);
      const Range part = parts_[owner];
      const std::size_t count =
          std::min(block.keys.size(), static_cast<std::size_t>(part.end - block.place));
      const GlobalPtr<Key> at = targets[owner] + (block.place - part.begin);
      if (at.rank() == rank()) {
        std::copy_n(block.keys.data(), count, at.raw());
      } else {
        const Stopwatch::Communication clocked(stopwatch_);
        stopwatch_.count(1, count * sizeof(Key));
        at.nwrite(block.keys.data(), count);
      }
      block.keys = block.keys.subspan(count);
      block.place += static_cast<std::int64_t>(count);
    }
  }

  /// Nobody writes into the arrays read in this pass before all have read them: the barrier is
  /// that of the next pass too.
  void close_pass() {
    {
      const Stopwatch::Communication clocked(stopwatch_);
      fence();
    }
    wait_for_all();
    swapped_ = !swapped_;
  }

 private:
  static std::span<Key> view(SharedArray<Key>& array) { return {array.begin(), array.end()}; }

  void wait_for_all() {
    const Stopwatch::Wait clocked(stopwatch_);
    tasuki::barrier();
  }

  std::size_t owner_of(std::int64_t place) const {
    std::size_t owner = 0;
    while (place >= parts_[owner].end) ++owner;
    return owner;
  }

  Range places_;
  std::vector<Range> parts_;
  SharedArray<Key> owned_;
  SharedArray<Key> target_;
  std::vector<GlobalPtr<Key>> owned_everywhere_;
  std::vector<GlobalPtr<Key>> target_everywhere_;
  bool swapped_ = false;  ///< Are the keys in `target_`?
  Stopwatch stopwatch_;
};

}  // namespace
}  // namespace tasuki::radixsort

int main(int argc, char** argv) {
  using namespace tasuki;
  return apps::run_on_every_rank(argc, argv, radixsort::parse_options,
                                 radixsort::run<apps::TasukiJob, radixsort::TasukiExchange>);
}
