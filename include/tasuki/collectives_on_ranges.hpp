// The collectives of collectives.hpp on whatever holds its elements one after the other: vectors,
// arrays, strings, spans. The element type is that of the ranges.
//
// All that is said in collectives.hpp holds here: sizes, order, and that buffers belong to the
// collective until it returns or its future is ready, so they must outlive the future.
//     std::vector<double> sums(100, 1.0);
//     tasuki::allreduce(sums, sums, std::plus<>{});
// `broadcast` of a range is that of a value (collectives_of_values.hpp): its length may differ;
// `broadcast(std::span(row), root)` fills memory that is there.
//
// Thread-safety: from the rank's own thread only.
#pragma once

#include <iterator>
#include <span>
#include <tasuki/collectives.hpp>
#include <tasuki/detail/base/elements.hpp>
#include <type_traits>
#include <utility>
#include <vector>

namespace tasuki {
namespace runtime {

/// Both ends of a collective, which have elements of one type.
template <class Input, class Output>
struct Ends {
  using Reference = decltype(*std::data(std::declval<Output&>()));
  using Element = std::remove_cvref_t<Reference>;
  using Given = std::remove_cvref_t<decltype(*std::data(std::declval<const Input&>()))>;
  static_assert(std::is_same_v<Given, Element>,
                "tasuki: the input and the output of a collective have elements of different "
                "types. Give both the same.");
  static_assert(!std::is_const_v<std::remove_reference_t<Reference>>,
                "tasuki: the output of a collective cannot be written. Take const away.");

  Ends(const Input& from, Output& to) : input(from), output(to) {}

  std::span<const Element> input;
  std::span<Element> output;
};
template <class Input, class Output>
Ends(const Input&, Output&) -> Ends<Input, Output>;

}  // namespace runtime

/// As their namesakes on spans. `output` of `reduce` and `gather` matters on `root` only.
///     const std::array mine{1.0, 2.0};
///     std::array<double, 2> sums{};
///     tasuki::reduce(mine, sums, tasuki::Sum{}, 0);
template <base::Elements Input, base::Elements Output, class Op>
void reduce(const Input& input, Output&& output, const Op& op, int root,
            const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  tasuki::reduce(ends.input, ends.output, op, root, team);
}
template <base::Elements Input, base::Elements Output, class Op>
Future<void> reduce_async(const Input& input, Output& output, Op op, int root,
                          const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  return tasuki::reduce_async(ends.input, ends.output, std::move(op), root, team);
}

/// Elementwise over the ranks, to all.
///     std::vector<int> sums(3, tasuki::rank());
///     tasuki::allreduce(sums, sums, std::plus<>{});
template <base::Elements Input, base::Elements Output, class Op>
void allreduce(const Input& input, Output&& output, const Op& op, const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  tasuki::allreduce(ends.input, ends.output, op, team);
}
template <base::Elements Input, base::Elements Output, class Op>
Future<void> allreduce_async(const Input& input, Output& output, Op op,
                             const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  return tasuki::allreduce_async(ends.input, ends.output, std::move(op), team);
}

/// Inclusive prefix.
///     const std::array mine{1, tasuki::rank()};
///     std::array<int, 2> up_to_me{};
///     tasuki::scan(mine, up_to_me, tasuki::Sum{});
template <base::Elements Input, base::Elements Output, class Op>
void scan(const Input& input, Output&& output, const Op& op, const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  tasuki::scan(ends.input, ends.output, op, team);
}
template <base::Elements Input, base::Elements Output, class Op>
Future<void> scan_async(const Input& input, Output& output, Op op,
                        const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  return tasuki::scan_async(ends.input, ends.output, std::move(op), team);
}

/// Exclusive prefix; the output of rank 0 is not touched.
///     const std::array mine{1};
///     std::array<int, 1> before_me{};
///     tasuki::exscan(mine, before_me, tasuki::Sum{});
template <base::Elements Input, base::Elements Output, class Op>
void exscan(const Input& input, Output&& output, const Op& op, const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  tasuki::exscan(ends.input, ends.output, op, team);
}
template <base::Elements Input, base::Elements Output, class Op>
Future<void> exscan_async(const Input& input, Output& output, Op op,
                          const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  return tasuki::exscan_async(ends.input, ends.output, std::move(op), team);
}

/// Blocks of one size, side by side on `root`.
///     const std::array mine{tasuki::rank()};
///     std::vector<int> all(tasuki::rank() == 0 ? tasuki::size() : 0);
///     tasuki::gather(mine, all, 0);
template <base::Elements Input, base::Elements Output>
void gather(const Input& input, Output&& output, int root, const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  tasuki::gather(ends.input, ends.output, root, team);
}
template <base::Elements Input, base::Elements Output>
Future<void> gather_async(const Input& input, Output& output, int root,
                          const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  return tasuki::gather_async(ends.input, ends.output, root, team);
}

/// Blocks of different sizes.
///     const std::vector<int> mine(1, tasuki::rank());
///     std::vector<int> all(tasuki::size());
///     tasuki::gatherv(mine, all, {std::vector<std::size_t>(tasuki::size(), 1)}, 0);
template <base::Elements Input, base::Elements Output>
void gatherv(const Input& input, Output&& output, Blocks blocks, int root,
             const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  tasuki::gatherv(ends.input, ends.output, std::move(blocks), root, team);
}
template <base::Elements Input, base::Elements Output>
Future<void> gatherv_async(const Input& input, Output& output, Blocks blocks, int root,
                           const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  return tasuki::gatherv_async(ends.input, ends.output, std::move(blocks), root, team);
}

/// A block of `root` to each rank.
///     const std::vector<int> all(tasuki::size());
///     std::array<int, 1> mine{};
///     tasuki::scatter(all, mine, 0);
template <base::Elements Input, base::Elements Output>
void scatter(const Input& input, Output&& output, int root, const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  tasuki::scatter(ends.input, ends.output, root, team);
}
template <base::Elements Input, base::Elements Output>
Future<void> scatter_async(const Input& input, Output& output, int root,
                           const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  return tasuki::scatter_async(ends.input, ends.output, root, team);
}

/// Blocks of different sizes.
///     const std::vector<int> all(tasuki::size());
///     std::array<int, 1> mine{};
///     tasuki::scatterv(all, {std::vector<std::size_t>(tasuki::size(), 1)}, mine, 0);
template <base::Elements Input, base::Elements Output>
void scatterv(const Input& input, Blocks blocks, Output&& output, int root,
              const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  tasuki::scatterv(ends.input, std::move(blocks), ends.output, root, team);
}
template <base::Elements Input, base::Elements Output>
Future<void> scatterv_async(const Input& input, Blocks blocks, Output& output, int root,
                            const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  return tasuki::scatterv_async(ends.input, std::move(blocks), ends.output, root, team);
}

/// Blocks of one size, side by side on all.
///     const std::array mine{tasuki::rank()};
///     std::vector<int> all(tasuki::size());
///     tasuki::allgather(mine, all);
template <base::Elements Input, base::Elements Output>
void allgather(const Input& input, Output&& output, const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  tasuki::allgather(ends.input, ends.output, team);
}
template <base::Elements Input, base::Elements Output>
Future<void> allgather_async(const Input& input, Output& output, const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  return tasuki::allgather_async(ends.input, ends.output, team);
}

/// Blocks of different sizes.
///     const std::array mine{tasuki::rank()};
///     std::vector<int> all(tasuki::size());
///     tasuki::allgatherv(mine, all, {std::vector<std::size_t>(tasuki::size(), 1)});
template <base::Elements Input, base::Elements Output>
void allgatherv(const Input& input, Output&& output, Blocks blocks,
                const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  tasuki::allgatherv(ends.input, ends.output, std::move(blocks), team);
}
template <base::Elements Input, base::Elements Output>
Future<void> allgatherv_async(const Input& input, Output& output, Blocks blocks,
                              const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  return tasuki::allgatherv_async(ends.input, ends.output, std::move(blocks), team);
}

/// Block j of rank i becomes block i of rank j.
///     const std::vector<int> to_each(tasuki::size());
///     std::vector<int> from_each(tasuki::size());
///     tasuki::alltoall(to_each, from_each);
template <base::Elements Input, base::Elements Output>
void alltoall(const Input& input, Output&& output, const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  tasuki::alltoall(ends.input, ends.output, team);
}
template <base::Elements Input, base::Elements Output>
Future<void> alltoall_async(const Input& input, Output& output, const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  return tasuki::alltoall_async(ends.input, ends.output, team);
}

/// Reduces, then gives block i to rank i; with `counts` the blocks differ in size.
///     const std::vector<int> input(tasuki::size(), 1);
///     std::array<int, 1> mine{};
///     tasuki::reduce_scatter(input, mine, tasuki::Sum{});
template <base::Elements Input, base::Elements Output, class Op>
void reduce_scatter(const Input& input, Output&& output, const Op& op,
                    const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  tasuki::reduce_scatter(ends.input, ends.output, op, team);
}
template <base::Elements Input, base::Elements Output, class Op>
Future<void> reduce_scatter_async(const Input& input, Output& output, Op op,
                                  const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  return tasuki::reduce_scatter_async(ends.input, ends.output, std::move(op), team);
}
template <base::Elements Input, base::Elements Output, class Op>
void reduce_scatter(const Input& input, Output&& output, std::vector<std::size_t> counts,
                    const Op& op, const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  tasuki::reduce_scatter(ends.input, ends.output, std::move(counts), op, team);
}
template <base::Elements Input, base::Elements Output, class Op>
Future<void> reduce_scatter_async(const Input& input, Output& output,
                                  std::vector<std::size_t> counts, Op op,
                                  const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  return tasuki::reduce_scatter_async(ends.input, ends.output, std::move(counts), std::move(op),
                                      team);
}

/// Blocks of different sizes.
///     const std::vector<int> to_each(tasuki::size());
///     std::vector<int> from_each(tasuki::size());
///     const tasuki::Blocks one_each{std::vector<std::size_t>(tasuki::size(), 1)};
///     tasuki::alltoallv(to_each, one_each, from_each, one_each);
template <base::Elements Input, base::Elements Output>
void alltoallv(const Input& input, Blocks sent, Output&& output, Blocks received,
               const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  tasuki::alltoallv(ends.input, std::move(sent), ends.output, std::move(received), team);
}
template <base::Elements Input, base::Elements Output>
Future<void> alltoallv_async(const Input& input, Blocks sent, Output& output, Blocks received,
                             const Team& team = world_team()) {
  const runtime::Ends ends(input, output);
  return tasuki::alltoallv_async(ends.input, std::move(sent), ends.output, std::move(received),
                                 team);
}

}  // namespace tasuki
