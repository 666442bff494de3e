#include "rpc/sessions/routine_name.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <utility>

namespace tasuki::rpc {
namespace {

std::string full_name(const Module& module, std::string_view name) {
  return fmt::format("{}/{}", module.name, name);
}

/// How one kind of what modules have is found and named.
template <class Found>
struct Search {
  std::string operation;
  const char* what;
  const Found* (*find)(const Module&, std::string_view);
  std::vector<std::string> (*all_names)(const Module&);
};

std::vector<std::string> names_of_routines(const Module& module) {
  std::vector<std::string> names;
  for (const Routine& one : module.routines) names.push_back(one.name);
  for (const RemoteClass& one : module.classes) {
    for (const Routine& method : one.methods) names.push_back(method.name);
  }
  return names;
}

std::vector<std::string> names_of_classes(const Module& module) {
  std::vector<std::string> names;
  for (const RemoteClass& one : module.classes) names.push_back(one.name);
  return names;
}

template <class Found>
std::pair<const Module&, const Found&> find_one(const std::vector<Module>& modules,
                                                std::string_view name,
                                                const Search<Found>& search) {
  const std::size_t slash = name.find('/');
  const bool has_module = slash != std::string_view::npos;
  const std::string_view wanted = has_module ? name.substr(slash + 1) : name;
  std::vector<std::pair<const Module*, const Found*>> found;
  std::vector<std::string> names;
  std::vector<std::string> all_names;
  for (const Module& module : modules) {
    for (const std::string& one : search.all_names(module)) {
      all_names.push_back(full_name(module, one));
    }
    if (has_module && module.name != name.substr(0, slash)) continue;
    if (const Found* const one = search.find(module, wanted)) {
      found.emplace_back(&module, one);
      names.push_back(full_name(module, wanted));
    }
  }
  if (found.size() == 1) return {*found.front().first, *found.front().second};
  if (found.empty()) {
    throw UnknownRoutine(search.operation, fmt::format("the server has no such {}", search.what),
                         fmt::format("it has {}", fmt::join(all_names, ", ")));
  }
  throw UnknownRoutine(search.operation, fmt::format("several modules have such a {}", search.what),
                       fmt::format("choose one of {}", fmt::join(names, ", ")));
}

}  // namespace

FoundRoutine find_routine(const std::vector<Module>& modules, std::string_view name) {
  const Search<Routine> search{
      fmt::format("call {}", name), "routine",
      [](const Module& module, std::string_view wanted) { return module.find(wanted); },
      names_of_routines};
  const auto [module, routine] = find_one(modules, name, search);
  return {module, routine};
}

FoundClass find_class(const std::vector<Module>& modules, std::string_view name) {
  const Search<RemoteClass> search{
      fmt::format("make an object of {}", name), "class",
      [](const Module& module, std::string_view wanted) { return module.find_class(wanted); },
      names_of_classes};
  const auto [module, remote_class] = find_one(modules, name, search);
  return {module, remote_class};
}

}  // namespace tasuki::rpc
