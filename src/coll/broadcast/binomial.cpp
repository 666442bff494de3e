#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/tree_phases.hpp"

namespace tasuki::coll::broadcast {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  broadcast_along(builder, knomial_tree(shape.ranks, shape.rank, shape.root, 2),
                  {Buffer::output, 0, shape.count});
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const int p = shapes.front().ranks;
  return {as_size(ceil_log(p)), as_size(p - 1) * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor binomial = {
    .collective = Collective::broadcast,
    .name = "binomial",
    .summary =
        "Down a binomial tree, the largest subtree first (see Thakur, Rabenseifner and Gropp "
        "2005).",
    .not_applicable_because = always_applicable,
    .way = BySchedule{make, cost},
    .cost_text = "rounds: ceil(log2 p); elements: (p - 1) n",
};

}  // namespace tasuki::coll::broadcast
