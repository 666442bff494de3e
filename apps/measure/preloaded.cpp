#include "measure/preloaded.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <tasuki/detail/coll/algorithm.hpp>
#include <tasuki/detail/coll/policy_file.hpp>
#include <tasuki/detail/coll/registry.hpp>
#include <tasuki/detail/node/algorithms.hpp>

#include <string_view>

#include "common/parameters_json.hpp"
#include "measure/mpi_schedules.hpp"

namespace tasuki::measure {
namespace {

mpi::AskedPolicy ask(const char* text) {
  mpi::AskedPolicy asked{text};
  MPI_Pcontrol(mpi::asking_level, &asked);
  return asked;
}

void ask_for(std::vector<coll::PolicyRow> rows) {
  ask(coll::to_text({"", "", "", std::move(rows)}).c_str());
}

bool is_in_memory(const coll::AlgorithmDescriptor& algorithm) {
  return algorithm.medium() == coll::Medium::shared_memory ||
         algorithm.medium() == coll::Medium::peer_memory;
}

}  // namespace

bool is_preloaded() {
  static const bool is_here = taken().is_heard;
  return is_here;
}

void ask_for_algorithm(const Request& request) {
  ask_for({{request.collective, coll::any_ranks, coll::any_bytes, registry_name(request.algorithm),
            request.parameters, "asked for"}});
}

void ask_for_built_in() { ask_for({}); }

mpi::AskedPolicy taken() { return ask(nullptr); }

std::string not_taken_because(const Request& request) {
  const std::string_view used = taken().used;
  if (used == registry_name(request.algorithm)) return "";
  return used.empty() ? "the preloaded library leaves this to the MPI library"
                      : fmt::format("the preloaded library takes {} here", used);
}

apps::Json preloaded_algorithms(const Request& request, const coll::Shape& shape) {
  node::register_algorithms();
  apps::Json algorithms = apps::Json::array();
  algorithms.push_back(
      {{"algorithm", "native"}, {"parameters", apps::Json::array()}, {"unavailable", ""}});
  for (const coll::AlgorithmDescriptor* one : coll::algorithms_of(request.collective)) {
    if (!is_in_memory(*one)) continue;
    algorithms.push_back({{"algorithm", one->name},
                          {"parameters", apps::parameters_json(one->parameters)},
                          {"unavailable", not_usable_because(*one, shape, complete(*one, {}))}});
  }
  add_schedules(algorithms, request, shape);
  return algorithms;
}

}  // namespace tasuki::measure
