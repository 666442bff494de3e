#include <tasuki/detail/coll/algorithm.hpp>

#include "coll/preconditions.hpp"

namespace tasuki::coll::native {
namespace {

constexpr AlgorithmDescriptor by_library(Collective collective, const char* summary,
                                         std::string (*not_applicable_because)(const Shape&,
                                                                               const Parameters&)) {
  return {.collective = collective,
          .name = "native",
          .summary = summary,
          .not_applicable_because = not_applicable_because,
          .way = ByMpiLibrary{},
          .cost_text = "as the library chooses"};
}

}  // namespace

extern const AlgorithmDescriptor barrier = by_library(
    Collective::barrier, "What the MPI library does by itself (MPI_Ibarrier).", always_applicable);
extern const AlgorithmDescriptor broadcast = by_library(
    Collective::broadcast, "What the MPI library does by itself (MPI_Ibcast).", needs_sizes_of_int);
extern const AlgorithmDescriptor reduce = by_library(
    Collective::reduce, "What the MPI library does by itself (MPI_Ireduce).", needs_arithmetic);
extern const AlgorithmDescriptor allreduce =
    by_library(Collective::allreduce, "What the MPI library does by itself (MPI_Iallreduce).",
               needs_arithmetic);
extern const AlgorithmDescriptor gather = by_library(
    Collective::gather, "What the MPI library does by itself (MPI_Igather).", needs_sizes_of_int);
extern const AlgorithmDescriptor scatter = by_library(
    Collective::scatter, "What the MPI library does by itself (MPI_Iscatter).", needs_sizes_of_int);
extern const AlgorithmDescriptor allgather =
    by_library(Collective::allgather, "What the MPI library does by itself (MPI_Iallgather).",
               needs_sizes_of_int);
extern const AlgorithmDescriptor alltoall =
    by_library(Collective::alltoall, "What the MPI library does by itself (MPI_Ialltoall).",
               needs_sizes_of_int);
extern const AlgorithmDescriptor reduce_scatter_block = by_library(
    Collective::reduce_scatter_block,
    "What the MPI library does by itself (MPI_Ireduce_scatter_block).", needs_arithmetic);
extern const AlgorithmDescriptor scan = by_library(
    Collective::scan, "What the MPI library does by itself (MPI_Iscan).", needs_arithmetic);
extern const AlgorithmDescriptor exscan = by_library(
    Collective::exscan, "What the MPI library does by itself (MPI_Iexscan).", needs_arithmetic);

}  // namespace tasuki::coll::native
