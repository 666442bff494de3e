#include "coll/phases/accumulator.hpp"

namespace tasuki::coll::scan {
namespace {

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  Accumulator accumulator = whole_vector(builder, shape);
  for (int distance = 1; distance < shape.ranks; distance *= 2) {
    if (shape.rank + distance < shape.ranks)
      builder.send(shape.rank + distance, accumulator.value());
    if (shape.rank >= distance) {
      accumulator.absorb(shape.rank - distance, Side::left);
    } else {
      builder.next_round();
    }
  }
  accumulator.settle();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  Cost total;
  for (std::size_t distance = 1; distance < shapes.size(); distance *= 2) {
    ++total.rounds;
    total.elements += (shapes.size() - distance) * shapes.front().count;
  }
  return total;
}

}  // namespace

extern const AlgorithmDescriptor hillis_steele = {
    .collective = Collective::scan,
    .name = "hillis_steele",
    .summary =
        "From ever twice as far back comes the combination of twice as many inputs (Hillis and "
        "Steele 1986).",
    .way = BySchedule{write, cost},
    .cost_text = "rounds: ceil(log2 p); elements: n times the sum of p - d, d = 1, 2, 4, ... < p",
};

}  // namespace tasuki::coll::scan
