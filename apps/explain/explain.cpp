// tasuki_explain: which algorithm a policy chooses for one collective, why, and what it and the
// others would cost on a simulated network, as one JSON object on standard output.
//
// Run by the command `tasuki explain`. Exit code: 0, or 2 with the error on standard error.
#include <fmt/format.h>
#include <tasuki/base/error.hpp>
#include <tasuki/base/topology.hpp>
#include <tasuki/coll/all_ranks.hpp>
#include <tasuki/coll/policy_file.hpp>
#include <tasuki/coll/registry.hpp>
#include <tasuki/coll/simulator.hpp>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

#include "info/json.hpp"

namespace {

using namespace tasuki;
using coll::AlgorithmDescriptor;

constexpr const char* usage =
    "usage: tasuki_explain COLLECTIVE RANKS BYTES TRANSPORT NETWORK LINKS POLICY ALGORITHM"
    " PARAMETERS any|reproducible RANK drawn|text\n"
    "  TRANSPORT  shm: what memory can do counts too; mpi: what its library can do\n"
    "  LINKS      contended: messages wait for each other at a node's link, or free\n"
    "  POLICY     a file, or -: the built-in one\n"
    "  ALGORITHM  the one whose rounds are shown, -: the one that is chosen, or none\n"
    "  PARAMETERS of it, or -\n"
    "  any, or only what combines in rank order\n"
    "  RANK       whose rounds are shown as text\n"
    "  drawn      the sends of all ranks are wanted for a picture, or only the text\n";

struct Question {
  coll::Collective collective;
  coll::Shape shape;  ///< Of rank 0.
  coll::Media media;
  coll::Network network;
  std::string transport, policy_path, algorithm, parameters;
  std::size_t shown_rank;
  bool is_drawn;
};

/// The v-forms have the counts of all ranks: here each has the same.
void give_counts(coll::Collective collective, coll::Shape& shape) {
  if (!coll::varies(collective)) return;
  const std::vector<std::size_t> counts(static_cast<std::size_t>(shape.ranks), shape.count);
  shape.send_counts = counts;
  shape.receive_counts = counts;
}

Question read_question(char** arguments) {
  Question question;
  question.collective = coll::collective_named(arguments[1]);
  question.shape.ranks = static_cast<int>(std::strtol(arguments[2], nullptr, 10));
  question.shape.element_bytes = sizeof(float);
  question.shape.count = std::strtoull(arguments[3], nullptr, 10) / sizeof(float);
  question.transport = arguments[4];
  if (question.shape.ranks > 0) give_counts(question.collective, question.shape);
  const bool in_memory = question.transport == "shm";
  question.media = {
      .shared_memory = in_memory, .peer_memory = in_memory, .network = question.transport == "mpi"};
  question.shape.arithmetic = {base::ElementType::float32, base::Operator::sum};
  question.network = coll::network_named(arguments[5]);
  question.network.link_contention = std::string_view(arguments[6]) == "contended";
  question.policy_path = arguments[7];
  question.algorithm = arguments[8];
  question.parameters = arguments[9];
  question.shape.reproducible = std::string_view(arguments[10]) == "reproducible";
  question.shown_rank = std::strtoull(arguments[11], nullptr, 10);
  question.is_drawn = std::string_view(arguments[12]) == "drawn";
  return question;
}

coll::Policy policy_of(const Question& question) {
  if (question.policy_path == "-") return coll::default_policy();
  const std::string text = coll::read_policy_file(question.policy_path);
  return coll::policy_for(coll::parse_policy_file(text, question.policy_path), base::machine_name(),
                          question.transport, question.policy_path);
}

/// More steps than this, of all ranks together, take too long: of one algorithm a few seconds.
/// (Xeon, Sapphire Rapids: `tasuki explain allreduce -n 65536 -s 1M`, 16 algorithms.)
constexpr std::size_t steps_most = 8'000'000;

/// Why the schedules of so many ranks are not made, or "".
std::string too_large_because(const AlgorithmDescriptor& algorithm,
                              const coll::Parameters& parameters, coll::Shape shape) {
  const auto steps_of = [&](int rank) {
    shape.rank = rank;
    // What comes after an inquiry has about as many steps.
    const coll::Schedule one = algorithm.inquiry != nullptr
                                   ? coll::make_inquiry(algorithm, shape, parameters)
                                   : coll::make_schedule(algorithm, shape, parameters);
    return one.transfers.size() + one.locals.size();
  };
  // A root may have more to do than all others, which do about the same.
  const std::size_t steps =
      steps_of(0) + steps_of(shape.ranks / 2) * static_cast<std::size_t>(shape.ranks);
  if (steps <= steps_most) return {};
  return fmt::format("about {} million steps are too many to simulate", steps / 1'000'000);
}

/// The schedules of all ranks; in v-forms everybody has a block of the same size.
std::vector<coll::Schedule> schedules_of(const AlgorithmDescriptor& algorithm,
                                         const coll::Parameters& parameters, coll::Shape shape) {
  std::vector<coll::Shape> shapes;
  for (shape.rank = 0; shape.rank < shape.ranks; ++shape.rank) shapes.push_back(shape);
  return coll::make_schedules(algorithm, shapes, parameters);
}

/// Of an algorithm that asks first, the schedule of the collective begins when all have been told.
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
  if (algorithm.inquiry != nullptr) {
    std::vector<coll::Schedule> inquiries;
    coll::Shape shape = question.shape;
    for (shape.rank = 0; shape.rank < shape.ranks; ++shape.rank) {
      inquiries.push_back(coll::make_inquiry(algorithm, shape, parameters));
    }
    append(inquiries, sizeof(std::size_t));
  }
  append(schedules_of(algorithm, parameters, question.shape), question.shape.element_bytes);
  return all;
}

std::string round_json(const coll::SimulatedRound& round) {
  return json::object({{"begin_ns", fmt::format("{}", round.begin_ns)},
                       {"end_ns", fmt::format("{}", round.end_ns)},
                       {"messages", std::to_string(round.messages_count)},
                       {"bytes", std::to_string(round.sent_bytes)}});
}

std::string alternative_json(const Question& question, const AlgorithmDescriptor& algorithm) {
  const coll::Parameters parameters = complete(algorithm, {});
  std::string why_not = not_usable_because(algorithm, question.shape, parameters);
  if (!has(question.media, algorithm.medium)) {
    why_not = algorithm.medium == coll::Medium::network ? "the transport has no such library"
                                                        : "the ranks do not share memory";
  }
  if (why_not.empty() && algorithm.medium == coll::Medium::messages) {
    why_not = too_large_because(algorithm, parameters, question.shape);
  }
  std::string simulated = "null";
  if (why_not.empty() && algorithm.medium == coll::Medium::messages) {
    const auto result = simulated_of(question, algorithm, parameters);
    simulated = json::object({{"end_ns", fmt::format("{}", result.end_ns)},
                              {"rounds", json::array(result.rounds, round_json)},
                              {"messages", std::to_string(result.messages_count)},
                              {"bytes", std::to_string(result.sent_bytes)}});
  }
  const bool is_in_memory = algorithm.medium == coll::Medium::shared_memory ||
                            algorithm.medium == coll::Medium::peer_memory;
  return json::object({{"algorithm", json::quoted(algorithm.name)},
                       {"parameters", json::quoted(parameters.to_text())},
                       {"summary", json::quoted(algorithm.summary)},
                       {"cost", json::quoted(algorithm.cost_text)},
                       {"unavailable", json::quoted(why_not)},
                       {"in_memory", is_in_memory ? "true" : "false"},
                       {"simulated", simulated}});
}

std::string transfer_json(const coll::Transfer& transfer) { return std::to_string(transfer.peer); }

/// Whom each rank sends to, round by round: what a picture is drawn of.
std::string sends_json(const coll::Schedule& schedule) {
  std::vector<std::string> rounds;
  for (std::size_t index = 0; index < schedule.rounds.size(); ++index) {
    rounds.push_back(json::array(schedule.round(index).sends, transfer_json));
  }
  return json::array(rounds, [](const std::string& round) { return round; });
}

/// What is shown in rounds: no schedules of what works in memory, nor if there are to be none.
struct Shown {
  std::string name, parameters;
  std::vector<coll::Schedule> schedules;
};

Shown shown_for(const Question& question, const coll::Choice& choice) {
  if (question.algorithm == "none") return {question.algorithm, "", {}};
  const bool is_named = question.algorithm != "-";
  const AlgorithmDescriptor& algorithm =
      is_named ? coll::algorithm_named(question.collective, question.algorithm) : *choice.algorithm;
  const coll::Parameters parameters =
      is_named
          ? complete(algorithm,
                     coll::Parameters::parse(question.parameters == "-" ? "" : question.parameters))
          : choice.parameters;
  Shown shown{algorithm.name, parameters.to_text(), {}};
  if (algorithm.medium == coll::Medium::messages) {
    const std::string why_not = too_large_because(algorithm, parameters, question.shape);
    if (!why_not.empty()) {
      throw error("explaining a collective", fmt::format("{}: {}", algorithm.name, why_not),
                  "ask for fewer ranks, or name another algorithm");
    }
    shown.schedules = schedules_of(algorithm, parameters, question.shape);
  }
  return shown;
}

std::string network_json(const coll::Network& network) {
  return json::object({{"latency_ns", fmt::format("{}", network.link.latency_ns)},
                       {"overhead_ns", fmt::format("{}", network.link.overhead_ns)},
                       {"gap_ns", fmt::format("{}", network.link.gap_ns)},
                       {"gap_ns_per_byte", fmt::format("{}", network.link.gap_ns_per_byte)},
                       {"copy_ns_per_byte", fmt::format("{}", network.copy_ns_per_byte)},
                       {"reduce_ns_per_byte", fmt::format("{}", network.reduce_ns_per_byte)},
                       {"ranks_per_node", std::to_string(network.ranks_per_node)},
                       {"link_contention", network.link_contention ? "true" : "false"}});
}

std::string explain(const Question& question) {
  check(question.collective, question.shape);
  const coll::Choice choice =
      policy_of(question).select(question.collective, question.shape, question.media);
  const auto [shown, shown_parameters, schedules] = shown_for(question, choice);
  return json::object(
      {{"chosen", json::quoted(choice.algorithm->name)},
       {"chosen_parameters", json::quoted(choice.parameters.to_text())},
       {"reason", json::quoted(choice.reason)},
       {"network", json::quoted(question.network.name)},
       {"network_source", json::quoted(question.network.source)},
       {"network_parameters", network_json(question.network)},
       {"shown", json::quoted(shown)},
       {"shown_parameters", json::quoted(shown_parameters)},
       {"schedule",
        schedules.empty() ? "null" : json::quoted(to_text(schedules.at(question.shown_rank)))},
       {"sends", question.is_drawn ? json::array(schedules, sends_json) : "[]"},
       {"alternatives", json::array(coll::algorithms_of(question.collective), [&](const auto* one) {
          return alternative_json(question, *one);
        })}});
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 13) {
    std::fputs(usage, stderr);
    return 2;
  }
  try {
    std::puts(explain(read_question(argv)).c_str());
  } catch (const error& failure) {
    base::report(failure.what());
    return 2;
  }
  return 0;
}
