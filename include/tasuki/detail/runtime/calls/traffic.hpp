// What one rank has begun for others and seen done: what quiescence and the hang report count.
//
// Whoever sends or handles something notes it here, by the rank at the other end. Equal sums of
// what was begun and what is done, over all pairs of ranks or those of a team, mean that nothing is
// under way. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tasuki::runtime {

struct TrafficCounts {
  std::uint64_t begun = 0;
  std::uint64_t done = 0;

  /// Counts what is sent while it exists, before it can be done. What throws has sent nothing: then
  /// nobody calls `sent`.
  class Begin {
   public:
    explicit Begin(TrafficCounts& counts) noexcept : counts_(counts) { ++counts.begun; }
    Begin(const Begin&) = delete;
    Begin& operator=(const Begin&) = delete;
    ~Begin() {
      if (!is_sent_) [[unlikely]]
        --counts_.begun;
    }
    void sent() noexcept { is_sent_ = true; }

   private:
    TrafficCounts& counts_;
    bool is_sent_ = false;
  };
  /// The same for what `send` sends.
  template <class Send>
  void begin(Send send) {
    Begin begin(*this);
    send();
    begin.sent();
  }
};

struct Traffic {
  explicit Traffic(int ranks_count) : by_rank(static_cast<std::size_t>(ranks_count)) {}

  /// What this rank has begun for another one, or for itself, and seen done of what either has
  /// begun for the other: calls, and reads and writes of memory by messages, with what they bring.
  TrafficCounts& with(int rank) noexcept { return by_rank[static_cast<std::size_t>(rank)]; }

  std::vector<TrafficCounts> by_rank;
  std::uint64_t awaited_answers_count = 0;  ///< Of calls of this rank.
  /// Records of the library's own that nobody waits for.
  TrafficCounts service_records;
  /// Bulk data that are under way from or to here, or wait for their handler: while there are any,
  /// the rank is not idle.
  std::size_t bulk_under_way_count = 0;
};

}  // namespace tasuki::runtime
