// One rank of the radix sort: its keys, an untimed and a timed sort, and what came of it.
//
// Used by the main programs, all of whose ranks run it. Thread-safety: one per rank; collective.
#pragma once

#include "common/job.hpp"
#include "radixsort/result.hpp"
#include "radixsort/sequential.hpp"

namespace tasuki::radixsort {

/// `exchange` has this rank's share of the keys, places `places` of the unsorted set, and besides
/// an Exchange's operations a stopwatch and a barrier.
template <Exchange E>
Result sort_keys(const Options& options, int rank, apps::Range places, E& exchange) {
  Sorter sorter(options.radix, rank, exchange);
  Result result;
  for (const bool timed : {false, true}) {  // The first sort touches all memory.
    generate_keys(places, exchange.keys());
    result.hash_before = hash_of(exchange.keys());
    exchange.barrier();
    if (timed) exchange.stopwatch().start();
    sorter.sort();
  }
  const apps::Measurement measurement = exchange.stopwatch().stop();
  if (options.perturb && rank == 0 && !exchange.keys().empty()) ++exchange.keys().front();
  const std::uint64_t hash_before = result.hash_before;
  result = result_of(exchange.keys());
  result.hash_before = hash_before;
  result.measurement = measurement;
  return result;
}

/// The program, on every rank. Returns: its exit code.
template <apps::Job J, Exchange E>
int run(const Options& options) {
  E exchange({0, options.key_count}, options.split);
  const Result mine = sort_keys(options, J::rank(), exchange.places(), exchange);
  return apps::report_results<J>(mine, options.json, [&](const std::vector<Result>& results) {
    apps::Report report = report_of(results, options);
    if (options.speedup)
      report.sequential_seconds = sequential_seconds(options.key_count, options.radix, J::now_s);
    return report;
  });
}

}  // namespace tasuki::radixsort
