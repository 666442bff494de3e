// How an algorithm in node memory is called, and how its descriptor names the function.
//
// Used by the files of the algorithms, and by who carries collectives out. Thread-safety:
// constants.
#pragma once

#include <cstddef>
#include <tasuki/detail/coll/algorithm.hpp>
#include <tasuki/detail/coll/call.hpp>
#include <variant>

#include "node/segment/staging_buffer.hpp"

namespace tasuki::node {

/// Called by all ranks of a team; blocks its fiber and takes its turn in the staging buffer.
/// `piece_bytes` is the algorithm's parameter. Requires: applicable; the call was checked; some
/// rank has elements, as far as all know.
using Function = void (*)(StagingBuffer& buffer, const coll::Call& call, std::size_t piece_bytes);

/// Those of barriers.
class FlagBarrier;
using BarrierFunction = void (FlagBarrier::*)();

}  // namespace tasuki::node

namespace tasuki::coll {

struct NodeFunction {
  std::variant<node::Function, node::BarrierFunction> call;
};

}  // namespace tasuki::coll

namespace tasuki::node {

template <auto function>
inline constexpr coll::NodeFunction node_function{function};
/// The way of an algorithm that works in memory that all ranks share.
template <auto function>
inline constexpr coll::InNodeMemory in_shared_memory{&node_function<function>, false};
/// The same; it also reads the private memory of the other ranks.
template <auto function>
inline constexpr coll::InNodeMemory in_peer_memory{&node_function<function>, true};

}  // namespace tasuki::node
