#include "runtime/collectives/plan_maker.hpp"

#include <tasuki/detail/node/algorithms.hpp>
#include <utility>
#include <variant>

#include "runtime/recording/recorder.hpp"

namespace tasuki::runtime {
namespace {

coll::Policy built_in_policy() {
  node::register_algorithms();
  return coll::default_policy();
}

}  // namespace

PlanMaker::PlanMaker(bool has_mpi_library)
    : policy_(built_in_policy()), has_mpi_library_(has_mpi_library) {}

void PlanMaker::set_policy(coll::Policy policy) {
  policy_ = std::move(policy);
  ++policy_number_;
}

void PlanMaker::set_reproducible(bool wanted) {
  is_reproducible_ = wanted;
  ++policy_number_;
}

coll::Media PlanMaker::media_of(const TeamState& team) const {
  coll::Media media = media_without_peers(team);
  media.peer_memory = media.shared_memory && team.node_segment->reads_peers();
  return media;
}

coll::Media PlanMaker::media_without_peers(const TeamState& team) const {
  return {.shared_memory = team.node_segment != nullptr,
          .mpi_library = team.is_world && has_mpi_library_};
}

Plan PlanMaker::make_plan(const TeamState& team, const CollectiveCall& call, bool blocking) const {
  coll::check(call.collective, call.shape);
  coll::Media media = media_without_peers(team);
  if (blocking) {
    media = media_of(team);
  } else {
    media.shared_memory = false;
  }
  Plan plan;
  plan.collective = call.collective;
  plan.shape = call.shape;
  plan.blocking = blocking;
  plan.policy_number = policy_number_;
  plan.input_count = coll::input_count(call.collective, call.shape);
  plan.output_count = coll::output_count(call.collective, call.shape);
  const coll::Choice choice = policy_.select(call.collective, call.shape, media);
  plan.algorithm = choice.algorithm->name;
  plan.way = way_of(choice, call);
  return plan;
}

void PlanMaker::find_shortcuts(TeamState& team) const {
  team.shortcuts = {.policy_number = policy_number_};
  if (team.node_segment == nullptr) return;
  coll::Shape shape;
  shape.ranks = static_cast<int>(team.ranks.size());
  const coll::Choice choice =
      policy_.select(coll::Collective::barrier, shape, media_without_peers(team));
  if (choice.algorithm->medium() == coll::Medium::shared_memory) {
    const auto& way = std::get<coll::InNodeMemory>(choice.algorithm->way);
    team.shortcuts.barrier = std::get<node::BarrierFunction>(way.function->call);
    team.shortcuts.barrier_algorithm = choice.algorithm->name;
  }
  if (Recorder::current() != nullptr) return;  // It tells of a plan's algorithm.
  team.shortcuts.element_most_bytes = find_element_most_bytes(team);
}

std::size_t PlanMaker::find_element_most_bytes(const TeamState& team) const {
  coll::Shape shape;
  shape.ranks = static_cast<int>(team.ranks.size());
  shape.count = 1;
  shape.in_place = true;
  shape.reproducible = is_reproducible_;
  shape.commutative = true;
  shape.arithmetic = {base::ElementType::float64, base::Operator::sum};
  const auto is_staged = [&] {
    const auto choice =
        policy_.select(coll::Collective::allreduce, shape, media_without_peers(team));
    return choice.algorithm->medium() == coll::Medium::shared_memory;
  };
  while (shape.element_bytes <= node::StagingBuffer::line_data_bytes && is_staged()) {
    ++shape.element_bytes;
  }
  return shape.element_bytes - 1;
}

}  // namespace tasuki::runtime
