#include "coll/patterns/partition.hpp"
#include "coll/phases/butterfly.hpp"

namespace tasuki::coll::reduce {
namespace {

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  const bool is_root = shape.rank == shape.root;
  const Slice own{is_root && shape.in_place ? Buffer::output : Buffer::input, 0, shape.count};
  const Fold fold(shape.ranks);
  const Partition partition(shape.count, fold.active());
  const PartOffset parts = [&](int index) { return partition.offset(index); };
  const Slice home = is_root ? Slice{Buffer::output, 0, shape.count} : builder.scratch(shape.count);
  const int head = fold.group(shape.root);
  Accumulator accumulator(builder, own, home);
  if (fold_in(accumulator, fold, shape.rank)) {
    recursive_splitting(accumulator, fold, shape.rank, 2, parts);
    accumulator.settle();
    builder.next_round();
    joining_at(builder, accumulator.home(), fold, shape.rank, head, parts);
  }
  if (fold.leader(head) != shape.root) {
    if (is_root) accumulator.replace(fold.leader(head));
    if (shape.rank == fold.leader(head)) accumulator.send(shape.root);
  }
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const Shape& shape = shapes.front();
  const Fold fold(shape.ranks);
  const Partition partition(shape.count, fold.active());
  const PartOffset parts = [&](int index) { return partition.offset(index); };
  const std::size_t hops = fold.leads(shape.root) ? 0 : 1;
  const std::size_t vectors = as_size(fold.active() - 1 + fold.folded()) + hops;
  return {2 * as_size(ceil_log(fold.active())) + (fold.folded() > 0 ? 1 : 0) + hops,
          vectors * shape.count + joining_at_elements(fold, fold.group(shape.root), parts)};
}

}  // namespace

extern const AlgorithmDescriptor rabenseifner = {
    .collective = Collective::reduce,
    .name = "rabenseifner",
    .summary = "Reduce-scatter by recursive halving, then a binomial gather (Rabenseifner 2004).",
    .way = BySchedule{write, cost},
    .cost_text =
        "rounds: 2 log2 q, + 1 if p > q, + 1 if the root was folded; elements: n (p - 1 + (log2 q) "
        "/ 2), + n if the root was folded; q = power of two <= p",
};

}  // namespace tasuki::coll::reduce
