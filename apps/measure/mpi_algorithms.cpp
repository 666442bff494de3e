#include "measure/mpi_algorithms.hpp"

#include <fmt/format.h>
#include <tasuki/detail/coll/registry.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>
#include <utility>

namespace tasuki::measure {
namespace {

using coll::Collective;
using coll::ParameterDeclaration;

constexpr const char* operation = "forcing an algorithm of the MPI library";

/// "bcast", "reduce_scatter_block": as both libraries call it in their settings.
std::string short_name(Collective collective) {
  return collective == Collective::broadcast ? "bcast" : std::string(coll::name_of(collective));
}

std::string upper(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  return text;
}

std::string open_mpi_setting(Collective collective) {
  return fmt::format("coll_tuned_{}_algorithm", short_name(collective));
}

std::string mpich_setting(Collective collective, const char* what) {
  return fmt::format("MPIR_CVAR_{}_{}", upper(short_name(collective)), what);
}

/// Open MPI's names for what the registry calls otherwise.
std::string registry_name(std::string name) {
  struct Synonym {
    std::string_view open_mpi;
    const char* registry;
  };
  constexpr std::array synonyms = {
      Synonym{"basic_linear", "linear"}, Synonym{"split_binary_tree", "split_binary"},
      Synonym{"binary_tree", "binary"},  Synonym{"neighbor", "neighbor_exchange"},
      Synonym{"default", "linear"},
  };
  std::replace(name.begin(), name.end(), '-', '_');
  for (const Synonym& one : synonyms) {
    if (name == one.open_mpi) return one.registry;
  }
  return name;
}

/// A setting of Open MPI that changes what a forced algorithm does, and its default there.
struct OpenMpiParameter {
  Collective collective;
  std::string_view algorithm;  ///< As the registry calls it.
  const char* suffix;          ///< Of the setting's name, behind that of the algorithm.
  ParameterDeclaration declaration;
};

constexpr ParameterDeclaration segment = {"segment_bytes", 0, 0, 1 << 24, "0: not cut"};
// Cut into segments of no size, it would be the ring.
constexpr ParameterDeclaration ring_segment = {"segment_bytes", 65536, 1, 1 << 24, "of a message"};
constexpr ParameterDeclaration chains = {"chains", 4, 1, 64, "chains that leave the root"};
constexpr ParameterDeclaration radix = {"radix", 4, 2, 1024, "children of a node"};
constexpr ParameterDeclaration outstanding = {"outstanding", 0, 0, 4096,
                                              "requests at once; 0: all"};

constexpr std::array open_mpi_parameters = {
    OpenMpiParameter{Collective::allreduce, "segmented_ring", "segmentsize", ring_segment},
    OpenMpiParameter{Collective::broadcast, "chain", "segmentsize", segment},
    OpenMpiParameter{Collective::broadcast, "chain", "chain_fanout", chains},
    OpenMpiParameter{Collective::broadcast, "pipeline", "segmentsize", segment},
    OpenMpiParameter{Collective::broadcast, "split_binary", "segmentsize", segment},
    OpenMpiParameter{Collective::broadcast, "binary", "segmentsize", segment},
    OpenMpiParameter{Collective::broadcast, "binomial", "segmentsize", segment},
    OpenMpiParameter{Collective::broadcast, "knomial", "knomial_radix", radix},
    OpenMpiParameter{Collective::broadcast, "knomial", "segmentsize", segment},
    OpenMpiParameter{Collective::reduce, "chain", "segmentsize", segment},
    OpenMpiParameter{Collective::reduce, "chain", "chain_fanout", chains},
    OpenMpiParameter{Collective::reduce, "pipeline", "segmentsize", segment},
    OpenMpiParameter{Collective::reduce, "binary", "segmentsize", segment},
    OpenMpiParameter{Collective::reduce, "in_order_binary", "segmentsize", segment},
    OpenMpiParameter{Collective::reduce, "binomial", "segmentsize", segment},
    OpenMpiParameter{Collective::alltoall, "linear_sync", "max_requests", outstanding},
};

std::vector<MpiAlgorithm> open_mpi_algorithms(Collective collective, const MpiSetting& setting) {
  std::vector<MpiAlgorithm> found;
  for (const MpiChoice& choice : setting.choices()) {
    if (choice.value == 0) continue;  // "ignore": the library's own choice
    MpiAlgorithm algorithm{registry_name(choice.name), choice.name, choice.value, {}};
    for (const OpenMpiParameter& parameter : open_mpi_parameters) {
      if (parameter.collective != collective || parameter.algorithm != algorithm.name) continue;
      const std::string name = open_mpi_setting(collective) + '_' + parameter.suffix;
      if (MpiSetting::find(name)) algorithm.parameters.push_back(parameter.declaration);
    }
    found.push_back(std::move(algorithm));
  }
  return found;
}

std::vector<MpiAlgorithm> mpich_algorithms(const MpiSetting& setting) {
  // What is not one algorithm: the own choice, a call that does not block and a wait, a choice for
  // each node, and a library for graphics processors.
  constexpr std::array<std::string_view, 4> others = {"auto", "nb", "smp", "ccl"};
  std::vector<MpiAlgorithm> found;
  for (const MpiChoice& choice : setting.choices()) {
    if (std::find(others.begin(), others.end(), choice.name) != others.end()) continue;
    found.push_back({choice.name, choice.name, choice.value, {}});
  }
  return found;
}

const MpiAlgorithm& named(const std::vector<MpiAlgorithm>& algorithms, const std::string& name,
                          Collective collective) {
  const auto found = std::find_if(algorithms.begin(), algorithms.end(),
                                  [&](const MpiAlgorithm& one) { return one.name == name; });
  if (found != algorithms.end()) return *found;
  throw error(operation,
              fmt::format("the library has no {} called '{}'", coll::name_of(collective), name),
              "ask which there are: list COLLECTIVE BYTES");
}

}  // namespace

std::vector<MpiAlgorithm> mpi_algorithms_of(Collective collective) {
  if (const MpiSetting* setting = MpiSetting::find(open_mpi_setting(collective))) {
    return open_mpi_algorithms(collective, *setting);
  }
  if (const MpiSetting* setting = MpiSetting::find(mpich_setting(collective, "INTRA_ALGORITHM"))) {
    return mpich_algorithms(*setting);
  }
  return {};
}

std::string falls_back_because(const std::string& algorithm, const coll::Parameters& parameters,
                               Collective collective, const coll::Shape& shape) {
  // MPICH is told to report an error instead; Open MPI has the preconditions that the field states.
  if (algorithm == "native" || !MpiSetting::find(open_mpi_setting(collective))) return "";
  for (const coll::AlgorithmDescriptor* known : coll::algorithms_of(collective)) {
    if (known->name != algorithm) continue;
    coll::Parameters shared;
    for (const ParameterDeclaration& one : known->parameters) {
      if (!parameters.contains(one.name)) continue;
      // Where both say 0 for "all", only one of them may have a limit.
      shared.set(one.name, std::clamp(parameters.get(one.name), one.minimum, one.maximum));
    }
    return known->not_applicable_because(shape, complete(*known, shared));
  }
  return "";
}

OwnCommunicator::~OwnCommunicator() {
  if (communicator_ != MPI_COMM_NULL) MPI_Comm_free(&communicator_);
}

void OwnCommunicator::make() {
  MPI_Comm_dup(MPI_COMM_WORLD, &communicator_);
  MPI_Comm_set_errhandler(communicator_, MPI_ERRORS_RETURN);
}

ForcedAlgorithm::ForcedAlgorithm(Collective collective, const std::string& algorithm,
                                 const coll::Parameters& parameters) {
  if (algorithm == "native") {
    communicator_.make();
  } else if (const auto* open_mpi = MpiSetting::find(open_mpi_setting(collective))) {
    force_open_mpi(*open_mpi, collective, algorithm, parameters);
  } else if (const auto* mpich = MpiSetting::find(mpich_setting(collective, "INTRA_ALGORITHM"))) {
    force_mpich(*mpich, collective, algorithm);
  } else {
    throw error(
        operation,
        fmt::format("the library has no setting for {} that is known", coll::name_of(collective)),
        "use Open MPI or MPICH");
  }
}

void ForcedAlgorithm::force_open_mpi(const MpiSetting& setting, Collective collective,
                                     const std::string& algorithm,
                                     const coll::Parameters& parameters) {
  const auto all = open_mpi_algorithms(collective, setting);
  settings_.force(setting, named(all, algorithm, collective).value);
  for (const OpenMpiParameter& one : open_mpi_parameters) {
    if (one.collective != collective || one.algorithm != algorithm) continue;
    const auto* changed = MpiSetting::find(open_mpi_setting(collective) + '_' + one.suffix);
    if (changed == nullptr) continue;
    const char* const name = one.declaration.name;
    settings_.force(*changed,
                    static_cast<int>(parameters.contains(name) ? parameters.get(name)
                                                               : one.declaration.default_value));
  }
  communicator_.make();
  settings_.restore();
}

void ForcedAlgorithm::force_mpich(const MpiSetting& setting, Collective collective,
                                  const std::string& algorithm) {
  const auto all = mpich_algorithms(setting);
  const MpiAlgorithm& chosen = named(all, algorithm, collective);
  communicator_.make();  // before what that calls is forced too
  settings_.force(setting, chosen.value);
  // The device must not do the call in its own way, nor another algorithm stand in silently.
  const std::array others = {mpich_setting(collective, "DEVICE_COLLECTIVE"),
                             std::string("MPIR_CVAR_COLLECTIVE_FALLBACK")};
  for (const std::string& name : others) {
    if (const auto* other = MpiSetting::find(name)) settings_.force(*other, 0);
  }
}

}  // namespace tasuki::measure
