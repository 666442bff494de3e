#include "coll/phases/accumulator.hpp"

#include "coll/patterns/numbers.hpp"

namespace tasuki::coll {

Accumulator::Accumulator(ScheduleBuilder& builder, Slice own, Slice home, bool aliased)
    : builder_(builder),
      own_(own),
      home_(home),
      settled_(aliased || (own.buffer == home.buffer && own.offset == home.offset)) {}

Accumulator whole_vector(ScheduleBuilder& builder, const Shape& shape) {
  return {
      builder, {Buffer::input, 0, shape.count}, {Buffer::output, 0, shape.count}, shape.in_place};
}

void Accumulator::send(int peer) {
  builder_.send(peer, value());
  builder_.next_round();
}

void Accumulator::absorb(int peer, Side side) {
  const bool before = side == Side::left;
  const std::vector<int> members = before ? std::vector{peer, -1} : std::vector{-1, peer};
  combine(members, before ? 1 : 0, {0, home_.count});
  builder_.next_round();
}

void Accumulator::absorb_among(const std::vector<int>& members, int self) {
  if (members.size() > 1) combine(members, self, {0, home_.count});
  builder_.next_round();
}

void Accumulator::exchange(int peer, Side side) {
  exchange_parts(peer, side, {0, home_.count}, {0, home_.count});
}

void Accumulator::exchange_parts(int peer, Side side, Window give, Window keep) {
  if (side == Side::left) {
    exchange_among({peer, -1}, 1, {give, keep});
  } else {
    exchange_among({-1, peer}, 0, {keep, give});
  }
}

void Accumulator::exchange_among(const std::vector<int>& members, int self,
                                 const std::vector<Window>& windows) {
  const int size = static_cast<int>(members.size());
  for (int step = 1; step < size; ++step) {
    // Everybody begins with the next member, so that nobody is sent to by all at once.
    const std::size_t to = as_size((self + step) % size);
    builder_.send(members[to], value().part(windows[to].offset, windows[to].count));
  }
  combine(members, self, windows[as_size(self)]);
  builder_.next_round();
}

void Accumulator::replace(int peer) {
  builder_.receive(peer, home_);
  builder_.next_round();
  settled_ = true;
}

void Accumulator::settle() {
  if (!settled_) builder_.copy(own_, home_);
  settled_ = true;
}

void Accumulator::combine(const std::vector<int>& members, int self, Window keep) {
  const Slice target = home_.part(keep.offset, keep.count);
  const int size = static_cast<int>(members.size());
  // While the own value is elsewhere, the first operand lands in the target itself.
  const int first_other = self == 0 ? 1 : 0;
  const std::size_t in_scratch = (as_size(size) - (settled_ ? 1 : 2)) * keep.count;
  if (spare_.count < in_scratch) spare_ = builder_.scratch(in_scratch);
  std::vector<Slice> operands(as_size(size));
  std::size_t used = 0;
  for (int i = 0; i < size; ++i) {
    if (i == self) continue;
    if (!settled_ && i == first_other) {
      operands[as_size(i)] = target;
    } else {
      operands[as_size(i)] = spare_.part(used, keep.count);
      used += keep.count;
    }
  }
  for (int step = 1; step < size; ++step) {
    const std::size_t from = as_size((self - step + size) % size);
    builder_.receive(members[from], operands[from]);
  }
  if (settled_) {
    fold_settled(operands, self, target);
  } else {
    fold_unsettled(operands, self, own_.part(keep.offset, keep.count), target);
  }
  settled_ = true;
}

void Accumulator::fold_settled(const std::vector<Slice>& operands, int self, Slice target) {
  for (int i = 1; i < self; ++i) builder_.reduce_right(operands[as_size(i)], operands[0]);
  if (self > 0) builder_.reduce(operands[0], target);
  for (std::size_t i = as_size(self) + 1; i < operands.size(); ++i) {
    builder_.reduce_right(operands[i], target);
  }
}

void Accumulator::fold_unsettled(const std::vector<Slice>& operands, int self, Slice own,
                                 Slice target) {
  if (self == 0) builder_.reduce(own, target);
  for (std::size_t i = self == 0 ? 2 : 1; i < operands.size(); ++i) {
    builder_.reduce_right(i == as_size(self) ? own : operands[i], target);
  }
}

}  // namespace tasuki::coll
