#include "coll/phases/blocks.hpp"
#include "coll/preconditions.hpp"

namespace tasuki::coll {
namespace {

constexpr ParameterDeclaration outstanding = {
    "outstanding", 4, 1, 1 << 20, "ranks that a rank sends to and receives from at a time"};

/// Each rank sends its blocks to `batch` ranks ahead and receives those of `batch` ranks behind per
/// round.
void exchange(ScheduleBuilder& builder, const Shape& shape, int batch) {
  const int ranks = shape.ranks;
  const int rank = shape.rank;
  const Blocks from = sent_blocks(shape);
  const Blocks to = received_blocks(shape);
  builder.copy(from.of(rank), to.of(rank));
  for (int distance = 1; distance < ranks; ++distance) {
    if ((distance - 1) % batch == 0) builder.next_round();
    const int target = (rank + distance) % ranks;
    const int source = wrapped(rank - distance, ranks);
    builder.send(target, from.of(target));
    builder.receive(source, to.of(source));
  }
  builder.next_round();
}

void write_at_once(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  exchange(builder, shape, shape.ranks);
}

void write_pairwise(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  exchange(builder, shape, 1);
}

void write_throttled(ScheduleBuilder& builder, const Shape& shape, const Parameters& given) {
  exchange(builder, shape, static_cast<int>(given.get("outstanding")));
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  Cost total{shapes.size() - 1, 0};
  for (const Shape& shape : shapes) {
    const Blocks from = sent_blocks(shape);
    for (int target = 0; target < shape.ranks; ++target) {
      if (target != shape.rank) total.elements += from.count(target);
    }
  }
  return total;
}

}  // namespace

namespace alltoall {

extern const AlgorithmDescriptor linear = {
    .collective = Collective::alltoall,
    .uneven = Collective::alltoallv,
    .name = "linear",
    .summary = "Everybody sends everything at once, beginning with the next rank.",
    .way = BySchedule{write_at_once, cost},
    .cost_text = "rounds: p - 1; elements: all that leave their rank",
};

extern const AlgorithmDescriptor pairwise = {
    .collective = Collective::alltoall,
    .uneven = Collective::alltoallv,
    .name = "pairwise",
    .summary =
        "In round d every rank sends d ahead and receives from d behind (see Thakur, Rabenseifner "
        "and Gropp 2005).",
    .way = BySchedule{write_pairwise, cost},
    .cost_text = "rounds: p - 1; elements: all that leave their rank",
};

extern const AlgorithmDescriptor two_proc = {
    .collective = Collective::alltoall,
    .name = "two_proc",
    .summary = "Two ranks exchange their blocks.",
    .not_applicable_because = needs_two_ranks,
    .way = BySchedule{write_pairwise, cost},
    .cost_text = "rounds: 1; elements: 2 n",
};

extern const AlgorithmDescriptor linear_sync = {
    .collective = Collective::alltoall,
    .name = "linear_sync",
    .summary = "Like linear, but only so many messages at a time (Open MPI).",
    .parameters = {&outstanding, 1},
    .way = BySchedule{write_throttled, cost},
    .cost_text = "rounds: p - 1; elements: all that leave their rank",
};

}  // namespace alltoall

namespace alltoallv {

extern const AlgorithmDescriptor scattered = {
    .collective = Collective::alltoallv,
    .name = "scattered",
    .summary = "Like linear, but only so many messages at a time (MPICH's scattered, throttled).",
    .parameters = {&outstanding, 1},
    .way = BySchedule{write_throttled, cost},
    .cost_text = "rounds: p - 1; elements: all that leave their rank",
};

}  // namespace alltoallv

}  // namespace tasuki::coll
