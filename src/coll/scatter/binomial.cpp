#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/tree_phases.hpp"

namespace tasuki::coll::scatter {
namespace {

Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  knomial_scatter(builder, shape, 2, Blocks::equal(Buffer::input, shape.count),
                  {Buffer::output, 0, shape.count});
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const int p = shapes.front().ranks;
  return {as_size(ceil_log(p)), knomial_gather_elements(p, 2, shapes.front().count)};
}

}  // namespace

extern const AlgorithmDescriptor binomial = {
    .collective = Collective::scatter,
    .name = "binomial",
    .summary =
        "Blocks of whole subtrees travel down a binomial tree (see Thakur, Rabenseifner and Gropp "
        "2005).",
    .not_applicable_because = always_applicable,
    .way = BySchedule{make, cost},
    .cost_text =
        "rounds: ceil(log2 p); elements: n times the sum of all subtree sizes, (p/2) log2 p for "
        "powers of two",
};

}  // namespace tasuki::coll::scatter
