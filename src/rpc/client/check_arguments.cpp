#include "rpc/client/check_arguments.hpp"

#include <fmt/format.h>

#include <tasuki/error.hpp>

namespace tasuki::rpc {

void check_arguments(const Routine& routine, const CallLayout& layout,
                     const std::vector<ArrayArgument>& arrays) {
  const std::string operation = fmt::format("call {}", routine.name);
  std::size_t next = 0;
  for (std::size_t i = 0; i < routine.parameters.size(); ++i) {
    if (!layout[i]) continue;
    const std::string& name = routine.parameters[i].name;
    if (next == arrays.size()) {
      throw error(operation, fmt::format("array {} is missing", name), "give it");
    }
    const ArrayArgument& array = arrays[next++];
    try {
      layout::check(array.view, *layout[i], array.memory_bytes);
    } catch (const error& fault) {
      throw error(operation, fmt::format("array {}: {}", name, fault.happened()), fault.remedy());
    }
  }
  if (next != arrays.size()) {
    throw error(operation, fmt::format("{} arrays are given, but it has {}", arrays.size(), next),
                "give those that the interface names");
  }
}

}  // namespace tasuki::rpc
