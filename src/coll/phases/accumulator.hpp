// An accumulator: a rank's partial result while other ranks' values are combined into it.
//
// It knows where the value is: in the place it was given (usually the input, which stays
// unchanged) until the first combination, in its home after that. So the first value that arrives
// is received straight into the home and the own value combined with it: no copy beforehand, and
// no scratch where only one value ever arrives.
// Thread-safety: none; used by one algorithm while it builds one schedule.
#pragma once

#include <vector>

#include <tasuki/detail/coll/algorithm.hpp>

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
  /// A round: receives the values of all other `members`, in the order of their operands, of whom
  /// this rank is number `self`, and combines.
  void absorb_among(const std::vector<int>& members, int self);
  /// A round: sends the value to `peer` and combines it with what comes back.
  void exchange(int peer, Side side);
  /// A round: sends the part `give` and receives and combines the part `keep`, which is all that
  /// counts as the value from now on.
  void exchange_parts(int peer, Side side, Window give, Window keep);
  /// A round among `members`, in the order of their operands, of whom this rank is number `self`:
  /// each sends to every other one that one's window, and combines its own window. Every member
  /// computes ((v0 OP v1) OP v2) ..., so where windows are equal all get the same bits.
  void exchange_among(const std::vector<int>& members, int self,
                      const std::vector<Window>& windows);
  /// A round: replaces the value by what `peer` sends.
  void replace(int peer);
  /// Brings the value home if it is not there yet; belongs to the open round.
  void settle();

 private:
  void combine(const std::vector<int>& members, int self, Window keep);
  void fold_settled(const std::vector<Slice>& operands, int self, Slice target);
  void fold_unsettled(const std::vector<Slice>& operands, int self, Slice own, Slice target);

  ScheduleBuilder& builder_;
  Slice own_;
  Slice home_;
  Slice spare_;  ///< Scratch for operands, used again in every round.
  bool settled_;
};

/// The value of a rank whose whole input is an operand and whose whole output is a result.
Accumulator whole_vector(ScheduleBuilder& builder, const Shape& shape);

}  // namespace tasuki::coll
