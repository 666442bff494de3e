// tasuki_simulate: what the algorithms of a collective would cost on a simulated network.
//
// Answers each line of JSON on standard input with one:
//
//   {"command": "list", CALL}
//   {"command": "measure", CALL, "algorithm": "ring", "parameters": ""}
//
// CALL are the fields of read_call (simulated_call.hpp). `list` tells the algorithms there are, why
// one cannot be simulated for this call, and what the built-in policy chooses; `measure` the time
// of the call in ns. Run by `tasuki tune --simulate`. Exit code: 0, or 2 with the error on standard
// error.
#include <tasuki/detail/coll/policy.hpp>
#include <tasuki/detail/coll/registry.hpp>
#include <tasuki/error.hpp>

#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <utility>

#include "common/parameters_json.hpp"
#include "common/request_reader.hpp"
#include "explain/simulated_call.hpp"

namespace {

using namespace tasuki;
using apps::Json;
using apps::SimulatedCall;

/// Why the simulator cannot tell what the algorithm costs, or "".
std::string not_simulated_because(const SimulatedCall& call,
                                  const coll::AlgorithmDescriptor& algorithm,
                                  const coll::Parameters& parameters) {
  if (algorithm.medium() != coll::Medium::messages) return "only messages are simulated";
  std::string why_not = unavailable_because(call, algorithm, parameters);
  return why_not.empty() ? too_large_because(call, algorithm, parameters) : why_not;
}

Json list(const SimulatedCall& call) {
  Json algorithms = Json::array();
  for (const auto* one : coll::algorithms_of(call.collective)) {
    algorithms.push_back({{"algorithm", one->name},
                          {"parameters", apps::parameters_json(one->parameters)},
                          {"unavailable", not_simulated_because(call, *one, complete(*one, {}))}});
  }
  // The rank's MPI library may have the collective, but is not simulated.
  const coll::Choice chosen = coll::default_policy().select(call.collective, call.shape, {});
  return {{"algorithms", std::move(algorithms)},
          {"chosen", chosen.algorithm->name},
          {"chosen_parameters", chosen.parameters.to_text()}};
}

Json measure(const SimulatedCall& call, const std::string& name, const std::string& text) {
  const auto& algorithm = coll::algorithm_named(call.collective, name);
  const auto parameters = complete(algorithm, coll::Parameters::parse(text));
  const std::string why_not = not_simulated_because(call, algorithm, parameters);
  if (!why_not.empty()) return {{"unavailable", why_not}};
  return {{"unavailable", ""}, {"end_ns", simulation_of(call, algorithm, parameters).end_ns}};
}

Json answer(const std::string& line) {
  apps::RequestReader request("simulating a collective", line);
  const std::string command = request.text("command", {"list", "measure"});
  const SimulatedCall call = apps::read_call(request);
  if (command == "list") {
    request.finish();
    return list(call);
  }
  const std::string algorithm = request.text("algorithm");
  const std::string parameters = request.text("parameters");
  request.finish();
  return measure(call, algorithm, parameters);
}

}  // namespace

int main() {
  try {
    for (std::string line; std::getline(std::cin, line);) {
      std::puts(apps::to_line(answer(line)).c_str());
      std::fflush(stdout);
    }
  } catch (const std::exception& failure) {
    base::report(failure.what());
    return 2;
  }
  return 0;
}
