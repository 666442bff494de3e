#include "coll/phases/bruck_allgather.hpp"
#include "coll/shared_parameters.hpp"

namespace tasuki::coll::allgather {
namespace {

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters& given) {
  const Blocks all = received_blocks(shape);
  builder.copy({Buffer::input, 0, all.count(shape.rank)}, all.of(shape.rank));
  bruck_allgather(builder, shape.ranks, shape.rank, radix_of(given), all);
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const std::size_t p = shapes.size();
  return {bruck_hops_count(shapes.front().ranks, radix_of(given)),
          (p - 1) * total_receive_count(shapes.front())};
}

}  // namespace

extern const AlgorithmDescriptor bruck = {
    .collective = Collective::allgather,
    .uneven = Collective::allgatherv,
    .name = "bruck",
    .summary =
        "Runs of blocks that grow by the radix come from ahead (Bruck, Ho, Kipnis, Upfal and "
        "Weathersby 1997).",
    .parameters = {&bruck_radix, 1},
    .way = BySchedule{write, cost},
    .cost_text =
        "rounds: ceil(log2 p) for radix 2, about (radix - 1) log_radix p; elements: (p - 1) N; N = "
        "sum of all blocks",
};

}  // namespace tasuki::coll::allgather
