#include "runtime/network_call.hpp"

#include <cstddef>
#include <cstdint>
#include <tasuki/base/assert.hpp>

namespace tasuki::runtime {
namespace {

transport::NetworkCollective collective_of(coll::Collective collective) {
  using To = transport::NetworkCollective;
  switch (collective) {
    case coll::Collective::barrier:
      return To::barrier;
    case coll::Collective::broadcast:
      return To::broadcast;
    case coll::Collective::reduce:
      return To::reduce;
    case coll::Collective::allreduce:
      return To::allreduce;
    case coll::Collective::gather:
      return To::gather;
    case coll::Collective::scatter:
      return To::scatter;
    case coll::Collective::allgather:
      return To::allgather;
    case coll::Collective::alltoall:
      return To::alltoall;
    case coll::Collective::reduce_scatter_block:
      return To::reduce_scatter_block;
    case coll::Collective::scan:
      return To::scan;
    case coll::Collective::exscan:
      return To::exscan;
    default:
      break;
  }
  TASUKI_ASSERT(!"the registry has no native algorithm of this collective");
  return To::barrier;
}

}  // namespace

transport::NetworkCall network_call(const CollectiveCall& call) {
  const coll::Shape& shape = call.shape;
  transport::NetworkCall made;
  made.collective = collective_of(call.collective);
  made.arithmetic = shape.arithmetic;
  made.root = shape.root;
  made.count = shape.count;
  made.element_bytes = shape.element_bytes;
  made.input = call.input;
  made.output = call.output;
  const bool is_root = shape.rank == shape.root;
  const std::size_t own = static_cast<std::size_t>(shape.rank) * shape.count * shape.element_bytes;
  const auto is_own_block = [own](const void* block, const void* blocks) {
    return block == static_cast<const std::byte*>(blocks) + own;
  };
  switch (made.collective) {
    case transport::NetworkCollective::reduce:
      if (shape.in_place && is_root) made.input = nullptr;
      break;
    case transport::NetworkCollective::allreduce:
    case transport::NetworkCollective::scan:
    case transport::NetworkCollective::exscan:
      if (shape.in_place) made.input = nullptr;
      break;
    case transport::NetworkCollective::gather:
      if (is_root && is_own_block(call.input, call.output)) made.input = nullptr;
      break;
    case transport::NetworkCollective::allgather:
      if (is_own_block(call.input, call.output)) made.input = nullptr;
      break;
    case transport::NetworkCollective::scatter:
      if (is_root && is_own_block(call.output, call.input)) made.output = nullptr;
      break;
    default:
      break;
  }
  return made;
}

void add_to(NetworkRequests& requests, const CollectiveCall& call,
            const transport::NetworkRequest& request, transport::Completion* completion) {
  const std::uint64_t bytes = std::uint64_t{call.shape.count} * call.shape.element_bytes *
                              static_cast<std::uint64_t>(call.shape.ranks);
  requests.add_collective(request, completion, coll::needs_all(call.collective), bytes);
}

}  // namespace tasuki::runtime
