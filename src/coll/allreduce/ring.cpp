#include "coll/patterns/partition.hpp"
#include "coll/phases/ring_phases.hpp"
#include "coll/preconditions.hpp"
#include "coll/shared_parameters.hpp"

namespace tasuki::coll::allreduce {
namespace {

constexpr ParameterDeclaration block_segment_bytes =
    segment_bytes(1 << 20, "size of a segment of a block; 0: blocks whole");

int block_segments(const Shape& shape, const Parameters& given) {
  return segments_of(ceil_div(shape.count, as_size(shape.ranks)), shape, given);
}

/// Segment `index` of every block.
Blocks segment_of(const Shape& shape, Buffer buffer, int segments, int index) {
  std::vector<std::size_t> counts;
  std::vector<std::size_t> offsets;
  const Blocks whole = Blocks::cut(buffer, shape.count, shape.ranks);
  for (int rank = 0; rank < shape.ranks; ++rank) {
    const Slice block = whole.of(rank);
    const Partition parts(block.count, segments);
    counts.push_back(parts.count(index));
    offsets.push_back(block.offset + parts.offset(index));
  }
  return Blocks::varying(buffer, counts, offsets);
}

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters& given) {
  const int p = shape.ranks;
  // Rank r reduces block r + 1.
  const Circle circle{p, shape.rank + 1, -1};
  const int segments = block_segments(shape, given);
  const Blocks home = Blocks::cut(Buffer::output, shape.count, p);
  if (p == 1 && !shape.in_place) builder.copy({Buffer::input, 0, shape.count}, home.of(0));
  for (int index = 0; index < segments; ++index) {
    ring_reduce_scatter(builder, circle, segment_of(shape, Buffer::input, segments, index),
                        segment_of(shape, Buffer::output, segments, index), shape.in_place);
  }
  ring_allgather(builder, circle, home);
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const std::size_t others = shapes.size() - 1;
  const auto segments = as_size(block_segments(shapes.front(), given));
  return {(segments + 1) * others, 2 * others * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor ring = {
    .collective = Collective::allreduce,
    .name = "ring",
    .summary = "Reduce-scatter and allgather around the ring, p blocks (Patarasuk and Yuan 2009).",
    .not_applicable_because = needs_commutative,
    .way = BySchedule{write, cost},
    .cost_text = "rounds: 2 (p - 1); elements: 2 (p - 1) n",
};

extern const AlgorithmDescriptor segmented_ring = {
    .collective = Collective::allreduce,
    .name = "segmented_ring",
    .summary =
        "Like ring, but the reduce-scatter goes round once for each segment of the blocks, so that "
        "what arrives is combined while it is in the cache (Open MPI, after Pjesivac-Grbovic et "
        "al. 2007).",
    .not_applicable_because = needs_commutative,
    .parameters = {&block_segment_bytes, 1},
    .way = BySchedule{write, cost},
    .cost_text = "rounds: (s + 1) (p - 1); elements: 2 (p - 1) n; s = segments of a block",
};

}  // namespace tasuki::coll::allreduce
