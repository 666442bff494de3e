// What a rank does ahead of the messages that it waits for, and what came of it.
//
// A call of the program that waits tells what its receives expect; between its polls it lets one
// step after the other be done; and it tells what has come. The first step of a receive predicts
// the header of its message: source, tag and size. If these are right they stay, and else only what
// was wrong is done again. Further steps touch the pages of the buffer that the message will fill.
// Receives with large buffers and all others have a guard each, as their steps gain differently.
//
// Thread-safety: none; one call of the program at a time.
#pragma once

#include "mpi/ahead/pages.hpp"
#include "mpi/ahead/report.hpp"

#include <tasuki/detail/base/clock.hpp>
#include <tasuki/detail/predict/guard.hpp>
#include <tasuki/detail/predict/predictor.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace tasuki::mpi::ahead {

class Predictions {
 public:
  using Clock = std::int64_t (*)() noexcept;

  /// `is_guarded`: steps are done while they gain, else always. `clock` is in nanoseconds.
  Predictions(std::unique_ptr<predict::Predictor> predictor, bool is_guarded, Report& report,
              Clock clock = base::now_ns);

  /// A call of the program begins, which waits for nothing yet.
  void begin() noexcept;
  /// It waits for a message that goes to `buffer`; nullptr if that is not known. The messages that
  /// a call expects are numbered from 0.
  void expect(const predict::Receive& receive, const void* buffer);
  /// What it was told of one of them.
  const predict::Receive& receive(std::size_t index) const noexcept {
    return expected_[index].receive;
  }

  /// A poll has found that the call has to wait. Does the next step, and returns whether there was
  /// one.
  bool step() noexcept;

  /// A message that was expected has come.
  void arrived(std::size_t index, const predict::Message& message) noexcept;
  /// The same of one that comes again, to another call: nothing is learned from it yet.
  void seen(std::size_t index, const predict::Message& message) noexcept;

 private:
  struct Expected {
    predict::Receive receive;
    const void* buffer = nullptr;
    bool was_begun = false;
    bool is_predicted = false;
    predict::Message header;
    Pages pages;
    std::int64_t touching_ns = 0;
    std::int64_t touched_bytes = 0;

    bool may_have_pages() const noexcept {
      return buffer != nullptr && receive.arguments.message_bytes >= Pages::least_bytes;
    }
  };

  bool may_begin(const Expected& one) noexcept;
  /// Does a step for one of them, and returns whether it has more.
  bool step_of(Expected& one) noexcept;
  void compare(const Expected& one, const predict::Message& message) noexcept;
  predict::Guard& guard_of(const Expected& one) noexcept {
    return one.may_have_pages() ? pages_guard_ : header_guard_;
  }

  std::unique_ptr<predict::Predictor> predictor_;
  bool is_guarded_;
  Report& report_;
  Clock clock_;
  predict::Guard header_guard_;
  predict::Guard pages_guard_;
  std::vector<Expected> expected_;
  std::size_t next_ = 0;  ///< The first for which steps may be left.
  bool was_idle_ = false;
  std::int64_t last_step_ns_ = 0;  ///< Of the step since the last poll, 0 if there was none.
};

}  // namespace tasuki::mpi::ahead
