#include "runtime/collectives/job_policy.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <span>
#include <string>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/detail/base/topology.hpp>
#include <tasuki/detail/coll/policy_file.hpp>
#include <tasuki/detail/runtime/calls/rank.hpp>
#include <tasuki/error.hpp>
#include <tasuki/policy.hpp>
#include <utility>

#include "runtime/collectives/rank_collectives.hpp"

namespace tasuki {
namespace runtime {
namespace {

coll::Policy policy_of(Rank& self, const std::string& text, std::string_view name) {
  return coll::policy_for(coll::parse_policy_file(text, name), base::machine_name(),
                          self.transport.name(), name);
}

/// The text of the policy that this job is to use; "" if that is the built-in one.
std::string find_policy(Rank& self) {
  const std::string wanted = base::setting::policy.text();
  if (wanted == "default") return {};
  const bool is_usual = wanted == "auto";
  const std::string path =
      is_usual ? coll::usual_policy_path(self.transport.name()) : std::string(wanted);
  std::error_code ignored;
  if (is_usual && !std::filesystem::exists(path, ignored)) return {};
  try {
    std::string text = coll::read_policy_file(path);
    policy_of(self, text, path);
    return text;
  } catch (const error& failure) {
    if (!is_usual) throw;
    base::report(fmt::format("{}; the built-in policy is used. Remedy: {}", failure.happened(),
                             failure.remedy()));
    return {};
  }
}

/// What rank 0 tells the others first.
struct Announcement {
  std::size_t policy_bytes;
  bool is_reproducible;
};

template <class T>
void broadcast_from_rank_0(Rank& self, std::span<T> data) {
  RankCollectives& collectives = *self.collectives;
  auto call = describe<T>(coll::Collective::broadcast, data.size(), {}, data);
  call.label = "start";
  collectives.start(collectives.service_team(), std::move(call)).get();
}

PlanMaker& plans() { return Rank::current().collectives->plans(); }

}  // namespace

void adopt_policy(Rank& self) {
  std::string text;
  // If it throws, the job ends, and with it the ranks that wait for this one.
  if (self.rank == 0) text = find_policy(self);
  Announcement announced{text.size(), base::setting::reproducible.flag()};
  broadcast_from_rank_0(self, std::span(&announced, 1));
  self.collectives->plans().set_reproducible(announced.is_reproducible);
  if (announced.policy_bytes == 0) return;
  text.resize(announced.policy_bytes);
  broadcast_from_rank_0(self, std::span(text));
  // That it is of this machine was for rank 0 to say: hosts may differ, their ranks may not.
  coll::PolicyFile found = coll::parse_policy_file(text, "the policy of rank 0");
  self.collectives->plans().set_policy(coll::before_default_policy(std::move(found.rows)));
}

}  // namespace runtime

coll::Policy policy() { return runtime::plans().policy(); }

bool is_reproducible() { return runtime::plans().is_reproducible(); }

void set_reproducible(bool wanted) { runtime::plans().set_reproducible(wanted); }

coll::Media media() { return runtime::plans().media_of(world_team().state()); }

const coll::Placement* placement() { return world_team().state().placement.get(); }

void set_policy(coll::Policy policy) { runtime::plans().set_policy(std::move(policy)); }

}  // namespace tasuki
