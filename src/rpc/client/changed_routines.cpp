#include "rpc/client/changed_routines.hpp"

#include <fmt/format.h>

#include <map>
#include <tasuki/error.hpp>

namespace tasuki::rpc {
namespace {

using nlohmann::json;
using Parameters = std::map<std::string, json>;

void add_parameters(const json& module, Parameters& all) {
  const auto module_name = module.at("module").get<std::string>();
  for (const json& one : module.at("routines")) {
    all[fmt::format("{}/{}", module_name, one.at("name").get<std::string>())] =
        one.at("parameters");
  }
  for (const json& one : module.at("classes")) {
    const auto class_name = one.at("name").get<std::string>();
    for (const json& method : one.at("methods")) {
      all[fmt::format("{}/{}.{}", module_name, class_name, method.at("name").get<std::string>())] =
          method.at("parameters");
    }
  }
}

}  // namespace

std::set<std::string> changed_routines(const std::vector<Module>& known,
                                       const std::vector<json>& now) {
  Parameters before;
  for (const Module& one : known) add_parameters(one.json, before);
  Parameters after;
  try {
    for (const json& one : now) add_parameters(one, after);
  } catch (const json::exception& fault) {
    throw error("read interfaces", fault.what(),
                "let server and client use versions of Tasuki that know each other");
  }
  std::set<std::string> changed;
  for (const auto& [name, parameters] : before) {
    const auto found = after.find(name);
    if (found == after.end() || found->second != parameters) changed.insert(name);
  }
  return changed;
}

}  // namespace tasuki::rpc
