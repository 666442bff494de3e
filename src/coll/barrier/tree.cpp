#include <tasuki/detail/coll/algorithm.hpp>
#include <tasuki/detail/coll/schedule_builder.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/patterns/tree.hpp"

namespace tasuki::coll::barrier {
namespace {

constexpr ParameterDeclaration parameters[] = {
    {"radix", 2, 2, 64, "a rank has up to radix - 1 children per digit of its number"}};

int radix_of(const Parameters& given) { return static_cast<int>(given.get("radix")); }

Schedule make(const Shape& shape, const Parameters& given) {
  ScheduleBuilder builder;
  const TreeNode node = knomial_tree(shape.ranks, shape.rank, 0, radix_of(given));
  for (const int child : node.children) builder.await_signal(child);
  builder.next_round();
  if (node.parent >= 0) {
    builder.signal(node.parent);
    builder.next_round();
    builder.await_signal(node.parent);
    builder.next_round();
  }
  for (const int child : node.children) builder.signal(child);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters& given) {
  const int p = shapes.front().ranks;
  return {2 * as_size(knomial_rounds(p, radix_of(given))), 0};
}

}  // namespace

extern const AlgorithmDescriptor tree = {
    .collective = Collective::barrier,
    .name = "tree",
    .summary =
        "Signals gather up a k-nomial tree and are released down it (Mellor-Crummey and Scott 1991 "
        "use trees alike).",
    .not_applicable_because = always_applicable,
    .parameters = parameters,
    .way = BySchedule{make, cost},
    .cost_text = "rounds: 2 ceil(log2 p) for radix 2",
};

}  // namespace tasuki::coll::barrier
