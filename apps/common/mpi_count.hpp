// Numbers of elements as MPI takes them: a call's counts are of type int.
//
// Called by the MPI baselines where an input decides how many elements there are. Thread-safety: a
// pure function.
#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <limits>
#include <stdexcept>

namespace tasuki::apps {

/// Throws std::length_error if one call of MPI does not take so many.
inline int mpi_count(std::size_t count) {
  constexpr int most = std::numeric_limits<int>::max();
  if (count <= static_cast<std::size_t>(most)) return static_cast<int>(count);
  throw std::length_error(
      fmt::format("{} elements are more than the {} that one call of MPI takes. Remedy: start more "
                  "ranks, or use the program over Tasuki",
                  count, most));
}

}  // namespace tasuki::apps
