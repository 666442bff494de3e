// A collective call without its types: what the templates of collectives.hpp hand to the runtime.
//
// One function for each collective puts the arguments together, for the blocking form and for the
// one that returns a future. Thread-safety: values.
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
#include <typeinfo>
#include <utility>
#include <vector>

namespace tasuki {

/// Elements per rank, and where each rank's block starts (empty: one after the other).
struct Blocks {
  std::vector<std::size_t> counts;
  std::vector<std::size_t> displacements = {};
};

namespace runtime {

struct CollectiveCall {
  coll::Collective collective{};
  coll::Shape shape;  ///< `rank` and `ranks` are filled in from the team.
  const void* input = nullptr;
  std::size_t input_count = 0;  ///< What the caller gave; checked against the shape.
  void* output = nullptr;
  std::size_t output_count = 0;
  coll::ReduceOp op = {};
  /// The operator's state, for calls that return early.
  std::shared_ptr<const void> keep_alive = {};
  const std::type_info* element_type = nullptr;
  const char* label = nullptr;  ///< For the hang report, static; null: the collective's name.
};

Future<void> start_collective(const Team& team, CollectiveCall call);
void run_collective(const Team& team, CollectiveCall call);

template <class T>
CollectiveCall describe(coll::Collective collective, std::size_t count, std::span<const T> input,
                        std::span<T> output, int root = 0) {
  static_assert(Bytewise<T>, "tasuki: elements of collectives must be trivially copyable.");
  return {.collective = collective,
          .shape = {.root = root, .element_bytes = sizeof(T), .count = count},
          .input = input.data(),
          .input_count = input.size(),
          .output = output.data(),
          .output_count = output.size(),
          .element_type = &typeid(T)};
}

/// `op` must outlive the call.
template <class T, class Op>
CollectiveCall describe_reduction(coll::Collective collective, std::size_t count,
                                  std::span<const T> input, std::span<T> output, const Op& op,
                                  int root = 0) {
  static_assert(Bytewise<T>, "tasuki: elements of collectives must be trivially copyable.");
  // As a whole: an operator assigned to a call that is there would be made elsewhere and copied,
  // which takes several ns since its parts have only just been stored.
  return {.collective = collective,
          .shape = {.root = root,
                    .element_bytes = sizeof(T),
                    .count = count,
                    .commutative = coll::is_commutative<Op, T>(),
                    .arithmetic = coll::arithmetic_of<Op, T>()},
          .input = input.data(),
          .input_count = input.size(),
          .output = output.data(),
          .output_count = output.size(),
          .op = coll::reduce_op<T>(op),
          .element_type = &typeid(T)};
}

/// The same; the call keeps the operator.
template <class T, class Op>
CollectiveCall describe_kept_reduction(coll::Collective collective, std::size_t count,
                                       std::span<const T> input, std::span<T> output, Op op,
                                       int root = 0) {
  auto kept = std::make_shared<const Op>(std::move(op));
  CollectiveCall call = describe_reduction<T>(collective, count, input, output, *kept, root);
  call.keep_alive = std::move(kept);
  return call;
}

template <class T>
CollectiveCall describe_gatherv(std::span<const T> input, std::span<T> output, Blocks blocks,
                                int root) {
  auto call = describe<T>(coll::Collective::gatherv, input.size(), input, output, root);
  call.shape.receive_counts = std::move(blocks.counts);
  call.shape.receive_displacements = std::move(blocks.displacements);
  return call;
}

template <class T>
CollectiveCall describe_scatterv(std::span<const T> input, Blocks blocks, std::span<T> output,
                                 int root) {
  auto call = describe<T>(coll::Collective::scatterv, output.size(), input, output, root);
  call.shape.send_counts = std::move(blocks.counts);
  call.shape.send_displacements = std::move(blocks.displacements);
  return call;
}

template <class T>
CollectiveCall describe_allgatherv(std::span<const T> input, std::span<T> output, Blocks blocks) {
  auto call = describe<T>(coll::Collective::allgatherv, input.size(), input, output);
  call.shape.receive_counts = std::move(blocks.counts);
  call.shape.receive_displacements = std::move(blocks.displacements);
  return call;
}

template <class T>
CollectiveCall describe_alltoallv(std::span<const T> input, Blocks sent, std::span<T> output,
                                  Blocks received) {
  auto call = describe<T>(coll::Collective::alltoallv, 0, input, output);
  call.shape.send_counts = std::move(sent.counts);
  call.shape.send_displacements = std::move(sent.displacements);
  call.shape.receive_counts = std::move(received.counts);
  call.shape.receive_displacements = std::move(received.displacements);
  return call;
}

}  // namespace runtime
}  // namespace tasuki
