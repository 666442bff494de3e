#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/phases/scan_phases.hpp"

namespace tasuki::coll {
namespace {

template <Prefix prefix>
Schedule make(const Shape& shape, const Parameters&) {
  ScheduleBuilder builder;
  scan_recursive_doubling(builder, shape, prefix);
  return builder.finish();
}

Cost cost(std::span<const Shape> shapes, const Parameters&) {
  return scan_recursive_doubling_cost(shapes.front());
}

template <Prefix prefix>
constexpr AlgorithmDescriptor recursive_doubling_of(Collective collective) {
  return {.collective = collective,
          .name = "recursive_doubling",
          .summary =
              "Groups of neighbours that double exchange what they have made (see Thakur, "
              "Rabenseifner and Gropp 2005).",
          .not_applicable_because = always_applicable,
          .way = BySchedule{make<prefix>, cost},
          .cost_text =
              "rounds: ceil(log2 p); elements: n p log2 p for powers of two, less what has no peer "
              "else"};
}

}  // namespace

namespace scan {
extern const AlgorithmDescriptor recursive_doubling =
    recursive_doubling_of<Prefix::inclusive>(Collective::scan);
}
namespace exscan {
extern const AlgorithmDescriptor recursive_doubling =
    recursive_doubling_of<Prefix::exclusive>(Collective::exscan);
}

}  // namespace tasuki::coll
