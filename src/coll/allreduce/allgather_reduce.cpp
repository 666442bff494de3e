#include "coll/phases/bruck_allgather.hpp"
#include "coll/shared_parameters.hpp"

namespace tasuki::coll::allreduce {
namespace {

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters& given) {
  const Slice own{shape.in_place ? Buffer::output : Buffer::input, 0, shape.count};
  const Slice result{Buffer::output, 0, shape.count};
  const Slice room = builder.scratch(as_size(shape.ranks) * shape.count);
  const Blocks all = Blocks::equal(room.buffer, shape.count, room.offset);
  builder.copy(own, all.of(shape.rank));
  bruck_allgather(builder, shape.ranks, shape.rank, radix_of(given), all);
  builder.copy(all.of(0), result);
  for (int rank = 1; rank < shape.ranks; ++rank) builder.reduce_right(all.of(rank), result);
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const std::size_t p = shapes.size();
  return {bruck_hops_count(shapes.front().ranks, radix_of(given)),
          p * (p - 1) * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor allgather_reduce = {
    .collective = Collective::allreduce,
    .name = "allgather_reduce",
    .summary =
        "Everybody gets all vectors by Bruck's allgather (1997) and combines them in rank order.",
    .parameters = {&bruck_radix, 1},
    .way = BySchedule{write, cost},
    .cost_text =
        "rounds: ceil(log2 p) for radix 2, about (radix - 1) log_radix p; elements: p (p - 1) n",
    .order = Order::ranks,
};

}  // namespace tasuki::coll::allreduce
