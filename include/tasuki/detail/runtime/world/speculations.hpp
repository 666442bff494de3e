// The functions whose next results a rank computes while it is idle: which of them is computed
// next, and what that has gained.
//
// IdleWork has one; predict.hpp asks it for results. Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <tasuki/detail/predict/counters.hpp>
#include <tasuki/detail/runtime/world/idle_moment.hpp>
#include <tasuki/detail/runtime/world/speculation.hpp>
#include <vector>

namespace tasuki::runtime {

struct Rank;

class Speculations {
 public:
  /// Without `is_guarded` results are computed whatever that gains. `now` is kept by IdleWork.
  Speculations(Rank& self, bool is_guarded, predict::Counters& counters,
               const IdleMoment& now) noexcept
      : self_(self), is_guarded_(is_guarded), counters_(counters), now_(now) {}

  // ---- for predict.hpp ------------------------------------------------------------------------
  /// Returns: nullptr if there is none yet.
  Speculation* find(const Speculation::Key& key) noexcept;
  Speculation& add(std::unique_ptr<Speculation> speculation);
  /// The function is called with these bytes. Returns: may the result be taken that is kept? If
  /// not, there is none any more.
  bool commit(Speculation& speculation, std::span<const std::byte> argument);

  // ---- for IdleWork ---------------------------------------------------------------------------
  bool is_any_due() const noexcept { return due_count_ != 0; }
  /// Is there nothing to judge or to compute?
  bool is_settled() const noexcept { return due_count_ == 0 && last_computed_ == nullptr; }
  /// An idle time is over: the poll after `last` has found something.
  void judge(const IdleMoment& last) noexcept;
  /// Computes a result. Requires: is_any_due().
  void compute_next();

 private:
  Rank& self_;
  bool is_guarded_;
  predict::Counters& counters_;
  const IdleMoment& now_;
  std::vector<std::unique_ptr<Speculation>> all_;
  std::size_t due_count_ = 0;
  Speculation* last_computed_ = nullptr;  ///< In this idle time.
};

}  // namespace tasuki::runtime
