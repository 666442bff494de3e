#include "mpi/wait/shared_cores.hpp"

#include <algorithm>

namespace tasuki::mpi::wait {
namespace {

bool is_within(const cpu_set_t& inner, const cpu_set_t& outer) {
  cpu_set_t both;
  CPU_AND(&both, &inner, &outer);
  return CPU_EQUAL(&both, &inner) != 0;
}

}  // namespace

bool are_crowded(const std::vector<cpu_set_t>& masks) {
  return std::any_of(masks.begin(), masks.end(), [&masks](const cpu_set_t& mask) {
    const auto inside = std::count_if(masks.begin(), masks.end(), [&mask](const cpu_set_t& other) {
      return is_within(other, mask);
    });
    return inside > CPU_COUNT(&mask);
  });
}

}  // namespace tasuki::mpi::wait
