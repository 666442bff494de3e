#include "base/rank_runs.hpp"

#include <fmt/format.h>

namespace tasuki::base {

std::string rank_runs(std::span<const int> ranks, std::size_t most_runs) {
  std::string text;
  std::size_t runs_count = 0;
  for (std::size_t first = 0; first < ranks.size();) {
    if (++runs_count > most_runs) return text + ", ...";
    std::size_t last = first;
    while (last + 1 < ranks.size() && ranks[last + 1] == ranks[last] + 1) ++last;
    if (first != 0) text += ", ";
    text += first == last ? fmt::format("{}", ranks[first])
                          : fmt::format("{}-{}", ranks[first], ranks[last]);
    first = last + 1;
  }
  return text;
}

}  // namespace tasuki::base
