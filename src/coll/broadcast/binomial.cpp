#include "coll/phases/tree_phases.hpp"
#include "coll/shared_costs.hpp"

namespace tasuki::coll::broadcast {
namespace {

void write(ScheduleBuilder& builder, const Shape& shape, const Parameters&) {
  send_down(builder, knomial_tree(shape.ranks, shape.rank, shape.root, 2),
            {Buffer::output, 0, shape.count});
}

}  // namespace

extern const AlgorithmDescriptor binomial = {
    .collective = Collective::broadcast,
    .name = "binomial",
    .summary =
        "Down a binomial tree, the largest subtree first (see Thakur, Rabenseifner and Gropp "
        "2005).",
    .way = BySchedule{write, vector_cost<ceil_log2>},
    .cost_text = "rounds: ceil(log2 p); elements: (p - 1) n",
};

}  // namespace tasuki::coll::broadcast
