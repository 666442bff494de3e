#include <tasuki/coll/algorithm.hpp>
#include <tasuki/coll/shared_memory.hpp>

namespace tasuki::coll::scan {

extern const AlgorithmDescriptor staged = {
    .collective = Collective::scan,
    .name = "staged",
    .summary =
        "All put their operands on the board; each combines those of the ranks up to its own, in "
        "order.",
    .not_applicable_because = needs_elements_of_a_slot,
    .parameters = {&board_piece_bytes, 1},
    .way = InNodeMemory{},
    .cost_text = "on each rank: a copy of n, at most (p - 1) n combined",
    .order = Order::ranks,
};

}  // namespace tasuki::coll::scan
