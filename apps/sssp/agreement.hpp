// Work that may fail on one rank fails on all, before any of them waits for another.
//
// Used where a graph is loaded and memory is taken for it. Thread-safety: collective; one per rank.
#pragma once

#include <algorithm>
#include <array>
#include <new>
#include <optional>
#include <string>

#include "sssp/exchange.hpp"
#include "sssp/graph_error.hpp"

namespace tasuki::sssp {

inline graph_error lack_of_memory(const std::string& file, int rank) {
  return {file, 0, fmt::format("there is not enough memory for it on rank {}", rank),
          "take a smaller graph, or start fewer ranks on each machine"};
}

/// Runs `work` on rank 0. Throws the graph_error it throws there (lack of memory is one), on all
/// ranks; only rank 0's says why. Collective.
template <class Work>
void on_rank_0(const std::string& file, Exchange& exchange, Work work) {
  std::optional<graph_error> error;
  if (exchange.rank() == 0) {
    try {
      work();
    } catch (const graph_error& failure) {
      error = failure;
    } catch (const std::bad_alloc&) {
      error = lack_of_memory(file, 0);
    }
  }
  std::array<char, 1> failed = {error.has_value()};
  exchange.broadcast(std::as_writable_bytes(std::span(failed)));
  if (error) throw graph_error(*error);
  if (failed[0] != 0) throw graph_error(file, 0, "rank 0 could not take it", "see there");
}

/// Runs `work`, which takes memory, on every rank. Throws graph_error on all of them, naming the
/// lowest rank that has not enough. Collective.
template <class Work>
void on_all_ranks(const std::string& file, Exchange& exchange, Work work) {
  std::array<Distance, 1> lacking = {infinity};
  try {
    work();
  } catch (const std::bad_alloc&) {
    lacking[0] = static_cast<Distance>(exchange.rank());
  }
  exchange.minimise(lacking);
  if (lacking[0] != infinity) throw lack_of_memory(file, static_cast<int>(lacking[0]));
}

}  // namespace tasuki::sssp
