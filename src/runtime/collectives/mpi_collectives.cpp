#include "runtime/collectives/mpi_collectives.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "runtime/collectives/awaited_collective.hpp"
#include "runtime/collectives/started_collective.hpp"

namespace tasuki::runtime {
namespace {

/// The call as the transport describes it.
transport::MpiCollective mpi_collective(const CollectiveCall& call) {
  const coll::Shape& shape = call.shape;
  transport::MpiCollective made;
  made.collective = call.collective;
  made.arithmetic = shape.arithmetic;
  made.root = shape.root;
  made.count = shape.count;
  made.element_bytes = shape.element_bytes;
  made.input = call.input;
  made.output = call.output;
  if (coll::has_root(call.collective) && shape.rank != shape.root) return made;
  const std::size_t own = static_cast<std::size_t>(shape.rank) * shape.count * shape.element_bytes;
  const auto is_self_block = [own](const void* block, const void* blocks) {
    return block == static_cast<const std::byte*>(blocks) + own;
  };
  const bool gathers =
      call.collective == coll::Collective::gather || call.collective == coll::Collective::allgather;
  const bool scatters = call.collective == coll::Collective::scatter;
  if (shape.in_place || (gathers && is_self_block(call.input, call.output))) made.input = nullptr;
  if (scatters && is_self_block(call.output, call.input)) made.output = nullptr;
  return made;
}

}  // namespace

transport::MpiRequest MpiCollectives::begin(const CollectiveCall& call) {
  transport::MpiRequest request;
  library_->start(mpi_collective(call), request);
  return request;
}

void MpiCollectives::await(const transport::MpiRequest& request, const CollectiveCall& call,
                           transport::Completion* completion) {
  const std::uint64_t bytes = std::uint64_t{call.shape.count} * call.shape.element_bytes *
                              static_cast<std::uint64_t>(call.shape.ranks);
  requests_.add_collective(request, completion, coll::needs_all(call.collective), bytes);
}

void MpiCollectives::run(const TeamState& team, const CollectiveCall& call) {
  self_.sender.flush();
  AwaitedCollective awaited(requests_);
  await(begin(call), call, &awaited);
  awaited.wait(awaited, team.reason_of(call));
}

Future<void> MpiCollectives::start(const TeamState& team, CollectiveCall call) {
  auto started = std::make_unique<StartedCollective>(team, std::move(call));
  Future<void> future = started->promise.future();
  const CollectiveCall& kept = started->call;
  const transport::MpiRequest request = begin(kept);
  await(request, kept, started.release());
  self_.sender.flush();
  return future;
}

}  // namespace tasuki::runtime
