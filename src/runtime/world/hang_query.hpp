// A question of rank 0 to all ranks, itself included: what does each of your fibers wait for?
//
// HangReport and DeadlockCheck have one each; their handlers pass on what arrives for it.
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstdint>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <utility>
#include <vector>

#include "runtime/world/hang_answer.hpp"

namespace tasuki::runtime {

class HangQuery {
 public:
  HangQuery(Rank& self, const Quiescence& quiescence) noexcept
      : self_(self), quiescence_(quiescence) {}

  /// Asks, unless a question is open or the job is about to end. `handle_query` calls `answer`.
  void open(Handler handle_query);
  bool is_open() const noexcept { return is_open_; }
  std::int64_t age_ns(std::int64_t now_ns) const noexcept { return now_ns - opened_ns_; }
  /// Takes an answer, unless it comes too late. Returns: was it the last that was missing?
  bool take(Reader& reader);
  /// Returns: the answers that are here. Later ones are not taken.
  std::vector<HangAnswer> close() {
    is_open_ = false;
    return std::exchange(answers_, {});
  }

  /// Answers a query of rank 0, whose `handle_answer` calls `take`.
  static void answer(Rank& self, Reader& reader, Handler handle_answer);

 private:
  Rank& self_;
  const Quiescence& quiescence_;
  bool is_open_ = false;
  std::uint32_t number_ = 0;  ///< Of the question asked last.
  std::int64_t opened_ns_ = 0;
  std::vector<HangAnswer> answers_;
};

}  // namespace tasuki::runtime
