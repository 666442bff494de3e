#include "cache_line.hpp"

#include <tasuki/detail/base/clock.hpp>

namespace tasuki::bench {
namespace {

constexpr int round_trips = 300;

}  // namespace

Lines& shared_lines() {
  static Lines lines = [] {
    Lines made;
    made.mine = new_<Lines::Line>();
    const auto all = allgather(made.mine);
    made.theirs = all[static_cast<std::size_t>(rank() ^ 1) % all.size()];
    return made;
  }();
  return lines;
}

double cache_line_ns() {
  Lines& lines = shared_lines();
  if (size() < 2) return 0;
  barrier();
  double ns = 0;
  if (rank() < 2 && lines.theirs.local() != nullptr) {
    std::atomic<std::uint64_t>& mine = lines.mine.local()->word;
    std::atomic<std::uint64_t>& theirs = lines.theirs.local()->word;
    const std::int64_t start_ns = base::now_ns();
    for (int i = 0; i < round_trips; ++i) {
      const std::uint64_t turn = ++lines.count;
      if (rank() == 0) theirs.store(turn, std::memory_order_release);
      while (mine.load(std::memory_order_acquire) != turn) {
      }
      if (rank() == 1) theirs.store(turn, std::memory_order_release);
    }
    ns = static_cast<double>(base::now_ns() - start_ns) / (2.0 * round_trips);
  }
  barrier();
  return ns;
}

}  // namespace tasuki::bench
