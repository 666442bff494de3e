// Collectives on a team: blocking, and as futures (`_async`), several of which may be in flight.
//
// Every rank of the team calls the same collectives in the same order. Buffers are spans whose
// sizes fit (docs of each say how); they belong to the collective until it returns or its future is
// ready. Elements are trivially copyable. Reductions apply the operator in rank order unless it
// says that it is commutative (the operators of coll/reduction.hpp do); all ranks get the same
// bits.
//
// Thread-safety: from the rank's own thread only. Throws tasuki::error when sizes do not fit.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <tasuki/coll/collective.hpp>
#include <tasuki/coll/reduction.hpp>
#include <tasuki/coll/shape.hpp>
#include <tasuki/runtime/future.hpp>
#include <tasuki/runtime/sendable.hpp>
#include <tasuki/runtime/team.hpp>
#include <vector>

namespace tasuki {

using coll::BitwiseAnd;
using coll::BitwiseOr;
using coll::BitwiseXor;
using coll::Located;
using coll::LogicalAnd;
using coll::LogicalOr;
using coll::LogicalXor;
using coll::Max;
using coll::MaxLocation;
using coll::Min;
using coll::MinLocation;
using coll::Product;
using coll::Sum;

/// Elements per rank, and where each rank's block starts (empty: one after the other).
struct Blocks {
  std::vector<std::size_t> counts;
  std::vector<std::size_t> displacements = {};
};

namespace runtime {

/// A collective without its types.
struct CollectiveCall {
  coll::Collective collective{};
  coll::Shape shape;  ///< `rank` and `ranks` are filled in from the team.
  const void* input = nullptr;
  std::size_t input_count = 0;  ///< What the caller gave; checked against the shape.
  void* output = nullptr;
  std::size_t output_count = 0;
  coll::ReduceOp op;
  std::shared_ptr<const void> keep_alive;  ///< The operator's state.
  const char* label = nullptr;  ///< For the hang report, static; null: the collective's name.
};

Future<void> start_collective(const Team& team, CollectiveCall call);
void run_collective(const Team& team, CollectiveCall call);

template <class T>
CollectiveCall describe(coll::Collective collective, std::size_t count, std::span<const T> input,
                        std::span<T> output) {
  static_assert(Bytewise<T>, "tasuki: elements of collectives must be trivially copyable.");
  CollectiveCall call;
  call.collective = collective;
  call.shape.element_bytes = sizeof(T);
  call.shape.count = count;
  call.input = input.data();
  call.input_count = input.size();
  call.output = output.data();
  call.output_count = output.size();
  return call;
}

template <class T, class Op>
CollectiveCall describe_reduction(coll::Collective collective, std::size_t count,
                                  std::span<const T> input, std::span<T> output, Op op) {
  CollectiveCall call = describe<T>(collective, count, input, output);
  auto kept = std::make_shared<const Op>(std::move(op));
  call.op = coll::reduce_op<T>(*kept);
  call.shape.commutative = call.op.commutative;
  call.keep_alive = std::move(kept);
  return call;
}

}  // namespace runtime

/// Returns when every rank of the team has called it, and all writes that this rank made before are
/// visible at their targets.
void barrier(const Team& team = world_team());
/// Without the promise about writes.
Future<void> barrier_async(const Team& team = world_team());

/// `data` of rank `root` to all.
template <class T>
Future<void> broadcast_async(std::span<T> data, int root, const Team& team = world_team()) {
  auto call = runtime::describe<T>(coll::Collective::broadcast, data.size(), {}, data);
  call.shape.root = root;
  return runtime::start_collective(team, std::move(call));
}
template <class T>
void broadcast(std::span<T> data, int root, const Team& team = world_team()) {
  broadcast_async(data, root, team).get();
}
template <runtime::Bytewise T>
T broadcast(T value, int root, const Team& team = world_team()) {
  broadcast(std::span<T>(&value, 1), root, team);
  return value;
}

/// Elementwise over the ranks; `output` (same size) on `root` only.
template <class T, class Op>
Future<void> reduce_async(std::span<const T> input, std::span<T> output, Op op, int root,
                          const Team& team = world_team()) {
  auto call = runtime::describe_reduction<T>(coll::Collective::reduce, input.size(), input, output,
                                             std::move(op));
  call.shape.root = root;
  return runtime::start_collective(team, std::move(call));
}
template <class T, class Op>
void reduce(std::span<const T> input, std::span<T> output, Op op, int root,
            const Team& team = world_team()) {
  reduce_async(input, output, std::move(op), root, team).get();
}
/// Returns: the result on `root`, an unspecified value elsewhere.
template <runtime::Bytewise T, class Op>
T reduce(T value, Op op, int root, const Team& team = world_team()) {
  T result = value;
  reduce(std::span<const T>(&value, 1), std::span<T>(&result, 1), std::move(op), root, team);
  return result;
}

/// Elementwise over the ranks, to all; `output` has the size of `input` and may be the same memory.
template <class T, class Op>
Future<void> allreduce_async(std::span<const T> input, std::span<T> output, Op op,
                             const Team& team = world_team()) {
  return runtime::start_collective(
      team, runtime::describe_reduction<T>(coll::Collective::allreduce, input.size(), input, output,
                                           std::move(op)));
}
template <class T, class Op>
void allreduce(std::span<const T> input, std::span<T> output, Op op,
               const Team& team = world_team()) {
  runtime::run_collective(
      team, runtime::describe_reduction<T>(coll::Collective::allreduce, input.size(), input, output,
                                           std::move(op)));
}
template <runtime::Bytewise T, class Op>
T allreduce(T value, Op op, const Team& team = world_team());

/// Inclusive prefix: rank i gets the combination of ranks 0..i.
template <class T, class Op>
Future<void> scan_async(std::span<const T> input, std::span<T> output, Op op,
                        const Team& team = world_team()) {
  return runtime::start_collective(
      team, runtime::describe_reduction<T>(coll::Collective::scan, input.size(), input, output,
                                           std::move(op)));
}
template <class T, class Op>
void scan(std::span<const T> input, std::span<T> output, Op op, const Team& team = world_team()) {
  scan_async(input, output, std::move(op), team).get();
}
template <runtime::Bytewise T, class Op>
T scan(T value, Op op, const Team& team = world_team()) {
  T result = value;
  scan(std::span<const T>(&value, 1), std::span<T>(&result, 1), std::move(op), team);
  return result;
}
/// Exclusive prefix: rank i gets the combination of ranks 0..i-1; rank 0's output is not touched.
template <class T, class Op>
Future<void> exscan_async(std::span<const T> input, std::span<T> output, Op op,
                          const Team& team = world_team()) {
  return runtime::start_collective(
      team, runtime::describe_reduction<T>(coll::Collective::exscan, input.size(), input, output,
                                           std::move(op)));
}
template <class T, class Op>
void exscan(std::span<const T> input, std::span<T> output, Op op, const Team& team = world_team()) {
  exscan_async(input, output, std::move(op), team).get();
}

/// `input` of every rank, side by side in rank order, on `root` (size * input.size() elements).
template <class T>
Future<void> gather_async(std::span<const T> input, std::span<T> output, int root,
                          const Team& team = world_team()) {
  auto call = runtime::describe<T>(coll::Collective::gather, input.size(), input, output);
  call.shape.root = root;
  return runtime::start_collective(team, std::move(call));
}
template <class T>
void gather(std::span<const T> input, std::span<T> output, int root,
            const Team& team = world_team()) {
  gather_async(input, output, root, team).get();
}
/// Blocks of different sizes; `blocks` matters on `root` only.
template <class T>
Future<void> gatherv_async(std::span<const T> input, std::span<T> output, Blocks blocks, int root,
                           const Team& team = world_team()) {
  auto call = runtime::describe<T>(coll::Collective::gatherv, input.size(), input, output);
  call.shape.root = root;
  call.shape.receive_counts = std::move(blocks.counts);
  call.shape.receive_displacements = std::move(blocks.displacements);
  return runtime::start_collective(team, std::move(call));
}
template <class T>
void gatherv(std::span<const T> input, std::span<T> output, Blocks blocks, int root,
             const Team& team = world_team()) {
  gatherv_async(input, output, std::move(blocks), root, team).get();
}

/// Block i of `root`'s `input` (size * output.size() elements) to rank i.
template <class T>
Future<void> scatter_async(std::span<const T> input, std::span<T> output, int root,
                           const Team& team = world_team()) {
  auto call = runtime::describe<T>(coll::Collective::scatter, output.size(), input, output);
  call.shape.root = root;
  return runtime::start_collective(team, std::move(call));
}
template <class T>
void scatter(std::span<const T> input, std::span<T> output, int root,
             const Team& team = world_team()) {
  scatter_async(input, output, root, team).get();
}
template <class T>
Future<void> scatterv_async(std::span<const T> input, Blocks blocks, std::span<T> output, int root,
                            const Team& team = world_team()) {
  auto call = runtime::describe<T>(coll::Collective::scatterv, output.size(), input, output);
  call.shape.root = root;
  call.shape.send_counts = std::move(blocks.counts);
  call.shape.send_displacements = std::move(blocks.displacements);
  return runtime::start_collective(team, std::move(call));
}
template <class T>
void scatterv(std::span<const T> input, Blocks blocks, std::span<T> output, int root,
              const Team& team = world_team()) {
  scatterv_async(input, std::move(blocks), output, root, team).get();
}

/// `input` of every rank, side by side in rank order, on all.
template <class T>
Future<void> allgather_async(std::span<const T> input, std::span<T> output,
                             const Team& team = world_team()) {
  return runtime::start_collective(
      team, runtime::describe<T>(coll::Collective::allgather, input.size(), input, output));
}
template <class T>
void allgather(std::span<const T> input, std::span<T> output, const Team& team = world_team()) {
  allgather_async(input, output, team).get();
}
template <runtime::Bytewise T>
std::vector<T> allgather(T value, const Team& team = world_team()) {
  std::vector<T> all(static_cast<std::size_t>(team.size()));
  allgather(std::span<const T>(&value, 1), std::span<T>(all), team);
  return all;
}
/// Blocks of different sizes; `blocks` is the same on all ranks.
template <class T>
Future<void> allgatherv_async(std::span<const T> input, std::span<T> output, Blocks blocks,
                              const Team& team = world_team()) {
  auto call = runtime::describe<T>(coll::Collective::allgatherv, input.size(), input, output);
  call.shape.receive_counts = std::move(blocks.counts);
  call.shape.receive_displacements = std::move(blocks.displacements);
  return runtime::start_collective(team, std::move(call));
}
template <class T>
void allgatherv(std::span<const T> input, std::span<T> output, Blocks blocks,
                const Team& team = world_team()) {
  allgatherv_async(input, output, std::move(blocks), team).get();
}

/// Block j of rank i's `input` becomes block i of rank j's `output`; all blocks have the same size.
template <class T>
Future<void> alltoall_async(std::span<const T> input, std::span<T> output,
                            const Team& team = world_team()) {
  const auto ranks = static_cast<std::size_t>(team.size());
  return runtime::start_collective(
      team, runtime::describe<T>(coll::Collective::alltoall, input.size() / ranks, input, output));
}
template <class T>
void alltoall(std::span<const T> input, std::span<T> output, const Team& team = world_team()) {
  alltoall_async(input, output, team).get();
}
template <class T>
Future<void> alltoallv_async(std::span<const T> input, Blocks sent, std::span<T> output,
                             Blocks received, const Team& team = world_team()) {
  auto call = runtime::describe<T>(coll::Collective::alltoallv, 0, input, output);
  call.shape.send_counts = std::move(sent.counts);
  call.shape.send_displacements = std::move(sent.displacements);
  call.shape.receive_counts = std::move(received.counts);
  call.shape.receive_displacements = std::move(received.displacements);
  return runtime::start_collective(team, std::move(call));
}
template <class T>
void alltoallv(std::span<const T> input, Blocks sent, std::span<T> output, Blocks received,
               const Team& team = world_team()) {
  alltoallv_async(input, std::move(sent), output, std::move(received), team).get();
}

/// Reduces elementwise, then gives block i of the result to rank i (input: size * output.size()).
template <class T, class Op>
Future<void> reduce_scatter_async(std::span<const T> input, std::span<T> output, Op op,
                                  const Team& team = world_team()) {
  return runtime::start_collective(
      team, runtime::describe_reduction<T>(coll::Collective::reduce_scatter_block, output.size(),
                                           input, output, std::move(op)));
}
template <class T, class Op>
void reduce_scatter(std::span<const T> input, std::span<T> output, Op op,
                    const Team& team = world_team()) {
  reduce_scatter_async(input, output, std::move(op), team).get();
}

namespace runtime {

/// The shared-memory allreduce of small vectors. Returns: false if it does not apply (the team is
/// not the whole job on one node, or the vector is too long); then nothing has happened.
bool native_allreduce(const Team& team, void* in_out, std::size_t count, const coll::ReduceOp& op);

}  // namespace runtime

template <runtime::Bytewise T, class Op>
T allreduce(T value, Op op, const Team& team) {
  T result = value;
  if (runtime::native_allreduce(team, &result, 1, coll::reduce_op<T>(op))) return result;
  allreduce(std::span<const T>(&value, 1), std::span<T>(&result, 1), std::move(op), team);
  return result;
}

}  // namespace tasuki
