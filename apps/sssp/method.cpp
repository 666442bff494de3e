#include "sssp/method.hpp"

#include <algorithm>

#include "sssp/dijkstra.hpp"

namespace tasuki::sssp {
namespace {

class SequentialSolver : public Solver {
 public:
  explicit SequentialSolver(Search& search)
      : search_(search), dijkstra_(search.graph().begins, search.graph().arcs) {}
  std::uint64_t solve() override {
    dijkstra_.solve(search_.source(), search_.distances());
    return 1;
  }

 private:
  Search& search_;
  Dijkstra dijkstra_;
};

constexpr Method all_methods[] = {
    {"in", "Crauser et al., criterion IN", false, false, make_in},
    {"out", "Crauser et al., criterion OUT", false, false, make_out},
    {"both", "Crauser et al., IN or OUT", false, false, make_both},
    {"delta", "delta-stepping", false, true, make_delta},
    {"dijkstra", "Dijkstra with a heap, on one rank", true, false, make_dijkstra},
};

}  // namespace

std::unique_ptr<Solver> make_dijkstra(Search& search, Weight) {
  return std::make_unique<SequentialSolver>(search);
}

std::span<const Method> methods() { return all_methods; }

const Method& method(std::string_view name) {
  return *std::ranges::find(all_methods, name, &Method::name);
}

}  // namespace tasuki::sssp
