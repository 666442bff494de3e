// tasuki_explain: which algorithm a policy chooses for one collective, why, and what it and the
// others would cost on a simulated network.
//
// Reads one question in JSON on standard input (read_question) and prints one JSON object. Run by
// the command `tasuki explain`. Exit code: 0, or 2 with the error on standard error.
#include <fmt/format.h>
#include <tasuki/detail/base/topology.hpp>
#include <tasuki/detail/coll/placement.hpp>
#include <tasuki/detail/coll/policy_file.hpp>
#include <tasuki/detail/coll/registry.hpp>
#include <tasuki/detail/coll/simulator.hpp>
#include <tasuki/detail/node/algorithms.hpp>
#include <tasuki/error.hpp>

#include <cstdio>
#include <iostream>
#include <iterator>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/request_reader.hpp"

namespace {

using namespace tasuki;
using apps::Json;
using coll::AlgorithmDescriptor;

constexpr const char* no_rounds = "none";

struct Question {
  coll::Collective collective;
  coll::Shape shape;  ///< Of rank 0.
  coll::Media media;
  coll::Network network;
  std::shared_ptr<const coll::Placement> placement;  ///< nullptr: all on one node.
  std::string transport;
  std::string policy_path;               ///< Empty: the built-in policy.
  std::optional<std::string> algorithm;  ///< Whose rounds are shown, `no_rounds`, or the chosen.
  std::string parameters;                ///< Of `algorithm`.
  std::size_t shown_rank;
  bool is_drawn;  ///< Are the sends of all ranks wanted for a picture?
};

/// The v-forms have the counts of all ranks: here each has the same.
void give_counts(coll::Collective collective, coll::Shape& shape) {
  if (!coll::varies(collective)) return;
  const std::vector<std::size_t> counts(static_cast<std::size_t>(shape.ranks), shape.count);
  shape.send_counts = counts;
  shape.receive_counts = counts;
}

/// Ranks lie on the nodes one after the other, and nodes in their groups.
void place(Question& question, int ranks_per_node, int nodes_per_group) {
  question.network.ranks_per_node = ranks_per_node;
  question.network.nodes_per_group = nodes_per_group;
  auto placement = std::make_shared<const coll::Placement>(coll::Placement::in_order(
      question.shape.ranks, ranks_per_node, std::max(1, nodes_per_group)));
  const bool is_one_node = placement->nodes_count() == 1;
  question.media.shared_memory = question.media.peer_memory = is_one_node;
  if (is_one_node) return;
  if (question.transport == "shm") {
    throw error("explaining a collective",
                fmt::format("{} ranks, {} on each node, over shared memory: that connects the "
                            "ranks of one node",
                            question.shape.ranks, ranks_per_node),
                "give --transport mpi or ucx, or leave --ranks-per-node out");
  }
  question.placement = std::move(placement);
  question.shape.placement = question.placement.get();
}

/// Without a word of the user: over shared memory all on one node, else each on its own.
void place_as_usual(Question& question, int nodes_per_group) {
  if (question.transport == "shm") {
    question.media.shared_memory = question.media.peer_memory = true;
    question.network.ranks_per_node = question.shape.ranks;
  } else {
    place(question, 1, nodes_per_group);
  }
}

Question read_question(std::string_view text) {
  apps::RequestReader request("explaining a collective", text);
  Question question;
  question.collective = coll::collective_named(request.text("collective"));
  const auto ranks = request.integer("ranks", 1, std::numeric_limits<int>::max());
  const auto bytes = request.integer("message_bytes", 0, std::numeric_limits<std::int64_t>::max());
  question.shape.ranks = static_cast<int>(ranks);
  question.shape.element_bytes = sizeof(float);
  question.shape.count = static_cast<std::size_t>(bytes) / sizeof(float);
  give_counts(question.collective, question.shape);
  question.transport = request.text("transport", {"shm", "mpi", "ucx"});
  question.media.mpi_library = question.transport == "mpi";
  question.shape.commutative = true;
  question.shape.arithmetic = {base::ElementType::float32, base::Operator::sum};
  question.network = coll::network_named(request.text("network"));
  question.network.contention = request.flag("contention");
  const auto number_or = [&](const char* name, int otherwise) {
    if (request.is_null(name)) return otherwise;
    return static_cast<int>(request.integer(name, 1, std::numeric_limits<int>::max()));
  };
  const int ranks_per_node = number_or("ranks_per_node", 0);
  const int nodes_per_group = number_or("nodes_per_group", 0);
  if (ranks_per_node == 0) {
    place_as_usual(question, nodes_per_group);
  } else {
    place(question, ranks_per_node, nodes_per_group);
  }
  if (!request.is_null("policy")) question.policy_path = request.text("policy");
  if (!request.is_null("algorithm")) question.algorithm = request.text("algorithm");
  if (!request.is_null("parameters")) question.parameters = request.text("parameters");
  question.shape.reproducible = request.flag("reproducible");
  question.shown_rank = static_cast<std::size_t>(request.integer("rank", 0, ranks - 1));
  question.is_drawn = request.flag("is_drawn");
  request.finish();
  return question;
}

coll::Policy policy_of(const Question& question) {
  if (question.policy_path.empty()) return coll::default_policy();
  const std::string text = coll::read_policy_file(question.policy_path);
  return coll::policy_for(coll::parse_policy_file(text, question.policy_path), base::machine_name(),
                          question.transport, question.policy_path);
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

/// Why the schedules of so many ranks are not made, or "".
std::string too_large_because(const AlgorithmDescriptor& algorithm,
                              const coll::Parameters& parameters, const coll::Shape& shape) {
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

/// The schedules of all ranks; in v-forms everybody has a block of the same size.
std::vector<coll::Schedule> schedules_of(const AlgorithmDescriptor& algorithm,
                                         const coll::Parameters& parameters, coll::Shape shape) {
  std::vector<coll::Shape> shapes;
  for (shape.rank = 0; shape.rank < shape.ranks; ++shape.rank) shapes.push_back(shape);
  return coll::make_schedules(algorithm, shapes, parameters);
}

/// Of an algorithm that exchanges sizes first, the schedule of the collective begins when all have
/// been told.
coll::Simulation simulated_of(const Question& question, const AlgorithmDescriptor& algorithm,
                              const coll::Parameters& parameters) {
  coll::Simulation all;
  double begin_ns = 0;
  const auto append = [&](const std::vector<coll::Schedule>& schedules, std::size_t element_bytes) {
    const auto part = coll::simulate(schedules, element_bytes, question.network);
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
    coll::Shape shape = question.shape;
    for (shape.rank = 0; shape.rank < shape.ranks; ++shape.rank) {
      exchanges.push_back(coll::make_schedule(algorithm, shape, parameters));
    }
    append(exchanges, sizeof(std::size_t));
  }
  append(schedules_of(algorithm, parameters, question.shape), question.shape.element_bytes);
  return all;
}

Json json_of(const coll::Simulation& simulation) {
  Json rounds = Json::array();
  for (const coll::SimulatedRound& round : simulation.rounds) {
    rounds.push_back({{"begin_ns", round.begin_ns},
                      {"end_ns", round.end_ns},
                      {"messages", round.messages_count},
                      {"bytes", round.sent_bytes}});
  }
  return {{"end_ns", simulation.end_ns},
          {"rounds", rounds},
          {"messages", simulation.messages_count},
          {"bytes", simulation.sent_bytes}};
}

Json alternative_json(const Question& question, const AlgorithmDescriptor& algorithm) {
  const coll::Parameters parameters = complete(algorithm, {});
  std::string why_not = not_usable_because(algorithm, question.shape, parameters);
  if (!has(question.media, algorithm.medium())) {
    why_not = algorithm.medium() == coll::Medium::mpi_library ? "the transport has no MPI library"
                                                              : "the ranks do not share memory";
  }
  if (why_not.empty() && algorithm.medium() == coll::Medium::messages) {
    why_not = too_large_because(algorithm, parameters, question.shape);
  }
  const bool is_simulated = why_not.empty() && algorithm.medium() == coll::Medium::messages;
  const bool is_in_memory = algorithm.medium() == coll::Medium::shared_memory ||
                            algorithm.medium() == coll::Medium::peer_memory;
  return {{"algorithm", algorithm.name},
          {"parameters", parameters.to_text()},
          {"summary", algorithm.summary},
          {"cost", algorithm.cost_text},
          {"unavailable", why_not},
          {"in_memory", is_in_memory},
          {"simulated",
           is_simulated ? json_of(simulated_of(question, algorithm, parameters)) : Json()}};
}

/// Whom each rank sends to, round by round: what a picture is drawn of.
Json sends_json(const coll::Schedule& schedule) {
  Json rounds = Json::array();
  for (std::size_t index = 0; index < schedule.rounds.size(); ++index) {
    Json peers = Json::array();
    for (const coll::Transfer& transfer : schedule.round(index).sends) {
      peers.push_back(transfer.peer);
    }
    rounds.push_back(std::move(peers));
  }
  return rounds;
}

/// What is shown in rounds: no schedules of what works in memory, nor if there are to be none.
struct Shown {
  std::string name, parameters;
  std::vector<coll::Schedule> schedules;
};

Shown shown_for(const Question& question, const coll::Choice& choice) {
  if (question.algorithm == no_rounds) return {no_rounds, "", {}};
  const AlgorithmDescriptor& algorithm =
      question.algorithm ? coll::algorithm_named(question.collective, *question.algorithm)
                         : *choice.algorithm;
  const coll::Parameters parameters =
      question.algorithm ? complete(algorithm, coll::Parameters::parse(question.parameters))
                         : choice.parameters;
  Shown shown{algorithm.name, parameters.to_text(), {}};
  if (algorithm.medium() == coll::Medium::messages) {
    const std::string why_not = too_large_because(algorithm, parameters, question.shape);
    if (!why_not.empty()) {
      throw error("explaining a collective", fmt::format("{}: {}", algorithm.name, why_not),
                  "ask for fewer ranks, or name another algorithm");
    }
    shown.schedules = schedules_of(algorithm, parameters, question.shape);
  }
  return shown;
}

Json loggp_json(const coll::LogGP& costs) {
  return {{"latency_ns", costs.latency_ns},
          {"overhead_ns", costs.overhead_ns},
          {"gap_ns", costs.gap_ns},
          {"gap_ns_per_byte", costs.gap_ns_per_byte}};
}

Json network_json(const coll::Network& network) {
  Json json = loggp_json(network.link);
  json.update({{"node", loggp_json(network.node)},
               {"copy_ns_per_byte", network.copy_ns_per_byte},
               {"reduce_ns_per_byte", network.reduce_ns_per_byte},
               {"ranks_per_node", network.ranks_per_node},
               {"nodes_per_group", network.nodes_per_group},
               {"between_groups", loggp_json(network.far)},
               {"taper", network.taper},
               {"memory_ns_per_byte", network.memory_ns_per_byte},
               {"contention", network.contention}});
  return json;
}

Json explain(const Question& question) {
  check(question.collective, question.shape);
  const coll::Choice choice =
      policy_of(question).select(question.collective, question.shape, question.media);
  const auto [shown, shown_parameters, schedules] = shown_for(question, choice);
  Json sends = Json::array();
  if (question.is_drawn) {
    for (const coll::Schedule& schedule : schedules) sends.push_back(sends_json(schedule));
  }
  Json alternatives = Json::array();
  for (const auto* one : coll::algorithms_of(question.collective)) {
    alternatives.push_back(alternative_json(question, *one));
  }
  return {
      {"chosen", choice.algorithm->name},
      {"chosen_parameters", choice.parameters.to_text()},
      {"reason", choice.reason},
      {"network", question.network.name},
      {"network_source", question.network.source},
      {"network_parameters", network_json(question.network)},
      {"shown", shown},
      {"shown_parameters", shown_parameters},
      {"schedule", schedules.empty() ? Json() : Json(to_text(schedules.at(question.shown_rank)))},
      {"sends", std::move(sends)},
      {"alternatives", std::move(alternatives)}};
}

}  // namespace

int main() {
  try {
    node::register_algorithms();
    const std::string text(std::istreambuf_iterator<char>(std::cin), {});
    std::puts(apps::to_line(explain(read_question(text))).c_str());
  } catch (const std::exception& failure) {
    base::report(failure.what());
    return 2;
  }
  return 0;
}
