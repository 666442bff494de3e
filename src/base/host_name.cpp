#include "base/host_name.hpp"

#include <unistd.h>

#include <array>

namespace tasuki::base {

std::string host_name() {
  std::array<char, 256> name{};  // The last 0 stays: gethostname may cut the name off without one.
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

}  // namespace tasuki::base
