#include "npb/is/result.hpp"

#include <fmt/format.h>

#include "npb/is/exchanged.hpp"

namespace tasuki::npb::is {
namespace {

/// The rank of test key `test` that its owner found; -1 if nobody owned it.
std::int64_t rank_found(const std::vector<Result>& results, std::size_t iteration,
                        std::size_t test) {
  for (const Result& result : results)
    if (result.ranks[iteration][test] >= 0) return result.ranks[iteration][test];
  return -1;
}

/// All ranks' keys one after the other.
Order joined(const std::vector<Result>& results) {
  Order all;
  for (const Result& result : results) {
    const Order& part = result.order;
    if (part.key_count == 0) continue;
    all.misplaced += part.misplaced;
    if (all.key_count > 0 && part.smallest < all.largest) ++all.misplaced;
    if (all.key_count == 0) all.smallest = part.smallest;
    all.largest = part.largest;
    all.key_count += part.key_count;
  }
  return all;
}

}  // namespace

Order order_of(std::span<const Key> sorted) {
  Order order{.key_count = static_cast<std::int64_t>(sorted.size())};
  if (sorted.empty()) return order;
  order.smallest = sorted.front();
  order.largest = sorted.back();
  Key before = 0;
  for (const Key key : sorted) {
    if (key < before) ++order.misplaced;
    before = key;
  }
  return order;
}

Report report_of(const std::vector<Result>& results, const Options& options) {
  const Problem problem = problem_of(options.problem_class);
  Report report{.name = "is",
                .title = title_of("is", options),
                .parameters = parameters_of(options),
                .value_name = "key_rank",
                .operations = problem.operations()};
  const auto ranks = static_cast<int>(results.size());
  const bool counts = choose(options.exchanged, problem, ranks) == Exchanged::counts;
  report.parameters["exchange"] = counts ? "counts" : "keys";
  for (int iteration = 1; iteration <= iterations; ++iteration)
    for (std::size_t test = 0; test < test_count; ++test)
      report.checks.push_back(
          {fmt::format("rank of key {} in iteration {}", problem.tests[test].place, iteration),
           static_cast<double>(rank_found(results, static_cast<std::size_t>(iteration - 1), test)),
           static_cast<double>(problem.tests[test].expected_rank(iteration)), 0});
  const Order all = joined(results);
  report.checks.push_back({"keys sorted", static_cast<double>(all.key_count),
                           static_cast<double>(problem.key_count()), 0});
  report.checks.push_back({"keys out of order", static_cast<double>(all.misplaced), 0, 0});
  return report;
}

}  // namespace tasuki::npb::is
