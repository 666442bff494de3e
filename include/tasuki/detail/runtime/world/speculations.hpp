// The functions whose next results a rank computes while it is idle: which of them is computed
// next, how far that is, and what it has gained.
//
// A result is computed on a fiber of its own, one at a time. The function may let messages in; then
// it goes on in the next idle time. IdleWork has one object; predict.hpp asks it for results.
// Thread-safety: none; the rank's own thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <tasuki/detail/fiber/scheduler.hpp>
#include <tasuki/detail/predict/counters.hpp>
#include <tasuki/detail/runtime/world/speculation.hpp>
#include <vector>

namespace tasuki::runtime {

struct Rank;

class Speculations {
 public:
  /// A function that lets messages in computes for at least so long between two polls. A poll with
  /// the way there and back takes 46 ns (`bench_idle`), so messages wait little, and a poll costs
  /// a seventh of the time at most.
  static constexpr std::int64_t chunk_ns = 300;

  /// Without `is_guarded` results are computed whatever that gains.
  Speculations(Rank& self, bool is_guarded, predict::Counters& counters) noexcept
      : self_(self), is_guarded_(is_guarded), counters_(counters) {}

  // ---- for predict.hpp ------------------------------------------------------------------------
  /// Returns: nullptr if there is none yet.
  Speculation* find(const Speculation::Key& key) noexcept;
  Speculation& add(std::unique_ptr<Speculation> speculation);
  /// The function is called with these bytes. If their result is just being computed, waits for it.
  /// Returns: may the result be taken that is kept? If not, there is none any more.
  bool commit(Speculation& speculation, std::span<const std::byte> argument);
  /// In a function that computes ahead: leaves to the poller if that is due. Throws what ends the
  /// attempt if its result is not wanted any more. Does nothing elsewhere.
  static void let_messages_in() {
    if (computing_ != nullptr) computing_->pause_if_due();
  }

  // ---- for IdleWork ---------------------------------------------------------------------------
  bool has_work() const noexcept {
    return paused_ != nullptr ||
           (due_count_ != 0 && in_progress_ == nullptr && claimed_ == nullptr);
  }
  /// Makes the fiber ready that computes. Requires: has_work().
  void work() noexcept;
  /// The rank is idle. Returns: has a fiber computed since it was idle last, and has nothing
  /// arrived meanwhile? Then it is still the same idle time.
  bool goes_on() noexcept { return last_run_ != nullptr && judge(); }
  /// Ends what is in progress. From here on nothing is computed. Waits as a fiber.
  void finish();

 private:
  static void compute_on_fiber(void* untyped) noexcept;
  void compute(Speculation& speculation) noexcept;
  void begin_chunk() noexcept;
  void end_chunk() noexcept;
  void pause_if_due();
  void abandon() noexcept;
  void go_on() noexcept;
  bool judge() noexcept;
  bool compare(Speculation& speculation, std::span<const std::byte> argument) noexcept;
  void wait_for(Speculation& speculation);

  Rank& self_;
  bool is_guarded_;
  predict::Counters& counters_;
  std::vector<std::unique_ptr<Speculation>> all_;
  std::size_t due_count_ = 0;

  Speculation* in_progress_ = nullptr;  ///< Has a fiber, which may be `paused_`.
  fiber::Fiber* paused_ = nullptr;
  bool is_begun_ = false;           ///< By then the one in progress knows its argument.
  bool is_abandoned_ = false;       ///< Of the one in progress the result is not wanted any more.
  Speculation* claimed_ = nullptr;  ///< A call waits for its result.
  std::int64_t chunk_begun_ns_ = 0;
  Speculation* last_run_ = nullptr;        ///< Since the rank was idle last.
  std::uint64_t records_at_last_run_ = 0;  ///< Handled until then.

  /// While a function computes ahead; the thread has no rank then.
  static constinit thread_local Speculations* computing_ __attribute__((tls_model("initial-exec")));
};

}  // namespace tasuki::runtime
