#include "sssp/method.hpp"

#include <algorithm>

#include "sssp/dijkstra.hpp"

namespace tasuki::sssp {
namespace {

constexpr Method all_methods[] = {
    {"in", "Crauser et al., criterion IN", false, solve_in},
    {"out", "Crauser et al., criterion OUT", false, solve_out},
    {"both", "Crauser et al., IN or OUT", false, solve_both},
    {"delta", "delta-stepping", false, solve_delta},
    {"dijkstra", "Dijkstra with a heap, on one rank", true, solve_dijkstra},
};

}  // namespace

std::uint64_t solve_dijkstra(Search& search, Weight) {
  Dijkstra(search.graph().begins, search.graph().arcs).solve(search.source(), search.distances());
  return 1;
}

std::span<const Method> methods() { return all_methods; }

const Method& method(std::string_view name) {
  return *std::ranges::find(all_methods, name, &Method::name);
}

}  // namespace tasuki::sssp
