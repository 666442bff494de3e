// The methods of finding shortest paths, in one list.
//
// Called by every rank (node.hpp); the options come from the list. Thread-safety: the functions
// work on one rank's Search.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "sssp/search.hpp"

namespace tasuki::sssp {

/// A method at work on one search. What it needs beside the distances stays from one `solve` to the
/// next, so that only the first touches new memory.
class Solver {
 public:
  Solver() = default;
  virtual ~Solver() = default;
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  /// Sets all distances. Returns: the number of phases: those of the paper for its criteria, for
  /// delta-stepping how often the ranks agreed on the next bucket, 1 for Dijkstra. Collective.
  virtual std::uint64_t solve() = 0;
};

struct Method {
  std::string_view name;
  std::string_view summary;
  bool is_sequential;  ///< For one rank only.
  bool has_buckets;    ///< Whose width is `delta`.
  /// `delta` is the width of a bucket, for who has them. Requires: `search` outlives the solver.
  std::unique_ptr<Solver> (*make)(Search& search, Weight delta);
};

std::unique_ptr<Solver> make_in(Search& search, Weight delta);
std::unique_ptr<Solver> make_out(Search& search, Weight delta);
std::unique_ptr<Solver> make_both(Search& search, Weight delta);
std::unique_ptr<Solver> make_delta(Search& search, Weight delta);
std::unique_ptr<Solver> make_dijkstra(Search& search, Weight delta);

/// A width of buckets that suits the graph; at least least_delta, which does not make too many.
Weight default_delta(const GraphSummary& summary) noexcept;
Weight least_delta(const GraphSummary& summary) noexcept;

std::span<const Method> methods();
/// Requires: it is in the list.
const Method& method(std::string_view name);

}  // namespace tasuki::sssp
