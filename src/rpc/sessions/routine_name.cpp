#include "rpc/sessions/routine_name.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

namespace tasuki::rpc {
namespace {

std::string full_name(const Module& module, std::string_view routine) {
  return fmt::format("{}/{}", module.name, routine);
}

std::vector<std::string> all_names(const std::vector<Module>& modules) {
  std::vector<std::string> names;
  for (const Module& module : modules) {
    for (const Routine& one : module.routines) names.push_back(full_name(module, one.name));
  }
  return names;
}

}  // namespace

FoundRoutine find_routine(const std::vector<Module>& modules, std::string_view name) {
  const std::size_t slash = name.find('/');
  const bool has_module = slash != std::string_view::npos;
  const std::string_view wanted = has_module ? name.substr(slash + 1) : name;
  std::vector<FoundRoutine> found;
  std::vector<std::string> names;
  for (const Module& module : modules) {
    if (has_module && module.name != name.substr(0, slash)) continue;
    if (const Routine* const routine = module.find(wanted)) {
      found.push_back({module, *routine});
      names.push_back(full_name(module, wanted));
    }
  }
  if (found.size() == 1) return found.front();
  const std::string operation = fmt::format("call {}", name);
  if (found.empty()) {
    throw UnknownRoutine(operation, "the server has no such routine",
                         fmt::format("it has {}", fmt::join(all_names(modules), ", ")));
  }
  throw UnknownRoutine(operation, "several modules have such a routine",
                       fmt::format("choose one of {}", fmt::join(names, ", ")));
}

}  // namespace tasuki::rpc
