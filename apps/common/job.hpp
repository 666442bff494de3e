// The ranks of a program as the applications ask for them, be they Tasuki's or an MPI's, and how
// their results become the report.
//
// Called by the applications' nodes. Thread-safety: the rank's own thread; collective.
#pragma once

#include <concepts>

#include "common/report.hpp"

namespace tasuki::apps {

template <class J>
concept Job = requires(int value) {
  { J::implementation } -> std::convertible_to<const char*>;
  { J::transport() } -> std::convertible_to<const char*>;  ///< What carries the messages.
  { J::rank() } -> std::same_as<int>;
  { J::size() } -> std::same_as<int>;
  { J::now_s() } -> std::same_as<double>;  ///< Wall clock in seconds.
  J::barrier();
  /// Returns: on rank 0 everybody's value by rank; elsewhere anything. Collective.
  J::gather(value);
};

/// Has rank 0 print `report_of(results)`, completed by who solved it and by the measurements, which
/// are a member of each result. Returns: the exit code. Collective.
template <Job J, class Result, class ReportOf>
int report_results(const Result& mine, bool as_json, ReportOf report_of) {
  const auto results = J::gather(mine);
  if (J::rank() != 0) return 0;
  Report report = report_of(results);
  report.implementation = J::implementation;
  report.transport = J::transport();
  for (const Result& result : results) report.measurements.push_back(result.measurement);
  return print(report, as_json);
}

}  // namespace tasuki::apps
