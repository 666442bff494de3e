#include "explain/simulated_call.hpp"

#include <fmt/format.h>
#include <tasuki/error.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>
#include <utility>

namespace tasuki::apps {
namespace {

using coll::AlgorithmDescriptor;

/// The v-forms have the counts of all ranks: here each has the same.
void give_counts(SimulatedCall& call) {
  if (!coll::varies(call.collective)) return;
  coll::Shape& shape = call.shape;
  const std::vector<std::size_t> counts(static_cast<std::size_t>(shape.ranks), shape.count);
  shape.send_counts = counts;
  shape.receive_counts = counts;
}

/// Ranks lie on the nodes one after the other, and nodes in their groups.
void place(SimulatedCall& call, int ranks_per_node, int nodes_per_group) {
  call.network.ranks_per_node = ranks_per_node;
  call.network.nodes_per_group = nodes_per_group;
  auto placement = std::make_shared<const coll::Placement>(
      coll::Placement::in_order(call.shape.ranks, ranks_per_node, std::max(1, nodes_per_group)));
  const bool is_one_node = placement->nodes_count() == 1;
  call.media.shared_memory = call.media.peer_memory = is_one_node;
  if (is_one_node) return;
  if (call.transport == "shm") {
    throw error("simulating a collective",
                fmt::format("{} ranks, {} on each node, over shared memory: that connects the "
                            "ranks of one node",
                            call.shape.ranks, ranks_per_node),
                "give --transport mpi or ucx, or leave --ranks-per-node out");
  }
  call.placement = std::move(placement);
  call.shape.placement = call.placement.get();
}

/// Without a word of the user: over shared memory all on one node, else each on its own.
void place_as_usual(SimulatedCall& call, int nodes_per_group) {
  if (call.transport == "shm") {
    call.media.shared_memory = call.media.peer_memory = true;
    call.network.ranks_per_node = call.shape.ranks;
  } else {
    place(call, 1, nodes_per_group);
  }
}

/// More steps than this, of all ranks together, take too long: of one algorithm a few seconds.
/// (Xeon, Sapphire Rapids: `tasuki explain allreduce -n 65536 -s 1M`, 16 algorithms.)
constexpr std::size_t steps_most = 8'000'000;
/// As many steps are looked for where a vector has fewer elements than there are blocks, and most
/// of them come to nothing. To look for these takes a few seconds, too. (A Xeon of 2021:
/// `tasuki explain allreduce -n 10000 -s 64 --transport mpi`, ring.)
constexpr std::size_t looked_for_most = 500'000'000;

/// What a rank does.
std::size_t steps_of(const AlgorithmDescriptor& algorithm, const coll::Parameters& parameters,
                     coll::Shape shape, int rank) {
  shape.rank = rank;
  // What comes after a size exchange has about as many steps.
  const coll::Schedule one = coll::make_schedule(algorithm, shape, parameters);
  return one.transfers.size() + one.locals.size();
}

/// About what the ranks of a node do together. The first or the last may speak for it, those
/// between do about the same.
std::size_t steps_of_node(const AlgorithmDescriptor& algorithm, const coll::Parameters& parameters,
                          const coll::Shape& shape, std::span<const int> ranks) {
  const auto steps = [&](int rank) { return steps_of(algorithm, parameters, shape, rank); };
  if (ranks.size() == 1) return steps(ranks.front());
  const std::span<const int> between = ranks.subspan(1, ranks.size() - 2);
  constexpr std::size_t sampled_most = 6;
  const std::size_t stride = between.size() / sampled_most + 1;
  std::size_t of_sample = 0;
  std::size_t sampled = 0;
  for (std::size_t place = 0; place < between.size(); place += stride) {
    of_sample += steps(between[place]);
    ++sampled;
  }
  const std::size_t of_others = sampled == 0 ? 0 : of_sample * between.size() / sampled;
  return steps(ranks.front()) + steps(ranks.back()) + of_others;
}

}  // namespace

SimulatedCall read_call(RequestReader& request) {
  SimulatedCall call;
  call.collective = coll::collective_named(request.text("collective"));
  const auto ranks = request.integer("ranks", 1, std::numeric_limits<int>::max());
  const auto bytes = request.integer("message_bytes", 0, std::numeric_limits<std::int64_t>::max());
  call.shape.ranks = static_cast<int>(ranks);
  call.shape.element_bytes = sizeof(float);
  call.shape.count = static_cast<std::size_t>(bytes) / sizeof(float);
  give_counts(call);
  call.transport = request.text("transport", {"shm", "mpi", "ucx"});
  call.media.mpi_library = call.transport == "mpi";
  call.shape.commutative = true;
  call.shape.arithmetic = {base::ElementType::float32, base::Operator::sum};
  call.network_text = request.text("network");
  call.network = coll::parse_network(call.network_text);
  call.network.contention = request.flag("contention");
  const auto number_or = [&](const char* name, int otherwise) {
    if (request.is_null(name)) return otherwise;
    return static_cast<int>(request.integer(name, 1, std::numeric_limits<int>::max()));
  };
  const int ranks_per_node = number_or("ranks_per_node", 0);
  const int nodes_per_group = number_or("nodes_per_group", 0);
  if (ranks_per_node == 0) {
    place_as_usual(call, nodes_per_group);
  } else {
    place(call, ranks_per_node, nodes_per_group);
  }
  return call;
}

std::string unavailable_because(const SimulatedCall& call, const AlgorithmDescriptor& algorithm,
                                const coll::Parameters& parameters) {
  if (!has(call.media, algorithm.medium())) {
    return algorithm.medium() == coll::Medium::mpi_library ? "the transport has no MPI library"
                                                           : "the ranks do not share memory";
  }
  return not_usable_because(algorithm, call.shape, parameters);
}

std::string too_large_because(const SimulatedCall& call, const AlgorithmDescriptor& algorithm,
                              const coll::Parameters& parameters) {
  const coll::Shape& shape = call.shape;
  const coll::Placement each_alone = coll::Placement::in_order(shape.ranks, 1);
  const coll::Placement& placement = shape.placement != nullptr ? *shape.placement : each_alone;
  const int nodes_count = placement.nodes_count();
  const std::span<const int> ranks = placement.ranks_on(nodes_count / 2);
  // A root may have more to do than all others. The nodes do about the same.
  const std::size_t steps =
      steps_of(algorithm, parameters, shape, 0) +
      steps_of_node(algorithm, parameters, shape, ranks) * static_cast<std::size_t>(nodes_count);
  if (steps > steps_most) {
    return fmt::format("about {} million steps are too many to simulate", steps / 1'000'000);
  }
  // Blocks that may vary are all of one size here, and have been counted.
  const auto blocks_count = static_cast<std::size_t>(shape.ranks);
  if (coll::varies(algorithm.collective) || shape.count >= blocks_count) return {};
  coll::Shape without_empty = shape;
  without_empty.count = blocks_count;
  const std::size_t looked_for =
      steps_of(algorithm, parameters, without_empty, ranks.front()) * blocks_count;
  if (looked_for > looked_for_most) {
    return fmt::format("about {} million blocks, most of them empty, are too many to check",
                       looked_for / 1'000'000);
  }
  return {};
}

std::vector<coll::Schedule> schedules_of(const SimulatedCall& call,
                                         const AlgorithmDescriptor& algorithm,
                                         const coll::Parameters& parameters) {
  coll::Shape shape = call.shape;
  std::vector<coll::Shape> shapes;
  for (shape.rank = 0; shape.rank < shape.ranks; ++shape.rank) shapes.push_back(shape);
  return coll::make_schedules(algorithm, shapes, parameters);
}

coll::Simulation simulation_of(const SimulatedCall& call, const AlgorithmDescriptor& algorithm,
                               const coll::Parameters& parameters) {
  coll::Simulation all;
  double begin_ns = 0;
  const auto append = [&](const std::vector<coll::Schedule>& schedules, std::size_t element_bytes) {
    const auto part = coll::simulate(schedules, element_bytes, call.network);
    for (coll::SimulatedRound round : part.rounds) {
      round.begin_ns += begin_ns;
      round.end_ns += begin_ns;
      all.rounds.push_back(round);
    }
    begin_ns = all.end_ns += part.end_ns;
    all.messages_count += part.messages_count;
    all.sent_bytes += part.sent_bytes;
  };
  if (algorithm.exchanges_sizes()) {
    std::vector<coll::Schedule> exchanges;
    coll::Shape shape = call.shape;
    for (shape.rank = 0; shape.rank < shape.ranks; ++shape.rank) {
      exchanges.push_back(coll::make_schedule(algorithm, shape, parameters));
    }
    append(exchanges, sizeof(std::size_t));
  }
  append(schedules_of(call, algorithm, parameters), call.shape.element_bytes);
  return all;
}

}  // namespace tasuki::apps
