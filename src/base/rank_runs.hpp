// Ranks as errors and reports name them: those that follow each other as one run.
//
//   rank_runs({0, 1, 2, 5});  // "0-2, 5"
//
// Thread-safety: safe.
#pragma once

#include <cstddef>
#include <limits>
#include <span>
#include <string>

namespace tasuki::base {

/// Of ascending ranks, of which more than `most_runs` runs end by "...".
std::string rank_runs(std::span<const int> ranks,
                      std::size_t most_runs = std::numeric_limits<std::size_t>::max());

}  // namespace tasuki::base
