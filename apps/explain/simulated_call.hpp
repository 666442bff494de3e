// One call of a collective by ranks that need not exist: who takes part, where they are, and the
// simulated network between them.
//
// Read from a request of `tasuki explain` or `tasuki tune --simulate`. Thread-safety: values and
// pure functions.
#pragma once

#include <tasuki/detail/coll/network.hpp>
#include <tasuki/detail/coll/placement.hpp>
#include <tasuki/detail/coll/policy.hpp>
#include <tasuki/detail/coll/schedule.hpp>
#include <tasuki/detail/coll/simulator.hpp>

#include <memory>
#include <string>
#include <vector>

#include "common/request_reader.hpp"

namespace tasuki::apps {

struct SimulatedCall {
  coll::Collective collective{};
  coll::Shape shape;  ///< Of rank 0; its placement is that of the call.
  coll::Media media;
  coll::Network network;
  std::string network_text;                          ///< As it was asked for.
  std::shared_ptr<const coll::Placement> placement;  ///< nullptr: all on one node.
  std::string transport;
};

/// Elements are float32, and reductions sums; v-forms have blocks of one size. Throws tasuki::error
/// as RequestReader does, and for ranks of several nodes over shared memory.
SimulatedCall read_call(RequestReader& request);

/// Why the algorithm cannot do the call, or "".
std::string unavailable_because(const SimulatedCall& call,
                                const coll::AlgorithmDescriptor& algorithm,
                                const coll::Parameters& parameters);

/// Why the schedules of so many ranks are not made, or "".
std::string too_large_because(const SimulatedCall& call, const coll::AlgorithmDescriptor& algorithm,
                              const coll::Parameters& parameters);

/// Those of all ranks, after they have exchanged what sizes they need.
/// Requires: the algorithm sends messages, and neither function above has a reason against it.
std::vector<coll::Schedule> schedules_of(const SimulatedCall& call,
                                         const coll::AlgorithmDescriptor& algorithm,
                                         const coll::Parameters& parameters);

/// Of an algorithm that exchanges sizes first, the collective begins when all have been told.
/// Requires: as schedules_of.
coll::Simulation simulation_of(const SimulatedCall& call,
                               const coll::AlgorithmDescriptor& algorithm,
                               const coll::Parameters& parameters);

}  // namespace tasuki::apps
