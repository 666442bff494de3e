// A collective call: what the templates of collectives.hpp hand to the runtime.
//
// One function for each collective puts the arguments together, for the blocking form and for the
// one that returns a future. Thread-safety: values.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <tasuki/detail/coll/call.hpp>
#include <tasuki/future.hpp>
#include <tasuki/sendable.hpp>
#include <tasuki/team.hpp>
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

/// What elements and operators must be, with a sentence for each reason why they are not.
template <class T, class... Op>
struct ElementCheck {
  static constexpr bool is_sendable = Bytewise<T>;
  static constexpr bool is_combined = !is_sendable || (coll::ReductionOperator<Op, T> && ...);
  static constexpr bool is_allowed = is_sendable && is_combined;
  static_assert(is_sendable,
                "tasuki: elements of collectives must be trivially copyable and hold no addresses. "
                "Several elements are given as a std::span of them.");
  static_assert(is_combined,
                "tasuki: the operator of a reduction must make one element of two: it is called as "
                "op(a, b) with two const T& and returns a T.");
};

struct CollectiveCall : coll::Call {
  explicit CollectiveCall(coll::Collective of) : coll::Call(of) {}
  /// As coll::Call, with the operator or without.
  template <class T, class... Op>
  CollectiveCall(coll::Collective of, std::size_t count, std::span<const T> from, std::span<T> to,
                 int root, const Op&... by)
      : coll::Call(of, count, from, to, root, by...), element_type(&typeid(T)) {
    [[maybe_unused]] constexpr bool is_allowed = ElementCheck<T, Op...>::is_allowed;
  }

  std::shared_ptr<const void> keep_alive;  ///< The operator's state, for calls that return early.
  const std::type_info* element_type = nullptr;
  const char* label = nullptr;  ///< For the hang report, static; null: the collective's name.
};

Future<void> start_collective(const Team& team, CollectiveCall call);
void run_collective(const Team& team, CollectiveCall call);

template <class T>
CollectiveCall describe(coll::Collective collective, std::size_t count, std::span<const T> input,
                        std::span<T> output, int root = 0) {
  return CollectiveCall(collective, count, input, output, root);
}

/// `op` must outlive the call.
template <class T, class Op>
CollectiveCall describe_reduction(coll::Collective collective, std::size_t count,
                                  std::span<const T> input, std::span<T> output, const Op& op,
                                  int root = 0) {
  return CollectiveCall(collective, count, input, output, root, op);
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
