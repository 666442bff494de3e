#include "mpi/collectives/native_forms.hpp"

#include <tasuki/detail/coll/registry.hpp>

#include <array>

namespace tasuki::mpi::collectives {
namespace {

using coll::AlgorithmDescriptor;
using coll::Collective;

constexpr AlgorithmDescriptor by_library(Collective collective) {
  return {.collective = collective,
          .name = "native",
          .summary = "What the MPI library does by itself.",
          .way = coll::ByMpiLibrary{},
          .cost_text = "as the library chooses"};
}

const AlgorithmDescriptor gatherv = by_library(Collective::gatherv);
const AlgorithmDescriptor scatterv = by_library(Collective::scatterv);
const AlgorithmDescriptor allgatherv = by_library(Collective::allgatherv);
const AlgorithmDescriptor alltoallv = by_library(Collective::alltoallv);
const AlgorithmDescriptor reduce_scatter = by_library(Collective::reduce_scatter);

constexpr std::array all{&gatherv, &scatterv, &allgatherv, &alltoallv, &reduce_scatter};

}  // namespace

void register_native_forms() {
  coll::add_algorithms({all, [] { return std::vector<coll::PolicyRow>(); }});
}

}  // namespace tasuki::mpi::collectives
