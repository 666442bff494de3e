// The policy: which algorithm a collective uses, as a table of names.
//
// Only what every rank knows decides: the number of ranks, where they are, and the size of the
// message unless only some know it (gatherv, scatterv, alltoallv). So all ranks choose the same
// without a message. The built-in table is general; tuned tables of the same form come before it.
// Thread-safety: values and pure functions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include <tasuki/detail/coll/algorithm.hpp>

namespace tasuki::coll {

inline constexpr int any_ranks = std::numeric_limits<int>::max();
inline constexpr std::size_t any_bytes = std::numeric_limits<std::size_t>::max();

/// Where the ranks of a team may be for a row to hold.
struct NodeRange {
  int nodes_from = 1;
  int nodes_up_to = any_ranks;
  int ranks_per_node_up_to = any_ranks;  ///< On the fullest node.

  /// As Shape::placement.
  bool holds(const Shape& shape) const noexcept;
  bool operator==(const NodeRange&) const = default;
};

/// Use `algorithm` for up to so many ranks and so many bytes. The size is count * element_bytes:
/// the whole vector (broadcast, reduce, allreduce, scan, exscan), one rank's block (gather,
/// scatter, allgather, alltoall, reduce_scatter_block) or the longest one
/// (allgatherv, reduce_scatter).
struct PolicyRow {
  Collective collective;
  int ranks_up_to = any_ranks;
  std::size_t bytes_up_to = any_bytes;
  std::string algorithm;
  std::string parameters;  ///< As Parameters::parse reads them.
  std::string reason;      ///< Where the threshold comes from.
  NodeRange nodes = {};
  /// Where size and nodes are within bounds, but the ranks are too many or cannot use the
  /// algorithm, the next general row decides: rows between are for other sizes and nodes.
  bool is_else_general = false;

  /// Is it for any ranks on any nodes?
  bool is_general() const noexcept { return ranks_up_to == any_ranks && nodes == NodeRange{}; }
};

/// What the team can use beside messages.
struct Media {
  bool shared_memory = false;
  bool peer_memory = false;
  bool mpi_library = false;
};

/// Can the team use it?
bool has(Media media, Medium medium) noexcept;

/// What a policy chose, and why.
struct Choice {
  const AlgorithmDescriptor* algorithm = nullptr;
  Parameters parameters;  ///< Complete.
  std::string reason;
};

class Policy {
 public:
  /// Rows are tried in order. Throws tasuki::error: an unknown algorithm or parameter, a collective
  /// without a row for any ranks and any bytes whose algorithm is always applicable and carried by
  /// messages.
  explicit Policy(std::vector<PolicyRow> rows);

  /// The first row whose bounds hold, whose algorithm is usable, and whose medium is there; see
  /// also PolicyRow::is_else_general. Where a reduction has to be reproducible and no row fits, the
  /// default policy decides.
  Choice select(Collective collective, const Shape& shape, Media media = {}) const;

  std::span<const PolicyRow> rows() const noexcept { return rows_; }

 private:
  std::vector<PolicyRow> rows_;
  std::vector<Choice> choices_;  ///< What each row chooses, its names looked up once.
};

/// The table that comes with Tasuki.
const Policy& default_policy();
/// Returns: `rows`, and behind them those of the default policy. Throws tasuki::error as Policy.
Policy before_default_policy(std::vector<PolicyRow> rows);

}  // namespace tasuki::coll
