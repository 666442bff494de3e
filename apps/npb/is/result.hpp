// What a rank of IS hands to rank 0, and the report made of it.
//
// Thread-safety: values and pure functions.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "common/report.hpp"
#include "npb/common/options.hpp"
#include "npb/is/problem.hpp"

namespace tasuki::npb::is {

/// Ranks of the test keys; -1 where the key's value belongs to another rank.
using TestRanks = std::array<std::int64_t, test_count>;

/// How one rank's keys stand after sorting by their ranks.
struct Order {
  std::int64_t key_count = 0;
  std::int64_t misplaced = 0;  ///< Places that are empty or smaller than the one before.
  Key smallest = 0;
  Key largest = 0;
};

/// Trivially copyable: it travels as it is.
struct Result {
  std::array<TestRanks, iterations> ranks{};
  Order order;
  Measurement measurement;
};

/// Checks `sorted`, empty places being -1.
Order order_of(std::span<const Key> sorted);

/// Checks every test key of every iteration, and that the ranks' keys continue each other, all
/// there and in order. `results` are by rank.
Report report_of(const std::vector<Result>& results, const Options& options);

}  // namespace tasuki::npb::is
