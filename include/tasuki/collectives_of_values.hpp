// Collectives of one value from each rank, of any type that a call could have as an argument:
// strings, vectors, maps, types with a `serialize` function. Their lengths may differ.
//
// The value is serialised on its rank, and travels as bytes by a collective of collectives.hpp. For
// numbers and other bytewise values that header has the same functions where they need no bytes.
//     const std::vector<std::string> names = tasuki::allgather(std::string("rank"));
// Every rank of the team takes part. Thread-safety: from the rank's own thread only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <tasuki/collectives.hpp>
#include <tasuki/detail/runtime/collectives/value_bytes.hpp>
#include <utility>
#include <vector>

namespace tasuki {
namespace runtime {

/// The values of all ranks, as bytes one after the other.
struct BytesOfAll {
  Blocks blocks;  ///< By rank.
  std::vector<std::byte> bytes;

  explicit BytesOfAll(const std::vector<std::uint64_t>& counts)
      : blocks{{counts.begin(), counts.end()}},
        bytes(std::accumulate(counts.begin(), counts.end(), std::size_t{0})) {}

  template <class T>
  std::vector<T> values() const {
    std::vector<T> all;
    all.reserve(blocks.counts.size());
    std::span<const std::byte> left(bytes);
    for (const std::size_t count : blocks.counts) {
      all.push_back(value_of<T>(left.first(count)));
      left = left.subspan(count);
    }
    return all;
  }
};

/// In the order of the ranks. Requires: there is one.
template <class T, class Op>
T combined(std::vector<T> values, const Op& op) {
  T result = std::move(values.front());
  for (std::size_t rank = 1; rank < values.size(); ++rank) {
    result = op(std::as_const(result), std::as_const(values[rank]));
  }
  return result;
}

}  // namespace runtime

/// Returns: the value of rank `root`, on all.
///     const std::string text = tasuki::broadcast(std::string("read by rank 0"), 0);
template <runtime::Serializable T>
[[nodiscard]] T broadcast(const T& value, int root, const Team& team = world_team()) {
  std::vector<std::byte> bytes;
  if (team.rank() == root) bytes = runtime::bytes_of(value);
  bytes.resize(broadcast(std::uint64_t{bytes.size()}, root, team));
  broadcast(std::span(bytes), root, team);
  return team.rank() == root ? value : runtime::value_of<T>(bytes);
}

/// Returns: the values of all ranks in their order, on `root`; nothing elsewhere.
///     const std::vector<int> ranks = tasuki::gather(tasuki::rank(), 0);
template <runtime::Sendable T>
[[nodiscard]] std::vector<T> gather(const T& value, int root, const Team& team = world_team()) {
  const std::vector<std::byte> bytes = runtime::bytes_of(value);
  const bool is_root = team.rank() == root;
  std::vector<std::uint64_t> counts(is_root ? static_cast<std::size_t>(team.size()) : 0);
  const std::uint64_t count = bytes.size();
  gather(std::span(&count, 1), std::span(counts), root, team);
  runtime::BytesOfAll all(counts);
  gatherv(std::span(bytes), std::span(all.bytes), all.blocks, root, team);
  return all.values<T>();
}

/// Returns: the values of all ranks in their order, on all.
///     const auto lists = tasuki::allgather(std::vector<int>(tasuki::rank()));
template <runtime::Serializable T>
[[nodiscard]] std::vector<T> allgather(const T& value, const Team& team = world_team()) {
  const std::vector<std::byte> bytes = runtime::bytes_of(value);
  runtime::BytesOfAll all(allgather(std::uint64_t{bytes.size()}, team));
  allgatherv(std::span(bytes), std::span(all.bytes), all.blocks, team);
  return all.values<T>();
}

/// The values travel to `root`, which combines them in the order of the ranks.
/// Returns: the result on `root`, this rank's value elsewhere.
///     const std::string all = tasuki::reduce(std::string("a"), std::plus<>{}, 0);
template <runtime::Serializable T, class Op>
[[nodiscard]] T reduce(const T& value, const Op& op, int root, const Team& team = world_team()) {
  std::vector<T> values = gather(value, root, team);
  return values.empty() ? value : runtime::combined(std::move(values), op);
}

/// Every rank combines the values of all in the order of the ranks.
///     const std::string all = tasuki::allreduce(std::string("a"), std::plus<>{});
template <runtime::Serializable T, class Op>
[[nodiscard]] T allreduce(const T& value, const Op& op, const Team& team = world_team()) {
  return runtime::combined(allgather(value, team), op);
}

/// Exclusive prefix. Returns: the combination of the values of all ranks before this one; on the
/// first rank `first`, which the others do not use.
///     const int before_me = tasuki::exscan(1, tasuki::Sum{}, 0);  // rank()
template <runtime::Bytewise T, class Op>
[[nodiscard]] T exscan(T value, const Op& op, T first, const Team& team = world_team()) {
  exscan(std::span<const T>(&value, 1), std::span<T>(&first, 1), op, team);
  return first;
}

}  // namespace tasuki
