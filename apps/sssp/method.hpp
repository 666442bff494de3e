// The methods of finding shortest paths, in one list.
//
// Called by every rank (node.hpp); the options come from the list. Thread-safety: the functions
// work on one rank's Search.
#pragma once

#include <span>
#include <string_view>

#include "sssp/search.hpp"

namespace tasuki::sssp {

struct Method {
  std::string_view name;
  std::string_view summary;
  bool is_sequential;  ///< For one rank only.
  /// Sets all distances. `delta` is the width of a bucket, for who has them. Returns: the number of
  /// phases: those of the paper for its criteria, for delta-stepping how often the ranks agreed on
  /// the next bucket. Collective.
  std::uint64_t (*solve)(Search& search, Weight delta);
};

std::uint64_t solve_in(Search& search, Weight delta);
std::uint64_t solve_out(Search& search, Weight delta);
std::uint64_t solve_both(Search& search, Weight delta);
std::uint64_t solve_delta(Search& search, Weight delta);
/// Returns: 1, there being one phase on one rank.
std::uint64_t solve_dijkstra(Search& search, Weight delta);

std::span<const Method> methods();
/// Requires: it is in the list.
const Method& method(std::string_view name);

}  // namespace tasuki::sssp
