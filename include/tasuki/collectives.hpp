// Collectives on a team: blocking, and as futures (`_async`), several of which may be in flight.
//
// Every rank of the team calls the same collectives in the same order, and all in the same one of
// the two forms. Buffers are spans whose sizes fit (docs of each say how); they belong to the
// collective until it returns or its future is ready. Elements are trivially copyable. Reductions
// apply the operator in rank order unless it commutes (operators.hpp); all ranks get the same bits.
// Examples below show blocking forms; that of barrier_async shows a future.
//
// Thread-safety: from the rank's own thread only. Throws tasuki::error when sizes do not fit.
#pragma once

#include <cstddef>
#include <span>
#include <tasuki/detail/runtime/collectives/collective_call.hpp>
#include <tasuki/operators.hpp>
#include <utility>
#include <vector>

namespace tasuki {

/// Returns when every rank of the team has called it, and all writes that this rank made before are
/// visible at their targets.
///     tasuki::barrier();
void barrier(const Team& team = world_team());
/// Without the promise about writes.
///     tasuki::Future<void> all_came = tasuki::barrier_async();
///     all_came.get();  // other work may come before it
Future<void> barrier_async(const Team& team = world_team());

/// `data` of rank `root` to all.
///     std::vector<double> row(100);
///     tasuki::broadcast<double>(row, 0);
///     const int seed = tasuki::broadcast(42, 0);  // one value
template <class T>
void broadcast(std::span<T> data, int root, const Team& team = world_team()) {
  runtime::run_collective(
      team, runtime::describe<T>(coll::Collective::broadcast, data.size(), {}, data, root));
}
template <class T>
Future<void> broadcast_async(std::span<T> data, int root, const Team& team = world_team()) {
  return runtime::start_collective(
      team, runtime::describe<T>(coll::Collective::broadcast, data.size(), {}, data, root));
}
template <runtime::Bytewise T>
T broadcast(T value, int root, const Team& team = world_team()) {
  broadcast(std::span<T>(&value, 1), root, team);
  return value;
}

/// Elementwise over the ranks; `output` (same size) on `root` only.
///     const int total = tasuki::reduce(tasuki::rank(), tasuki::Sum{}, 0);
template <class T, class Op>
void reduce(std::span<const T> input, std::span<T> output, const Op& op, int root,
            const Team& team = world_team()) {
  runtime::run_collective(
      team, runtime::describe_reduction<T>(coll::Collective::reduce, input.size(), input, output,
                                           op, root));
}
template <class T, class Op>
Future<void> reduce_async(std::span<const T> input, std::span<T> output, Op op, int root,
                          const Team& team = world_team()) {
  return runtime::start_collective(
      team, runtime::describe_kept_reduction<T>(coll::Collective::reduce, input.size(), input,
                                                output, std::move(op), root));
}
/// Returns: the result on `root`, an unspecified value elsewhere.
template <runtime::Bytewise T, class Op>
T reduce(T value, const Op& op, int root, const Team& team = world_team()) {
  T result = value;
  reduce(std::span<const T>(&value, 1), std::span<T>(&result, 1), op, root, team);
  return result;
}

/// Elementwise over the ranks, to all; `output` has the size of `input` and may be the same memory.
///     std::vector<double> sums(100, 1.0);
///     tasuki::allreduce<double>(sums, sums, tasuki::Sum{});
///     const int largest = tasuki::allreduce(tasuki::rank(), tasuki::Max{});  // one value
template <class T, class Op>
void allreduce(std::span<const T> input, std::span<T> output, const Op& op,
               const Team& team = world_team()) {
  runtime::run_collective(team, runtime::describe_reduction<T>(coll::Collective::allreduce,
                                                               input.size(), input, output, op));
}
template <class T, class Op>
Future<void> allreduce_async(std::span<const T> input, std::span<T> output, Op op,
                             const Team& team = world_team()) {
  return runtime::start_collective(
      team, runtime::describe_kept_reduction<T>(coll::Collective::allreduce, input.size(), input,
                                                output, std::move(op)));
}
template <runtime::Bytewise T, class Op>
T allreduce(T value, const Op& op, const Team& team = world_team());

/// Inclusive prefix: rank i gets the combination of ranks 0..i.
///     const int up_to_me = tasuki::scan(1, tasuki::Sum{});  // rank() + 1
template <class T, class Op>
void scan(std::span<const T> input, std::span<T> output, const Op& op,
          const Team& team = world_team()) {
  runtime::run_collective(team, runtime::describe_reduction<T>(coll::Collective::scan, input.size(),
                                                               input, output, op));
}
template <class T, class Op>
Future<void> scan_async(std::span<const T> input, std::span<T> output, Op op,
                        const Team& team = world_team()) {
  return runtime::start_collective(
      team, runtime::describe_kept_reduction<T>(coll::Collective::scan, input.size(), input, output,
                                                std::move(op)));
}
template <runtime::Bytewise T, class Op>
T scan(T value, const Op& op, const Team& team = world_team()) {
  T result = value;
  scan(std::span<const T>(&value, 1), std::span<T>(&result, 1), op, team);
  return result;
}
/// Exclusive prefix: rank i gets the combination of ranks 0..i-1; rank 0's output is not touched.
///     const int mine = 1;
///     int before_me = 0;
///     tasuki::exscan<int>({&mine, 1}, {&before_me, 1}, tasuki::Sum{});  // rank()
template <class T, class Op>
void exscan(std::span<const T> input, std::span<T> output, const Op& op,
            const Team& team = world_team()) {
  runtime::run_collective(team, runtime::describe_reduction<T>(coll::Collective::exscan,
                                                               input.size(), input, output, op));
}
template <class T, class Op>
Future<void> exscan_async(std::span<const T> input, std::span<T> output, Op op,
                          const Team& team = world_team()) {
  return runtime::start_collective(
      team, runtime::describe_kept_reduction<T>(coll::Collective::exscan, input.size(), input,
                                                output, std::move(op)));
}

/// `input` of every rank, side by side in rank order, on `root` (size * input.size() elements).
///     const std::vector<int> mine(10, tasuki::rank());
///     std::vector<int> all(tasuki::rank() == 0 ? mine.size() * tasuki::size() : 0);
///     tasuki::gather<int>(mine, all, 0);
template <class T>
void gather(std::span<const T> input, std::span<T> output, int root,
            const Team& team = world_team()) {
  runtime::run_collective(
      team, runtime::describe<T>(coll::Collective::gather, input.size(), input, output, root));
}
template <class T>
Future<void> gather_async(std::span<const T> input, std::span<T> output, int root,
                          const Team& team = world_team()) {
  return runtime::start_collective(
      team, runtime::describe<T>(coll::Collective::gather, input.size(), input, output, root));
}
/// Blocks of different sizes; `blocks` matters on `root` only.
///     const std::vector<int> mine(tasuki::rank() + 1);
///     tasuki::Blocks blocks;
///     for (int rank = 0; rank < tasuki::size(); ++rank) blocks.counts.push_back(rank + 1);
///     std::vector<int> all(tasuki::size() * (tasuki::size() + 1) / 2);
///     tasuki::gatherv<int>(mine, all, blocks, 0);
template <class T>
void gatherv(std::span<const T> input, std::span<T> output, Blocks blocks, int root,
             const Team& team = world_team()) {
  runtime::run_collective(team,
                          runtime::describe_gatherv<T>(input, output, std::move(blocks), root));
}
template <class T>
Future<void> gatherv_async(std::span<const T> input, std::span<T> output, Blocks blocks, int root,
                           const Team& team = world_team()) {
  return runtime::start_collective(
      team, runtime::describe_gatherv<T>(input, output, std::move(blocks), root));
}

/// Block i of `root`'s `input` (size * output.size() elements) to rank i.
///     const std::vector<int> all(10 * tasuki::size());
///     std::vector<int> mine(10);
///     tasuki::scatter<int>(all, mine, 0);
template <class T>
void scatter(std::span<const T> input, std::span<T> output, int root,
             const Team& team = world_team()) {
  runtime::run_collective(
      team, runtime::describe<T>(coll::Collective::scatter, output.size(), input, output, root));
}
template <class T>
Future<void> scatter_async(std::span<const T> input, std::span<T> output, int root,
                           const Team& team = world_team()) {
  return runtime::start_collective(
      team, runtime::describe<T>(coll::Collective::scatter, output.size(), input, output, root));
}
/// Blocks of different sizes; `input` and `blocks` matter on `root` only.
///     tasuki::Blocks blocks;
///     for (int rank = 0; rank < tasuki::size(); ++rank) blocks.counts.push_back(rank + 1);
///     const std::vector<int> all(tasuki::size() * (tasuki::size() + 1) / 2);
///     std::vector<int> mine(tasuki::rank() + 1);
///     tasuki::scatterv<int>(all, blocks, mine, 0);
template <class T>
void scatterv(std::span<const T> input, Blocks blocks, std::span<T> output, int root,
              const Team& team = world_team()) {
  runtime::run_collective(team,
                          runtime::describe_scatterv<T>(input, std::move(blocks), output, root));
}
template <class T>
Future<void> scatterv_async(std::span<const T> input, Blocks blocks, std::span<T> output, int root,
                            const Team& team = world_team()) {
  return runtime::start_collective(
      team, runtime::describe_scatterv<T>(input, std::move(blocks), output, root));
}

/// `input` of every rank, side by side in rank order, on all.
///     const std::vector<int> ranks = tasuki::allgather(tasuki::rank());
template <class T>
void allgather(std::span<const T> input, std::span<T> output, const Team& team = world_team()) {
  runtime::run_collective(
      team, runtime::describe<T>(coll::Collective::allgather, input.size(), input, output));
}
template <class T>
Future<void> allgather_async(std::span<const T> input, std::span<T> output,
                             const Team& team = world_team()) {
  return runtime::start_collective(
      team, runtime::describe<T>(coll::Collective::allgather, input.size(), input, output));
}
template <runtime::Bytewise T>
std::vector<T> allgather(T value, const Team& team = world_team()) {
  std::vector<T> all(static_cast<std::size_t>(team.size()));
  allgather(std::span<const T>(&value, 1), std::span<T>(all), team);
  return all;
}
/// Blocks of different sizes; `blocks` is the same on all ranks.
/// Example: examples/collectives.cpp
template <class T>
void allgatherv(std::span<const T> input, std::span<T> output, Blocks blocks,
                const Team& team = world_team()) {
  runtime::run_collective(team, runtime::describe_allgatherv<T>(input, output, std::move(blocks)));
}
template <class T>
Future<void> allgatherv_async(std::span<const T> input, std::span<T> output, Blocks blocks,
                              const Team& team = world_team()) {
  return runtime::start_collective(
      team, runtime::describe_allgatherv<T>(input, output, std::move(blocks)));
}

/// Block j of rank i's `input` becomes block i of rank j's `output`; all blocks have the same size.
///     const std::vector<int> to_each(tasuki::size(), tasuki::rank());
///     std::vector<int> from_each(tasuki::size());
///     tasuki::alltoall<int>(to_each, from_each);  // 0, 1, 2, ...
template <class T>
void alltoall(std::span<const T> input, std::span<T> output, const Team& team = world_team()) {
  const auto ranks = static_cast<std::size_t>(team.size());
  runtime::run_collective(
      team, runtime::describe<T>(coll::Collective::alltoall, input.size() / ranks, input, output));
}
template <class T>
Future<void> alltoall_async(std::span<const T> input, std::span<T> output,
                            const Team& team = world_team()) {
  const auto ranks = static_cast<std::size_t>(team.size());
  return runtime::start_collective(
      team, runtime::describe<T>(coll::Collective::alltoall, input.size() / ranks, input, output));
}
/// Blocks of different sizes: rank i's `sent.counts[j]` is rank j's `received.counts[i]`.
///     tasuki::Blocks sent{std::vector<std::size_t>(tasuki::size(), tasuki::rank())}, received;
///     for (int rank = 0; rank < tasuki::size(); ++rank) received.counts.push_back(rank);
///     const std::vector<int> to_all(tasuki::rank() * tasuki::size());
///     std::vector<int> from_all(tasuki::size() * (tasuki::size() - 1) / 2);
///     tasuki::alltoallv<int>(to_all, sent, from_all, received);
template <class T>
void alltoallv(std::span<const T> input, Blocks sent, std::span<T> output, Blocks received,
               const Team& team = world_team()) {
  runtime::run_collective(
      team, runtime::describe_alltoallv<T>(input, std::move(sent), output, std::move(received)));
}
template <class T>
Future<void> alltoallv_async(std::span<const T> input, Blocks sent, std::span<T> output,
                             Blocks received, const Team& team = world_team()) {
  return runtime::start_collective(
      team, runtime::describe_alltoallv<T>(input, std::move(sent), output, std::move(received)));
}

/// Reduces elementwise, then gives block i of the result to rank i (input: size * output.size()).
///     const std::vector<int> input(10 * tasuki::size(), 1);
///     std::vector<int> mine(10);
///     tasuki::reduce_scatter<int>(input, mine, tasuki::Sum{});  // size() each
template <class T, class Op>
void reduce_scatter(std::span<const T> input, std::span<T> output, const Op& op,
                    const Team& team = world_team()) {
  runtime::run_collective(
      team, runtime::describe_reduction<T>(coll::Collective::reduce_scatter_block, output.size(),
                                           input, output, op));
}
template <class T, class Op>
Future<void> reduce_scatter_async(std::span<const T> input, std::span<T> output, Op op,
                                  const Team& team = world_team()) {
  return runtime::start_collective(
      team, runtime::describe_kept_reduction<T>(coll::Collective::reduce_scatter_block,
                                                output.size(), input, output, std::move(op)));
}
/// Blocks of different sizes: rank i gets counts[i] elements; `counts` is the same on all ranks.
///     std::vector<std::size_t> counts(tasuki::size());
///     counts[0] = 10;
///     std::vector<int> input(10, 1), mine(counts[tasuki::rank()]);
///     tasuki::reduce_scatter<int>(input, mine, counts, tasuki::Sum{});
template <class T, class Op>
void reduce_scatter(std::span<const T> input, std::span<T> output, std::vector<std::size_t> counts,
                    const Op& op, const Team& team = world_team()) {
  auto call = runtime::describe_reduction<T>(coll::Collective::reduce_scatter, output.size(), input,
                                             output, op);
  call.shape.receive_counts = std::move(counts);
  runtime::run_collective(team, std::move(call));
}
template <class T, class Op>
Future<void> reduce_scatter_async(std::span<const T> input, std::span<T> output,
                                  std::vector<std::size_t> counts, Op op,
                                  const Team& team = world_team()) {
  auto call = runtime::describe_kept_reduction<T>(coll::Collective::reduce_scatter, output.size(),
                                                  input, output, std::move(op));
  call.shape.receive_counts = std::move(counts);
  return runtime::start_collective(team, std::move(call));
}

namespace runtime {

/// The quick way to combine one element each. Returns: false if it does not apply (the policy does
/// not have it staged in node memory); then nothing has happened.
bool allreduce_element(const Team& team, void* in_out, const coll::ReduceOp& op);

}  // namespace runtime

template <runtime::Bytewise T, class Op>
T allreduce(T value, const Op& op, const Team& team) {
  T result = value;
  if constexpr (runtime::ElementCheck<T, Op>::is_allowed) {
    if (runtime::allreduce_element(team, &result, coll::reduce_op<T>(op))) return result;
    allreduce(std::span<const T>(&value, 1), std::span<T>(&result, 1), op, team);
  }
  return result;
}

}  // namespace tasuki
