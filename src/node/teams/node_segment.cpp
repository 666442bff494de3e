#include "node/teams/node_segment.hpp"

#include <fmt/format.h>

#include <cstring>
#include <tasuki/error.hpp>

namespace tasuki::node {
namespace {

std::size_t buffer_bytes(int ranks) {
  constexpr std::size_t line_bytes = FlagBarrier::line_bytes;
  return (StagingBuffer::bytes_for(ranks) + line_bytes - 1) / line_bytes * line_bytes;
}

/// What a rank tells the others about its process.
struct OwnProcess {
  bool reads_peers;
  base::Processor processor;
};

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
  const OwnProcess mine{host_.traits().reads_peers, host_.traits().processor};
  buffer.stage(step, reinterpret_cast<const std::byte*>(&mine), sizeof mine);
  reads_peers_ = true;
  for (int rank = 0; rank < buffer.ranks(); ++rank) {
    OwnProcess theirs{};
    std::memcpy(&theirs, buffer.await(rank, step, sizeof theirs), sizeof theirs);
    reads_peers_ = reads_peers_ && theirs.reads_peers;
    // The built-in policy asks the processor, and all have to choose the same algorithms.
    if (theirs.processor != mine.processor) {
      base::die(fmt::format(
          "ranks {} and {} share a node but see processors of different families. Remedy: run all "
          "ranks of a node in the same way, all or none under an emulator",
          host_.traits().rank, buffer.members().world_rank(rank)));
    }
  }
}

}  // namespace tasuki::node
