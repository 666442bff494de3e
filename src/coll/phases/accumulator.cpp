#include "coll/phases/accumulator.hpp"

namespace tasuki::coll {

Accumulator::Accumulator(ScheduleBuilder& builder, Slice own, Slice home, bool aliased)
    : builder_(builder),
      own_(own),
      home_(home),
      settled_(aliased || (own.buffer == home.buffer && own.offset == home.offset)) {}

void Accumulator::send(int peer) {
  builder_.send(peer, value());
  builder_.next_round();
}

void Accumulator::absorb(int peer, Side side) {
  combine(peer, side, {0, home_.count});
  builder_.next_round();
}

void Accumulator::exchange(int peer, Side side) {
  exchange_parts(peer, side, {0, home_.count}, {0, home_.count});
}

void Accumulator::exchange_parts(int peer, Side side, Window give, Window keep) {
  builder_.send(peer, value().part(give.offset, give.count));
  combine(peer, side, keep);
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

void Accumulator::combine(int peer, Side side, Window keep) {
  const Slice target = home_.part(keep.offset, keep.count);
  Slice arrived = target;
  Slice other = own_.part(keep.offset, keep.count);
  Side other_side = side == Side::left ? Side::right : Side::left;
  if (settled_) {
    if (spare_.count < keep.count) spare_ = builder_.scratch(keep.count);
    arrived = spare_.part(0, keep.count);
    other = arrived;
    other_side = side;
  }
  builder_.receive(peer, arrived);
  if (other_side == Side::left) {
    builder_.reduce(other, target);
  } else {
    builder_.reduce_right(other, target);
  }
  settled_ = true;
}

}  // namespace tasuki::coll
