#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/patterns/numbers.hpp"
#include "coll/patterns/tree.hpp"
#include "coll/shared_parameters.hpp"

namespace tasuki::coll::barrier {
namespace {

constexpr ParameterDeclaration parameters[] = {
    radix(2, "a rank has up to radix - 1 children per digit of its number")};

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters& given) {
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
    .parameters = parameters,
    .way = BySchedule{write, cost},
    .cost_text = "rounds: 2 ceil(log2 p) for radix 2",
};

}  // namespace tasuki::coll::barrier
