// The problems of NPB IS: sizes, and the ranks that five of the keys must get.
//
// Called by the key generator, the ranking and the report. Thread-safety: pure functions.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "npb/common/options.hpp"

namespace tasuki::npb::is {

using Key = std::int32_t;

inline constexpr int iterations = 10;
inline constexpr std::size_t test_count = 5;
/// Keys are divided among the ranks by their leading bits, in this many buckets.
inline constexpr int bucket_bits = 10;
inline constexpr std::size_t bucket_count = std::size_t{1} << bucket_bits;

/// A key to be checked. Every iteration changes two keys of the whole set, so that the ranks of
/// the small keys rise and those of the large ones fall from iteration to iteration.
struct TestKey {
  std::int64_t place = 0;  ///< Where the key stands in the unsorted set.
  std::int64_t rank = 0;   ///< Its rank, as published ...
  int drift = 0;           ///< ... plus this for every iteration ...
  int drift_begin = 0;     ///< ... after this one.

  std::int64_t expected_rank(int iteration) const noexcept {
    return rank + std::int64_t{drift} * (iteration - drift_begin);
  }
};

struct Problem {
  int key_count_bits = 0;  ///< log2 of the number of keys.
  int key_bits = 0;        ///< Keys are below 2^key_bits.
  std::array<TestKey, test_count> tests{};

  std::int64_t key_count() const noexcept { return std::int64_t{1} << key_count_bits; }
  Key key_limit() const noexcept { return Key{1} << key_bits; }
  int bucket_shift() const noexcept { return key_bits - bucket_bits; }
  Key first_key_of(std::size_t bucket) const noexcept {
    return static_cast<Key>(bucket << bucket_shift());
  }
  /// Keys ranked in the timed part, as NPB counts for its Mop/s.
  double operations() const noexcept { return iterations * static_cast<double>(key_count()); }
};

inline Problem problem_of(ProblemClass problem_class) noexcept {
  switch (problem_class) {
    case ProblemClass::s:
      return {16,
              11,
              {{{48427, 0, 1, 0},
                {17148, 18, 1, 0},
                {23627, 346, 1, 0},
                {62548, 64917, -1, 0},
                {4431, 65463, -1, 0}}}};
    case ProblemClass::w:
      return {20,
              16,
              {{{357773, 1249, 1, 2},
                {934767, 11698, 1, 2},
                {875723, 1039987, -1, 0},
                {898999, 1043896, -1, 0},
                {404505, 1048018, -1, 0}}}};
    case ProblemClass::a:
      return {23,
              19,
              {{{2112377, 104, 1, 1},
                {662041, 17523, 1, 1},
                {5336171, 123928, 1, 1},
                {3642833, 8288932, -1, 1},
                {4250760, 8388264, -1, 1}}}};
    case ProblemClass::b:
      return {25,
              21,
              {{{41869, 33422937, -1, 0},
                {812306, 10244, 1, 0},
                {5102857, 59149, 1, 0},
                {18232239, 33135281, -1, 0},
                {26860214, 99, 1, 0}}}};
    case ProblemClass::c:
      return {27,
              23,
              {{{44172927, 61147, 1, 0},
                {72999161, 882988, 1, 0},
                {74326391, 266290, 1, 0},
                {129606274, 133997595, -1, 0},
                {21736814, 133525895, -1, 0}}}};
  }
  return {};
}

}  // namespace tasuki::npb::is
