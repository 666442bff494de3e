#include "node/teams/node_segment.hpp"

namespace tasuki::node {
namespace {

std::size_t buffer_bytes(int ranks) {
  constexpr std::size_t line_bytes = FlagBarrier::line_bytes;
  return (StagingBuffer::bytes_for(ranks) + line_bytes - 1) / line_bytes * line_bytes;
}

}  // namespace

NodeSegment::NodeSegment(Host& host, const Members& members, std::byte* memory)
    : buffer(host, members, memory),
      barrier(buffer, memory + buffer_bytes(members.count())),
      host_(host) {}

std::size_t NodeSegment::bytes_for(int ranks) noexcept {
  return buffer_bytes(ranks) + FlagBarrier::bytes_for(ranks);
}

// A rank knows only what its own process may do.
void NodeSegment::agree() {
  const CallTag tag(coll::Collective::allgather, 1, 0);
  const StagingBuffer::Turn turn(buffer, 1, tag, "agreeing on single copies");
  const std::uint64_t step = turn.first_step();
  bool all = host_.traits().reads_peers;
  *buffer.open(step, 1) = static_cast<std::byte>(all);
  buffer.publish(step);
  for (int rank = 0; rank < buffer.ranks(); ++rank) {
    all = all && *buffer.await(rank, step, 1) != std::byte{0};
  }
  reads_peers_ = all;
}

}  // namespace tasuki::node
