#include "runtime/collectives/mpi_collective.hpp"

#include <cstddef>
#include <cstdint>

namespace tasuki::runtime {
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
  const bool is_root = shape.rank == shape.root;
  const std::size_t own = static_cast<std::size_t>(shape.rank) * shape.count * shape.element_bytes;
  const auto is_self_block = [own](const void* block, const void* blocks) {
    return block == static_cast<const std::byte*>(blocks) + own;
  };
  switch (made.collective) {
    case coll::Collective::reduce:
      if (shape.in_place && is_root) made.input = nullptr;
      break;
    case coll::Collective::allreduce:
    case coll::Collective::scan:
    case coll::Collective::exscan:
      if (shape.in_place) made.input = nullptr;
      break;
    case coll::Collective::gather:
      if (is_root && is_self_block(call.input, call.output)) made.input = nullptr;
      break;
    case coll::Collective::allgather:
      if (is_self_block(call.input, call.output)) made.input = nullptr;
      break;
    case coll::Collective::scatter:
      if (is_root && is_self_block(call.output, call.input)) made.output = nullptr;
      break;
    default:
      break;
  }
  return made;
}

void add_to(MpiRequests& requests, const CollectiveCall& call, const transport::MpiRequest& request,
            transport::Completion* completion) {
  const std::uint64_t bytes = std::uint64_t{call.shape.count} * call.shape.element_bytes *
                              static_cast<std::uint64_t>(call.shape.ranks);
  requests.add_collective(request, completion, coll::needs_all(call.collective), bytes);
}

}  // namespace tasuki::runtime
