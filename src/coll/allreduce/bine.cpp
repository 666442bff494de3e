#include <vector>

#include "coll/patterns/bine.hpp"
#include "coll/patterns/partition.hpp"
#include "coll/phases/butterfly.hpp"
#include "coll/preconditions.hpp"

namespace tasuki::coll::allreduce {
namespace {

/// Two ranks share what both still work on.
struct Exchange {
  int peer;
  Window give;
  Window keep;
};

std::vector<Exchange> exchanges_of(const Fold& fold, int rank, std::size_t count) {
  const BineButterfly butterfly(fold.active());
  const Partition parts(count, fold.active());
  const int group = fold.group(rank);
  std::vector<Exchange> exchanges;
  int first = 0;
  int size = fold.active();
  for (int step = 0; step < butterfly.steps(); ++step) {
    size /= 2;
    const Window low{parts.offset(first), parts.count(first, first + size)};
    const Window high{parts.offset(first + size), parts.count(first + size, first + 2 * size)};
    const bool keeps_high = butterfly.takes_high(group, step);
    exchanges.push_back({fold.leader(butterfly.peer(group, step)), keeps_high ? low : high,
                         keeps_high ? high : low});
    first += keeps_high ? size : 0;
  }
  return exchanges;
}

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  const Fold fold(shape.ranks);
  Accumulator accumulator = whole_vector(builder, shape);
  if (fold_in(accumulator, fold, shape.rank)) {
    const std::vector<Exchange> exchanges = exchanges_of(fold, shape.rank, shape.count);
    for (const Exchange& exchange : exchanges) {
      const Side side = exchange.peer < shape.rank ? Side::left : Side::right;
      accumulator.exchange_parts(exchange.peer, side, exchange.give, exchange.keep);
    }
    accumulator.settle();
    builder.next_round();
    const Slice home = accumulator.home();
    for (auto back = exchanges.rbegin(); back != exchanges.rend(); ++back) {
      builder.send(back->peer, home.part(back->keep.offset, back->keep.count));
      builder.receive(back->peer, home.part(back->give.offset, back->give.count));
      builder.next_round();
    }
  }
  fold_out(builder, accumulator, fold, shape.rank);
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  const Fold fold(shapes.front().ranks);
  const std::size_t vectors = 2 * as_size(fold.active() - 1) + 2 * as_size(fold.folded());
  return {2 * as_size(ceil_log(fold.active())) + (fold.folded() > 0 ? 2 : 0),
          vectors * shapes.front().count};
}

}  // namespace

extern const AlgorithmDescriptor bine = {
    .collective = Collective::allreduce,
    .name = "bine",
    .summary =
        "Reduce-scatter and allgather over bine butterflies, whose distances are a third shorter "
        "(De Sensi et al. 2025).",
    .not_applicable_because = needs_commutative,
    .way = BySchedule{write, cost},
    .cost_text =
        "rounds: 2 log2 q, + 2 if p > q; elements: 2 n (q - 1 + p - q); q = power of two <= p",
};

}  // namespace tasuki::coll::allreduce
