#include "coll/shared_costs.hpp"

namespace tasuki::coll {
namespace {

template <Collective collective>
void write(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  constexpr bool inclusive = collective == Collective::scan;
  const bool sends = shape.rank + 1 < shape.ranks;
  const Slice input{shape.in_place ? Buffer::output : Buffer::input, 0, shape.count};
  const Slice result{Buffer::output, 0, shape.count};
  // What goes on to the next rank includes the own value; an exclusive result does not.
  Slice passed_on = inclusive ? result : input;
  if (shape.rank > 0) {
    if (!inclusive && sends) {
      passed_on = builder.scratch(shape.count);
      builder.copy(input, passed_on);
      builder.next_round();
    }
    const bool lands_in_result = !shape.in_place;
    const Slice arrived = lands_in_result ? result : builder.scratch(shape.count);
    builder.receive(shape.rank - 1, arrived);
    if (inclusive) {
      if (lands_in_result) {
        builder.reduce_right(input, result);
      } else {
        builder.reduce(arrived, result);
      }
    } else {
      if (sends) builder.reduce(arrived, passed_on);
      if (!lands_in_result) builder.copy(arrived, result);
    }
  } else if (inclusive && !shape.in_place) {
    builder.copy(input, result);
  }
  builder.next_round();
  if (sends) builder.send(shape.rank + 1, passed_on);
  builder.next_round();
}

template <Collective collective>
constexpr AlgorithmDescriptor linear_of() {
  return {.collective = collective,
          .name = "linear",
          .summary = "Each rank waits for the one before it.",
          .way = BySchedule{write<collective>, vector_cost<others>},
          .cost_text = "rounds: p - 1; elements: (p - 1) n",
          .order = Order::ranks};
}

}  // namespace

namespace scan {
extern const AlgorithmDescriptor linear = linear_of<Collective::scan>();
}
namespace exscan {
extern const AlgorithmDescriptor linear = linear_of<Collective::exscan>();
}

}  // namespace tasuki::coll
