#include "runtime/policy.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <span>
#include <string>
#include <tasuki/base/error.hpp>
#include <tasuki/base/settings.hpp>
#include <tasuki/base/topology.hpp>
#include <tasuki/coll/policy_file.hpp>
#include <tasuki/runtime/policy.hpp>
#include <tasuki/runtime/world.hpp>
#include <utility>

#include "runtime/collectives.hpp"

namespace tasuki {
namespace runtime {
namespace {

/// What rank 0 found, as it is told to the others.
enum class Found : char { nothing, policy, failure };

std::filesystem::path usual_path(World& world) {
  const char* config = std::getenv("XDG_CONFIG_HOME");
  const char* home = std::getenv("HOME");
  std::filesystem::path folder;
  if (config != nullptr && *config != '\0') {
    folder = config;
  } else if (home != nullptr) {
    folder = std::filesystem::path(home) / ".config";
  } else {
    return {};
  }
  return folder / "tasuki" / fmt::format("policy-{}", world.transport().name());
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path);
  if (!file) {
    throw error("reading a policy", fmt::format("there is no file {}", path.string()),
                "set TASUKI_POLICY to a file made by tasuki tune, or to auto or default");
  }
  return {std::istreambuf_iterator<char>(file), {}};
}

coll::Policy policy_of(World& world, const std::string& text, std::string_view name) {
  return coll::policy_for(coll::parse_policy_file(text, name), base::machine_name(),
                          world.transport().name(), name);
}

/// What the others need: the text of a policy that is in order, or why there is none.
std::pair<Found, std::string> find_policy(World& world) {
  const std::string wanted = base::setting::policy.text();
  if (wanted == "default") return {Found::nothing, ""};
  const bool is_usual = wanted == "auto";
  const std::filesystem::path path = is_usual ? usual_path(world) : std::filesystem::path(wanted);
  std::error_code ignored;
  if (is_usual && !std::filesystem::exists(path, ignored)) return {Found::nothing, ""};
  try {
    std::string text = read_file(path);
    policy_of(world, text, path.string());
    return {Found::policy, std::move(text)};
  } catch (const error& failure) {
    if (!is_usual) return {Found::failure, failure.happened()};
    base::report(fmt::format("{}; the built-in policy is used", failure.happened()));
    return {Found::nothing, ""};
  }
}

template <class T>
void broadcast_from_rank_0(World& world, std::span<T> data) {
  Collectives& collectives = world.collectives();
  auto call = describe<T>(coll::Collective::broadcast, data.size(), {}, data);
  call.label = "start";
  collectives.start(collectives.service_team(), std::move(call)).get();
}

}  // namespace

void adopt_policy(World& world) {
  std::pair<Found, std::string> found;
  if (world.rank() == 0) found = find_policy(world);
  struct Announcement {
    Found found;
    std::size_t bytes;
  } announcement{found.first, found.second.size()};
  broadcast_from_rank_0(world, std::span(&announcement, 1));
  if (announcement.found == Found::nothing) return;
  std::string& text = found.second;
  text.resize(announcement.bytes);
  broadcast_from_rank_0(world, std::span(text));
  if (announcement.found == Found::failure) {
    throw error("reading a policy", text, "measure here with tasuki tune, or unset TASUKI_POLICY");
  }
  world.collectives().set_policy(policy_of(world, text, "the policy of rank 0"));
}

}  // namespace runtime

const coll::Policy& policy() { return runtime::World::current().collectives().policy(); }

void set_policy(coll::Policy policy) {
  runtime::World::current().collectives().set_policy(std::move(policy));
}

}  // namespace tasuki
