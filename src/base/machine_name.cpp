#include <unistd.h>

#include <fmt/format.h>
#include <tasuki/detail/base/topology.hpp>

#include <fstream>

namespace tasuki::base {

std::string machine_name() {
  // What x86 and others, in this order of preference, call the processor in /proc/cpuinfo.
  std::string model = "unknown processor";
  std::ifstream lines("/proc/cpuinfo");
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    if (colon == std::string::npos) continue;
    if (!line.starts_with("model name") && !line.starts_with("CPU part")) continue;
    model = line.substr(colon + 2);
    break;
  }
  return fmt::format("{} cores, {}", ::sysconf(_SC_NPROCESSORS_ONLN), model);
}

}  // namespace tasuki::base
