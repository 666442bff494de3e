#include "rpc/client/check_arguments.hpp"

#include <fmt/format.h>

#include <tasuki/error.hpp>

namespace tasuki::rpc {

void check_array(const Routine& routine, const Parameter& parameter,
                 const layout::ArrayLayout& layout, const ArrayArgument& array) {
  try {
    layout::check(array.view, layout, array.memory_bytes);
  } catch (const error& fault) {
    throw error(fmt::format("call {}", routine.name),
                fmt::format("array {}: {}", parameter.name, fault.happened()), fault.remedy());
  }
}

void check_arguments(const Routine& routine, const CallLayout& layout,
                     const std::vector<CallArray>& arrays) {
  const std::string operation = fmt::format("call {}", routine.name);
  std::size_t next = 0;
  for (std::size_t i = 0; i < routine.parameters.size(); ++i) {
    if (!layout[i]) continue;
    const std::string& name = routine.parameters[i].name;
    if (next == arrays.size()) {
      throw error(operation, fmt::format("array {} is missing", name), "give it");
    }
    const auto* const array = std::get_if<ArrayArgument>(&arrays[next++]);
    if (array != nullptr) check_array(routine, routine.parameters[i], *layout[i], *array);
  }
  if (next != arrays.size()) {
    throw error(operation, fmt::format("{} arrays are given, but it has {}", arrays.size(), next),
                "give those that the interface names");
  }
}

void check_object(const Routine& routine, const std::string& object) {
  if (routine.is_method() == !object.empty()) return;
  const std::string operation = fmt::format("call {}", routine.name);
  if (routine.is_method()) {
    throw error(operation, "it is a method, and no object is given",
                fmt::format("make an object of {}, and call its method", routine.class_name()));
  }
  throw error(operation, "it is no method, and an object is given", "call it without an object");
}

}  // namespace tasuki::rpc
