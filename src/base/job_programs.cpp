#include <tasuki/detail/base/build_id.hpp>
#include <tasuki/detail/base/fnv_hash.hpp>
#include <tasuki/detail/base/job_programs.hpp>

#include <atomic>

namespace tasuki::base {
namespace {

constinit std::atomic<bool> admits_others{false};
constinit std::atomic<bool> others_are_there{false};

}  // namespace

ProgramIdentity own_program() noexcept {
  return {main_build_id(), admits_others ? fnv_hash(TASUKI_SOURCES_HASH) | 1U : 0};
}

void admit_other_programs() noexcept { admits_others = true; }

bool has_other_programs() noexcept { return others_are_there; }

bool join(const ProgramIdentity& one, const ProgramIdentity& other) noexcept {
  if (!one.runs_with(other)) return false;
  if (one.build != other.build) others_are_there = true;
  return true;
}

}  // namespace tasuki::base
