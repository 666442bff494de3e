#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/phases/tree_phases.hpp"

namespace tasuki::coll::scatter {
namespace {

constexpr ParameterDeclaration parameters[] = {
    {"radix", 4, 2, 64, "a rank has up to radix - 1 children per digit of its number"}};

int radix_of(const Parameters& given) { return static_cast<int>(given.get("radix")); }

Schedule make(const Shape& shape, const Parameters& given) {
  ScheduleBuilder builder;
  knomial_scatter(builder, shape, radix_of(given), Blocks::equal(Buffer::input, shape.count),
                  {Buffer::output, 0, shape.count});
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const int p = shapes.front().ranks;
  return {as_size(knomial_rounds(p, radix_of(given))),
          knomial_gather_elements(p, radix_of(given), shapes.front().count)};
}

}  // namespace

extern const AlgorithmDescriptor knomial = {
    .collective = Collective::scatter,
    .name = "knomial",
    .summary = "Blocks of whole subtrees travel down a k-nomial tree (UCC; binomial is radix 2).",
    .not_applicable_because = always_applicable,
    .parameters = parameters,
    .way = BySchedule{make, cost},
    .cost_text =
        "rounds: about (k - 1) log_k p; elements: n times the sum of all subtree sizes; k = radix",
};

}  // namespace tasuki::coll::scatter
