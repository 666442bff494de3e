// tasuki_info: what this build of Tasuki sees here, as one JSON object on standard output.
//
// Run by the command: `tasuki info` shows it, `tasuki run` asks with --check whether the TASUKI_*
// variables are right, so that one process says what is wrong and not every rank.
// Exit code: 0, or 2 with the error on standard error.
#include <tasuki/base/error.hpp>
#include <tasuki/base/settings.hpp>
#include <tasuki/base/topology.hpp>
#include <tasuki/transport/registry.hpp>

#include <cstdio>
#include <string>
#include <string_view>

#include "info/json.hpp"

namespace {

using namespace tasuki;
using json::quoted;

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

std::string setting_json(const base::Setting* setting) {
  const bool for_user = setting->audience == base::Setting::Audience::user;
  return json::object({{"name", quoted(setting->name)},
                       {"type", quoted(type_name(setting->type))},
                       {"value", quoted(setting->text())},
                       {"default", quoted(setting->default_text)},
                       {"unit", quoted(setting->unit)},
                       {"help", quoted(setting->full_help())},
                       {"audience", quoted(for_user ? "user" : "launcher")},
                       {"is_set", setting->is_set() ? "true" : "false"}});
}

std::string cache_json(const base::CacheLevel& cache) {
  return json::object({{"level", std::to_string(cache.level)},
                       {"size_bytes", std::to_string(cache.size_bytes)},
                       {"count", std::to_string(cache.count)}});
}

std::string topology_json(const base::Topology& topology) {
  return json::object({{"sockets", std::to_string(topology.sockets)},
                       {"numa_nodes", std::to_string(topology.numa_nodes)},
                       {"cores", std::to_string(topology.cores)},
                       {"hardware_threads", std::to_string(topology.hardware_threads)},
                       {"allowed_cores", std::to_string(topology.allowed_cores)},
                       {"memory_bytes", std::to_string(topology.memory_bytes)},
                       {"caches", json::array(topology.caches, cache_json)}});
}

std::string transport_json(const transport::Descriptor& descriptor) {
  return json::object({{"name", quoted(descriptor.name)},
                       {"summary", quoted(descriptor.summary)},
                       {"unavailable_because", quoted(descriptor.unavailable_because())}});
}

}  // namespace

int main(int argc, char** argv) {
  const bool check_only = argc == 2 && std::string_view(argv[1]) == "--check";
  if (argc > 1 && !check_only) {
    std::fputs("usage: tasuki_info [--check]\n", stderr);
    return 2;
  }
  try {
    base::check_environment();
    if (check_only) return 0;
    const std::string seen =
        json::object({{"settings", json::array(base::all_settings(), setting_json)},
                      {"topology", topology_json(base::read_topology())},
                      {"transports", json::array(transport::all_transports(), transport_json)}});
    std::puts(seen.c_str());
  } catch (const error& failure) {
    base::report(failure.what());
    return 2;
  }
  return 0;
}
