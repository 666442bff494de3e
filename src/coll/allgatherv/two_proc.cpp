#include <tasuki/coll/algorithm.hpp>

#include <numeric>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/allgather_phases.hpp"
#include "coll/preconditions.hpp"

namespace tasuki::coll::allgatherv {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  const Blocks all =
      Blocks::varying(Buffer::output, shape.receive_counts, shape.receive_displacements);
  builder.copy({Buffer::input, 0, all.count(shape.rank)}, all.of(shape.rank));
  builder.next_round();
  linear_allgather(builder, shape.ranks, shape.rank, all);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const std::size_t p = shapes.size();
  const auto& counts = shapes.front().receive_counts;
  const std::size_t total = std::accumulate(counts.begin(), counts.end(), std::size_t{0});
  return {1, (p - 1) * total};
}

}  // namespace

extern const AlgorithmDescriptor two_proc = {
    Collective::allgatherv,
    "two_proc",
    "Two ranks exchange their blocks.",
    needs_two_ranks,
    {},
    make,
    "rounds: 1; elements: (p - 1) times the sum of all counts",
    cost};

}  // namespace tasuki::coll::allgatherv
