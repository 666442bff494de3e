#include "mpi/collectives/program_policy.hpp"

#include <tasuki/detail/coll/registry.hpp>

#include <utility>

namespace tasuki::mpi::collectives {
namespace {

using coll::PolicyRow;

/// The reason of the rows that were measured, by which a choice shows where it comes from.
constexpr const char* measured_reason = "measured";

std::vector<PolicyRow> marked(std::vector<PolicyRow> rows) {
  for (PolicyRow& row : rows) row.reason = measured_reason;
  return rows;
}

/// What was best in node memory says nothing of Tasuki's messages between nodes.
std::vector<PolicyRow> without_memory(std::vector<PolicyRow> rows) {
  for (PolicyRow& row : rows) {
    const coll::Medium medium = coll::algorithm_named(row.collective, row.algorithm).medium();
    if (medium != coll::Medium::shared_memory && medium != coll::Medium::peer_memory) continue;
    row.algorithm = "native";
    row.parameters.clear();
  }
  return rows;
}

}  // namespace

ProgramPolicy::ProgramPolicy(std::vector<PolicyRow> measured)
    : on_node_(coll::before_default_policy(marked(measured))),
      across_nodes_(coll::before_default_policy(marked(without_memory(std::move(measured))))) {}

std::optional<coll::Choice> ProgramPolicy::choose(coll::Collective collective,
                                                  const coll::Shape& shape,
                                                  coll::Media media) const {
  const coll::Policy& policy = media.shared_memory ? on_node_ : across_nodes_;
  coll::Choice choice = policy.select(collective, shape, media);
  const bool is_by_messages = choice.algorithm->medium() == coll::Medium::messages;
  if (is_by_messages && choice.reason != measured_reason) return std::nullopt;
  return choice;
}

}  // namespace tasuki::mpi::collectives
