// tasuki_explain: which algorithm a policy chooses for one collective, why, and what it and the
// others would cost on a simulated network.
//
// Reads one question in JSON on standard input (read_question) and prints one JSON object. Run by
// the command `tasuki explain`. Exit code: 0, or 2 with the error on standard error.
#include <fmt/format.h>
#include <tasuki/detail/base/topology.hpp>
#include <tasuki/detail/coll/policy_file.hpp>
#include <tasuki/detail/coll/registry.hpp>
#include <tasuki/detail/node/algorithms.hpp>
#include <tasuki/error.hpp>

#include <cstddef>
#include <cstdio>
#include <exception>
#include <iostream>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/request_reader.hpp"
#include "explain/simulated_call.hpp"

namespace {

using namespace tasuki;
using apps::Json;
using coll::AlgorithmDescriptor;

constexpr const char* no_rounds = "none";

struct Question {
  apps::SimulatedCall call;
  std::string policy_path;               ///< Empty: the built-in policy.
  std::optional<std::string> algorithm;  ///< Whose rounds are shown, `no_rounds`, or the chosen.
  std::string parameters;                ///< Of `algorithm`.
  std::size_t shown_rank = 0;
  bool is_drawn = false;  ///< Are the sends of all ranks wanted for a picture?
};

Question read_question(std::string_view text) {
  apps::RequestReader request("explaining a collective", text);
  Question question;
  question.call = apps::read_call(request);
  if (!request.is_null("policy")) question.policy_path = request.text("policy");
  if (!request.is_null("algorithm")) question.algorithm = request.text("algorithm");
  if (!request.is_null("parameters")) question.parameters = request.text("parameters");
  question.call.shape.reproducible = request.flag("reproducible");
  question.shown_rank =
      static_cast<std::size_t>(request.integer("rank", 0, question.call.shape.ranks - 1));
  question.is_drawn = request.flag("is_drawn");
  request.finish();
  return question;
}

coll::Policy policy_of(const Question& question) {
  if (question.policy_path.empty()) return coll::default_policy();
  const std::string text = coll::read_policy_file(question.policy_path);
  return coll::policy_for(coll::parse_policy_file(text, question.policy_path), base::machine_name(),
                          question.call.transport, question.policy_path);
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

Json alternative_json(const apps::SimulatedCall& call, const AlgorithmDescriptor& algorithm) {
  const coll::Parameters parameters = complete(algorithm, {});
  const bool has_messages = algorithm.medium() == coll::Medium::messages;
  std::string why_not = unavailable_because(call, algorithm, parameters);
  if (why_not.empty() && has_messages) why_not = too_large_because(call, algorithm, parameters);
  const bool is_simulated = why_not.empty() && has_messages;
  const bool is_in_memory = algorithm.medium() == coll::Medium::shared_memory ||
                            algorithm.medium() == coll::Medium::peer_memory;
  return {
      {"algorithm", algorithm.name},
      {"parameters", parameters.to_text()},
      {"summary", algorithm.summary},
      {"cost", algorithm.cost_text},
      {"unavailable", why_not},
      {"in_memory", is_in_memory},
      {"simulated", is_simulated ? json_of(simulation_of(call, algorithm, parameters)) : Json()}};
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
      question.algorithm ? coll::algorithm_named(question.call.collective, *question.algorithm)
                         : *choice.algorithm;
  const coll::Parameters parameters =
      question.algorithm ? complete(algorithm, coll::Parameters::parse(question.parameters))
                         : choice.parameters;
  Shown shown{algorithm.name, parameters.to_text(), {}};
  if (algorithm.medium() == coll::Medium::messages) {
    const std::string why_not = too_large_because(question.call, algorithm, parameters);
    if (!why_not.empty()) {
      throw error("explaining a collective", fmt::format("{}: {}", algorithm.name, why_not),
                  "ask for fewer ranks, or name another algorithm");
    }
    shown.schedules = schedules_of(question.call, algorithm, parameters);
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
  const apps::SimulatedCall& call = question.call;
  check(call.collective, call.shape);
  const coll::Choice choice = policy_of(question).select(call.collective, call.shape, call.media);
  const auto [shown, shown_parameters, schedules] = shown_for(question, choice);
  Json sends = Json::array();
  if (question.is_drawn) {
    for (const coll::Schedule& schedule : schedules) sends.push_back(sends_json(schedule));
  }
  Json alternatives = Json::array();
  for (const auto* one : coll::algorithms_of(call.collective)) {
    alternatives.push_back(alternative_json(call, *one));
  }
  return {
      {"chosen", choice.algorithm->name},
      {"chosen_parameters", choice.parameters.to_text()},
      {"reason", choice.reason},
      {"network", call.network_text},
      {"network_source", call.network.source},
      {"network_parameters", network_json(call.network)},
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
