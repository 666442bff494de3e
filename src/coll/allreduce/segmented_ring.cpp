#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/patterns/partition.hpp"
#include "coll/phases/ring_phases.hpp"
#include "coll/phases/tree_phases.hpp"
#include "coll/preconditions.hpp"

namespace tasuki::coll::allreduce {
namespace {

constexpr ParameterDeclaration parameters[] = {
    {"segment_bytes", 1 << 20, 0, 1LL << 40, "size of a segment of a block; 0: blocks whole"}};

int segments_of(const Shape& shape, const Parameters& given) {
  return segments_count(ceil_div(shape.count, as_size(shape.ranks)), shape.element_bytes,
                        static_cast<std::size_t>(given.get("segment_bytes")));
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

Schedule make(const Shape& shape, const Parameters& given) {
  ScheduleBuilder builder;
  const int p = shape.ranks;
  const int segments = segments_of(shape, given);
  if (p == 1 && !shape.in_place) {
    builder.copy({Buffer::input, 0, shape.count}, {Buffer::output, 0, shape.count});
  }
  for (int index = 0; index < segments; ++index) {
    ring_reduce_scatter(builder, p, shape.rank, segment_of(shape, Buffer::input, segments, index),
                        segment_of(shape, Buffer::output, segments, index), shape.in_place, 1);
  }
  ring_allgather(builder, {p, shape.rank}, Blocks::cut(Buffer::output, shape.count, p), 1);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const std::size_t others = shapes.size() - 1;
  const auto segments = as_size(segments_of(shapes.front(), given));
  return {(segments + 1) * others, 2 * others * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor segmented_ring = {
    .collective = Collective::allreduce,
    .name = "segmented_ring",
    .summary =
        "Like ring, but the reduce-scatter goes round once for each segment of the blocks, so that "
        "what arrives is combined while it is in the cache (Open MPI, after Pjesivac-Grbovic et "
        "al. 2007).",
    .not_applicable_because = needs_commutative,
    .parameters = parameters,
    .way = BySchedule{make, cost},
    .cost_text = "rounds: (s + 1) (p - 1); elements: 2 (p - 1) n; s = segments of a block",
};

}  // namespace tasuki::coll::allreduce
