#include "runtime/collectives/plan.hpp"

#include <fmt/format.h>

#include <tasuki/error.hpp>
#include <utility>

#include "node/segment/slots.hpp"

namespace tasuki::runtime {

Plan::Way way_of(const coll::Choice& choice, const CollectiveCall& call) {
  const coll::AlgorithmDescriptor& algorithm = *choice.algorithm;
  if (algorithm.medium() == coll::Medium::messages) {
    auto schedule = std::make_shared<const coll::Schedule>(
        coll::make_schedule(algorithm, call.shape, choice.parameters));
    if (!algorithm.exchanges_sizes()) return Plan::ByMessages{std::move(schedule)};
    return Plan::AfterSizeExchange{std::move(schedule),
                                   std::make_shared<const coll::Choice>(choice)};
  }
  const bool is_empty = call.collective != coll::Collective::barrier &&
                        coll::has_common_count(call.collective) &&
                        coll::common_count(call.collective, call.shape) == 0;
  if (is_empty) return Plan::Nothing{};
  if (algorithm.medium() == coll::Medium::mpi_library) return Plan::ByMpiLibrary{};
  const char* piece_bytes = node::staged_piece_bytes.name;
  const bool is_cut = choice.parameters.contains(piece_bytes);
  return Plan::InNodeMemory{
      std::get<node::Function>(std::get<coll::InNodeMemory>(algorithm.way).function->call),
      is_cut ? static_cast<std::size_t>(choice.parameters.get(piece_bytes)) : 0};
}

void refuse_sizes(const CollectiveCall& call, const Plan& plan) {
  if (call.input_count < plan.input_count || call.output_count < plan.output_count) {
    throw error(
        coll::name_of(call.collective),
        fmt::format("the buffers hold {} and {} elements, but {} go in and {} come out on "
                    "this rank",
                    call.input_count, call.output_count, plan.input_count, plan.output_count),
        "make the spans as long as the collective's description says");
  }
  throw error(coll::name_of(call.collective),
              fmt::format("an input of {} elements is not one block for each of {} ranks",
                          call.input_count, call.shape.ranks),
              "give blocks of the same size for all ranks, or call alltoallv");
}

}  // namespace tasuki::runtime
