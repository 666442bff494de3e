// An accumulator: a rank's partial result while other ranks' values are combined into it.
//
// It knows where the value is: in the place it was given (usually the input, which stays
// unchanged) until the first combination, in its home after that. So the first value that arrives
// is received straight into the home and the own value combined with it: no copy beforehand, and
// no scratch where only one value ever arrives.
// Thread-safety: none; used by one algorithm while it builds one schedule.
#pragma once

#include <cstddef>

#include <tasuki/coll/schedule.hpp>
#include <tasuki/coll/schedule_builder.hpp>

namespace tasuki::coll {

/// On which side of the own value, as an operand, another value belongs.
enum class Side : bool { left, right };

/// A part of the vector that is accumulated.
struct Window {
  std::size_t offset = 0;  ///< In elements, like `count`.
  std::size_t count = 0;
};

class Accumulator {
 public:
  /// `own` is the value now; `home` (of the same length) is where it will be; `aliased` says
  /// that both are the same memory though their names differ.
  Accumulator(ScheduleBuilder& builder, Slice own, Slice home, bool aliased = false);

  /// Where the value is.
  Slice value() const { return settled_ ? home_ : own_; }
  Slice home() const { return home_; }

  /// A round: sends the value to `peer`.
  void send(int peer);
  /// A round: receives a value from `peer`, which belongs on `side` of the own one, and combines.
  void absorb(int peer, Side side);
  /// A round: both at once.
  void exchange(int peer, Side side);
  /// A round: sends the part `give` and receives and combines the part `keep`, which is all that
  /// counts as the value from now on.
  void exchange_parts(int peer, Side side, Window give, Window keep);
  /// A round: replaces the value by what `peer` sends.
  void replace(int peer);
  /// Brings the value home if it is not there yet; belongs to the open round.
  void settle();

 private:
  void combine(int peer, Side side, Window keep);

  ScheduleBuilder& builder_;
  Slice own_;
  Slice home_;
  Slice spare_;
  bool settled_;
};

}  // namespace tasuki::coll
