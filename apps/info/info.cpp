// tasuki_info: what this build of Tasuki sees here, as one JSON object on standard output.
//
// Run by the command: `tasuki info` shows it, `tasuki run` asks with --check whether the TASUKI_*
// variables are right, so that one process says what is wrong and not every rank.
// Exit code: 0, or 2 with the error on standard error.
#include <tasuki/base/error.hpp>
#include <tasuki/base/settings.hpp>
#include <tasuki/base/topology.hpp>
#include <tasuki/transport/registry.hpp>

#include <cereal/archives/json.hpp>
#include <cereal/types/string.hpp>
#include <cereal/types/vector.hpp>

#include <cstdio>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace {

using namespace tasuki;

struct SettingRow {
  std::string name, type, value, default_value, unit, help, audience;
  bool is_set = false;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(CEREAL_NVP(name), CEREAL_NVP(type), CEREAL_NVP(value),
            cereal::make_nvp("default", default_value), CEREAL_NVP(unit), CEREAL_NVP(help),
            CEREAL_NVP(audience), CEREAL_NVP(is_set));
  }
};

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

std::vector<SettingRow> settings() {
  std::vector<SettingRow> rows;
  for (const base::Setting* setting : base::all_settings()) {
    const bool for_user = setting->audience == base::Setting::Audience::user;
    rows.push_back({.name = setting->name,
                    .type = type_name(setting->type),
                    .value = setting->text(),
                    .default_value = setting->default_text,
                    .unit = setting->unit,
                    .help = setting->help,
                    .audience = for_user ? "user" : "launcher",
                    .is_set = setting->is_set()});
  }
  return rows;
}

struct TransportRow {
  std::string name, summary, unavailable_because;

  template <class Archive>
  void serialize(Archive& archive) {
    archive(CEREAL_NVP(name), CEREAL_NVP(summary), CEREAL_NVP(unavailable_because));
  }
};

std::vector<TransportRow> transports() {
  std::vector<TransportRow> rows;
  for (const transport::Descriptor& descriptor : transport::all_transports()) {
    rows.push_back({.name = descriptor.name,
                    .summary = descriptor.summary,
                    .unavailable_because = descriptor.unavailable_because()});
  }
  return rows;
}

}  // namespace

namespace tasuki::base {

template <class Archive>
void serialize(Archive& archive, CacheLevel& cache) {
  archive(cereal::make_nvp("level", cache.level), cereal::make_nvp("size_bytes", cache.size_bytes),
          cereal::make_nvp("count", cache.count));
}

template <class Archive>
void serialize(Archive& archive, Topology& topology) {
  archive(cereal::make_nvp("sockets", topology.sockets),
          cereal::make_nvp("numa_nodes", topology.numa_nodes),
          cereal::make_nvp("cores", topology.cores),
          cereal::make_nvp("hardware_threads", topology.hardware_threads),
          cereal::make_nvp("allowed_cores", topology.allowed_cores),
          cereal::make_nvp("memory_bytes", topology.memory_bytes),
          cereal::make_nvp("caches", topology.caches));
}

}  // namespace tasuki::base

int main(int argc, char** argv) {
  const bool check_only = argc == 2 && std::string_view(argv[1]) == "--check";
  if (argc > 1 && !check_only) {
    std::fputs("usage: tasuki_info [--check]\n", stderr);
    return 2;
  }
  try {
    base::check_environment();
    if (check_only) return 0;
    cereal::JSONOutputArchive archive(std::cout);
    archive(cereal::make_nvp("settings", settings()),
            cereal::make_nvp("topology", base::read_topology()),
            cereal::make_nvp("transports", transports()));
  } catch (const error& failure) {
    base::report(failure.what());
    return 2;
  }
  return 0;
}
