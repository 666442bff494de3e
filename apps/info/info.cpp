// tasuki_info: what this build of Tasuki sees here, as one JSON object on standard output.
//
// Run by the command: `tasuki info` shows it, `tasuki run` asks with --check whether the TASUKI_*
// variables are right, so that one process says what is wrong and not every rank.
// Exit code: 0, or 2 with the error on standard error.
#include <CLI/CLI.hpp>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/detail/base/topology.hpp>
#include <tasuki/detail/transport/mpi_plugin_directories.hpp>
#include <tasuki/detail/transport/registry.hpp>
#include <tasuki/detail/transport/ucx_ways.hpp>
#include <tasuki/error.hpp>

#include <cstdio>
#include <string>

#include "common/command_line.hpp"
#include "common/json.hpp"
#include "common/reported_errors.hpp"

namespace {

using namespace tasuki;
using apps::Json;

const char* type_name(base::SettingType type) {
  switch (type) {
    case base::SettingType::integer:
      return "integer";
    case base::SettingType::seconds:
      return "seconds";
    case base::SettingType::text:
      return "text";
    case base::SettingType::flag:
      return "flag";
  }
  return "";
}

Json setting_json(const base::Setting& setting) {
  const bool for_user = setting.audience == base::Setting::Audience::user;
  return {{"name", setting.name},
          {"type", type_name(setting.type)},
          {"value", setting.is_secret && setting.is_set() ? "(secret)" : setting.text()},
          {"default", setting.default_text},
          {"unit", setting.unit},
          {"help", setting.full_help()},
          {"audience", for_user ? "user" : "launcher"},
          {"is_set", setting.is_set()}};
}

Json topology_json(const base::Topology& topology) {
  Json caches = Json::array();
  for (const base::CacheLevel& cache : topology.caches) {
    caches.push_back(
        {{"level", cache.level}, {"size_bytes", cache.size_bytes}, {"count", cache.count}});
  }
  return {{"machine", base::machine_name()},
          {"sockets", topology.sockets},
          {"numa_nodes", topology.numa_nodes},
          {"cores", topology.cores},
          {"hardware_threads", topology.hardware_threads},
          {"allowed_cores", topology.allowed_cores},
          {"memory_bytes", topology.memory_bytes},
          {"caches", caches}};
}

Json plugin_directories_json() {
  Json directories = Json::array();
  const auto home = transport::mpi_plugin_home();
  for (const auto& directory : transport::mpi_plugin_directories()) {
    directories.push_back({{"directory", directory.string()}, {"is_home", directory == home}});
  }
  return directories;
}

/// null where there is no UCX: the list of transports says why.
Json ucx_json(const Json& transports) {
  for (const Json& row : transports) {
    const auto why_not = row["unavailable_because"].get<std::string>();
    if (row["name"] == "ucx" && !why_not.empty()) return nullptr;
  }
  try {
    const transport::UcxWays ways = transport::find_ucx_ways();
    return {{"version", ways.version},
            {"here", ways.here},
            {"between_hosts", ways.between_hosts},
            {"within_host", ways.within_host},
            {"failure", ""}};
  } catch (const error& failure) {
    return {{"failure", failure.what()}};
  }
}

Json all_json() {
  Json settings = Json::array();
  for (const base::Setting* setting : base::all_settings()) {
    settings.push_back(setting_json(*setting));
  }
  Json transports = Json::array();
  for (const transport::Descriptor& descriptor : transport::all_transports()) {
    transports.push_back({{"name", descriptor.name},
                          {"summary", descriptor.summary},
                          {"unavailable_because", descriptor.unavailable_because()}});
  }
  const Json ucx = ucx_json(transports);
  return {{"settings", settings},
          {"ucx", ucx},
          {"topology", topology_json(base::read_topology())},
          {"transports", transports},
          {"mpi_plugin_directories", plugin_directories_json()}};
}

}  // namespace

int main(int argc, char** argv) {
  return apps::reporting_errors([&] {
    CLI::App line("What this build of Tasuki sees here, as one JSON object.", "tasuki_info");
    bool check_only = false;
    line.add_flag("--check", check_only, "only see whether the TASUKI_* variables are right");
    apps::parse(line, argc, argv);
    base::check_environment();
    if (!check_only) std::puts(apps::to_line(all_json()).c_str());
    return 0;
  });
}
