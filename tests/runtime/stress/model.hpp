// The reference model of a stress test: what each rank must have when all of a plan is done.
//
// It computes with plain loops what the ranks compute by calls, writes and continuations.
// Thread-safety: pure functions.
#pragma once

#include "runtime/stress/plan.hpp"

namespace tasuki::test::stress {

/// What a rank has at the end.
struct Outcome {
  std::uint64_t sum = 0;     ///< Of what calls added.
  std::uint64_t caught = 0;  ///< Of what failing calls of this rank threw.
  std::uint64_t atomic = 0;
  std::uint64_t from_sync = 0;  ///< Of what its fiber has read.
  std::vector<unsigned char> heap_inbox;
  std::vector<unsigned char> private_inbox;

  bool operator==(const Outcome&) const = default;
};

/// The rank that `hop` calls from `rank`.
inline int hop_target(int rank, int ranks) noexcept { return (rank * 5 + 3) % ranks; }
/// What `hop` returns: the sum of what it and those it called have added.
std::uint64_t hop_result(std::uint64_t value, int depth) noexcept;
/// What the second call of `chain` returns.
inline std::uint64_t chain_result(std::uint64_t value) noexcept { return 4 * value + 3; }
/// What the calls of `any` are given, and whether they throw that or return any_result of it.
inline std::uint64_t any_value(const Operation& operation, int call) noexcept {
  return operation.value + static_cast<std::uint64_t>(call);
}
inline bool any_throws(std::uint64_t value) noexcept { return value % 4 == 3; }
inline std::uint64_t any_result(std::uint64_t value) noexcept { return 3 * value + 2; }
/// Sum of the bytes of a large argument.
std::uint64_t sum_of_bytes(std::uint64_t value, std::size_t bytes) noexcept;

/// By rank.
std::vector<Outcome> expected_outcomes(const Plan& plan);

}  // namespace tasuki::test::stress
