#include <tasuki/detail/coll/policy.hpp>

#include <fmt/format.h>
#include <tasuki/detail/base/assert.hpp>
#include <tasuki/detail/coll/placement.hpp>
#include <tasuki/detail/coll/registry.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

#include "coll/registry_rows.hpp"
#include "coll/simulated/rows.hpp"

namespace tasuki::coll {
namespace {

bool is_always_usable(const PolicyRow& row, const AlgorithmDescriptor& algorithm) {
  return row.is_general() && row.bytes_up_to == any_bytes &&
         algorithm.medium() == Medium::messages &&
         algorithm.not_applicable_because == always_applicable;
}

constexpr int few_ranks = 8;

/// By messages, for few ranks: measured over Open MPI 4.1 at 2, 3, 4 and 8 ranks of one node on 2
/// cores (docs/design/collectives-over-mpi.md).
std::vector<PolicyRow> few_ranks_rows() {
  using enum Collective;
  static const char* const one_wait = "all blocks at once: few ranks wait only once";
  return {
      {broadcast, few_ranks, any_bytes, "binomial", "", "few rounds anyway"},
      {allreduce, few_ranks, 32768, "recursive_doubling", "", "fewest rounds, for few ranks"},
      {allgather, few_ranks, 262144, "recursive_doubling", "", "few rounds, and nothing to pack"},
      {allgather, few_ranks, any_bytes, "linear", "", one_wait},
      {alltoall, few_ranks, any_bytes, "linear", "", one_wait},
  };
}

/// Rows for any number of ranks, for few.
std::vector<PolicyRow> for_few_ranks(std::vector<PolicyRow> rows) {
  for (PolicyRow& row : rows) row.ranks_up_to = few_ranks;
  return rows;
}

/// By messages, where nothing else is known.
std::vector<PolicyRow> message_rows() {
  using enum Collective;
  static const char* const only_one = "the one general algorithm";
  return {
      {barrier, any_ranks, any_bytes, "dissemination", "", "fewest rounds for any p"},
      // MPICH 4.0 changes over at 12 KiB and 512 KiB, with 8 ranks or more.
      {broadcast, any_ranks, 12288, "binomial", "", "fewest rounds; up to 12 KiB as in MPICH"},
      {broadcast, any_ranks, 524288, "scatter_allgather", "",
       "twice the rounds, fewer bytes per rank; up to 512 KiB as in MPICH"},
      {broadcast, any_ranks, any_bytes, "scatter_allgather_ring", "", "neighbours only"},
      {reduce, any_ranks, 2048, "binomial", "", "fewest rounds; up to 2 KiB as in MPICH"},
      {reduce, any_ranks, any_bytes, "rabenseifner", "", "fewest bytes, for long vectors"},
      // Thakur, Rabenseifner and Gropp 2005 and MPICH change over at 2 KiB.
      {allreduce, any_ranks, 2048, "recursive_doubling", "",
       "fewest rounds; up to 2 KiB as in Thakur et al. 2005"},
      {allreduce, any_ranks, any_bytes, "rabenseifner", "", "fewest bytes, for long vectors"},
      {gather, any_ranks, any_bytes, "binomial", "", only_one},
      {gatherv, any_ranks, any_bytes, "linear", "", only_one},
      {scatter, any_ranks, any_bytes, "binomial", "", only_one},
      {scatterv, any_ranks, any_bytes, "linear", "", only_one},
      // Open MPI 4.1 changes over at 50,000 bytes in all, MPICH 4.0 at 80 KiB.
      {allgather, any_ranks, 8192, "bruck", "",
       "fewest rounds; Open MPI and MPICH change over at 50 to 80 KB in all"},
      {allgather, any_ranks, any_bytes, "ring", "", "neighbours only, no packing"},
      {allgatherv, any_ranks, 8192, "bruck", "", "as allgather; the size is the longest block's"},
      {allgatherv, any_ranks, any_bytes, "ring", "", "as allgather"},
      // MPICH 4.0 and Open MPI 4.1 use Bruck's algorithm for blocks up to 256 and 200 bytes.
      {alltoall, any_ranks, 256, "modified_bruck", "",
       "fewest rounds; MPICH and Open MPI change over at about 256 bytes per block"},
      {alltoall, any_ranks, any_bytes, "pairwise", "", "every block travels once"},
      {alltoallv, any_ranks, any_bytes, "pairwise", "", only_one},
      {reduce_scatter_block, any_ranks, any_bytes, "recursive_halving", "",
       "for operators that commute: no blocks to put in another order first"},
      {reduce_scatter_block, any_ranks, any_bytes, "butterfly", "", "for any operator"},
      {reduce_scatter, any_ranks, any_bytes, "recursive_halving", "",
       "for operators that commute: no blocks to put in another order first"},
      {reduce_scatter, any_ranks, any_bytes, "butterfly", "", "for any operator"},
      {scan, any_ranks, any_bytes, "hillis_steele", "", "fewest rounds, one operation in each"},
      {exscan, any_ranks, any_bytes, "doubling_123", "", "fewest rounds, one operation in each"},
  };
}

/// For reductions that have to be reproducible: what combines in rank order. The simulator crosses
/// over at 1 to 2 KiB on a gigabit Ethernet and at 200 Gb/s, with 4 to 32 ranks (`tasuki explain
/// allreduce -n 8 -s 1K --transport mpi --reproducible`).
std::vector<PolicyRow> reproducible_rows() {
  using enum Collective;
  static const char* const short_ones = "in rank order, few rounds";
  static const char* const long_ones = "in rank order, each combines its share";
  static const char* const only_one = "the one in rank order";
  return {
      {reduce, any_ranks, 2048, "linear", "", short_ones},
      {reduce, any_ranks, any_bytes, "srg_linear", "", long_ones},
      {allreduce, any_ranks, 1024, "allgather_reduce", "", short_ones},
      {allreduce, any_ranks, any_bytes, "sra_linear", "", long_ones},
      {reduce_scatter_block, any_ranks, any_bytes, "linear", "", only_one},
      {reduce_scatter, any_ranks, any_bytes, "linear", "", only_one},
      {scan, any_ranks, any_bytes, "linear", "", only_one},
      {exscan, any_ranks, any_bytes, "linear", "", only_one},
  };
}

// In its one round each rank has a message for each other, of which a network may lose some.
constexpr int linear_ranks_most = 1024;

bool has_two_levels(Collective collective) {
  return std::ranges::any_of(algorithms_of(collective), [](const auto* algorithm) {
    return std::string_view(algorithm->name) == "two_level";
  });
}

/// What the simulator chose, for so many nodes at least and at most.
std::vector<PolicyRow> simulated_rows(std::span<const simulated::Row> chosen, NodeRange nodes) {
  std::vector<PolicyRow> rows;
  for (const simulated::Row& one : chosen) {
    PolicyRow row{.collective = one.collective,
                  .bytes_up_to = one.bytes_up_to,
                  .algorithm = one.algorithm,
                  .parameters = "",
                  .reason = "near the best in simulations of two networks",
                  .nodes = nodes};
    row.nodes.nodes_up_to = std::min(nodes.nodes_up_to, one.nodes_up_to);
    row.nodes.ranks_per_node_up_to = std::min(nodes.ranks_per_node_up_to, one.ranks_per_node_up_to);
    if (row.algorithm == "linear") row.ranks_up_to = linear_ranks_most;
    const bool has_other = row.algorithm == "two_level_lanes" && has_two_levels(row.collective);
    row.is_else_general = !has_other;
    rows.push_back(row);
    if (!has_other) continue;
    row.algorithm = "two_level";
    row.reason = "for nodes with different numbers of ranks";
    row.is_else_general = true;
    rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<PolicyRow> default_rows() {
  std::vector<PolicyRow> rows = take_added_rows();
  const auto add = [&rows](std::vector<PolicyRow> more) {
    std::ranges::move(more, std::back_inserter(rows));
  };
  add(simulated_rows(simulated::alone_rows(), {2, any_ranks, 1}));
  add(simulated_rows(simulated::nodes_rows(), {2, any_ranks, any_ranks}));
  add(few_ranks_rows());
  add(for_few_ranks(message_rows()));
  add(simulated_rows(simulated::one_node_rows(), {1, 1, any_ranks}));
  add(message_rows());
  add(reproducible_rows());
  return rows;
}

}  // namespace

bool NodeRange::holds(const Shape& shape) const noexcept {
  const int nodes_count = shape.placement != nullptr ? shape.placement->nodes_count() : 1;
  if (nodes_count < nodes_from || nodes_count > nodes_up_to) return false;
  const int fullest =
      shape.placement != nullptr ? shape.placement->most_ranks_per_node() : shape.ranks;
  return fullest <= ranks_per_node_up_to;
}

bool has(Media media, Medium medium) noexcept {
  switch (medium) {
    case Medium::messages:
      return true;
    case Medium::shared_memory:
      return media.shared_memory;
    case Medium::peer_memory:
      return media.peer_memory;
    case Medium::mpi_library:
      return media.mpi_library;
  }
  return false;
}

Policy::Policy(std::vector<PolicyRow> rows) : rows_(std::move(rows)) {
  std::array<bool, collectives_count> covered{};
  for (const PolicyRow& row : rows_) {
    const auto& algorithm = algorithm_named(row.collective, row.algorithm);
    choices_.push_back(
        {&algorithm, complete(algorithm, Parameters::parse(row.parameters)), row.reason});
    if (is_always_usable(row, algorithm)) covered[static_cast<std::size_t>(row.collective)] = true;
  }
  for (const Collective collective : all_collectives()) {
    if (!covered[static_cast<std::size_t>(collective)]) {
      throw error("reading a policy",
                  fmt::format("it leaves cases of {} without an algorithm", name_of(collective)),
                  "end it with a row for any ranks and bytes whose algorithm is always applicable");
    }
  }
}

Choice Policy::select(Collective collective, const Shape& shape, Media media) const {
  // What only some ranks know is for rows for any size.
  const std::size_t message_bytes = has_common_count(collective)
                                        ? common_count(collective, shape) * shape.element_bytes
                                        : any_bytes;
  bool only_general = false;
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const PolicyRow& row = rows_[i];
    if (row.collective != collective || (only_general && !row.is_general())) continue;
    if (message_bytes > row.bytes_up_to || !row.nodes.holds(shape)) continue;
    const Choice& choice = choices_[i];
    if (shape.ranks <= row.ranks_up_to && has(media, choice.algorithm->medium()) &&
        not_usable_because(*choice.algorithm, shape, choice.parameters).empty()) {
      return choice;
    }
    only_general = only_general || row.is_else_general;
  }
  // A reduction that has to be reproducible, of a policy that does not mind the order.
  TASUKI_ASSERT(this != &default_policy());
  return default_policy().select(collective, shape, media);
}

const Policy& default_policy() {
  static const Policy policy(default_rows());
  return policy;
}

Policy before_default_policy(std::vector<PolicyRow> rows) {
  std::ranges::copy(default_policy().rows(), std::back_inserter(rows));
  return Policy(std::move(rows));
}

}  // namespace tasuki::coll
