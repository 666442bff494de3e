#include <tasuki/detail/coll/policy.hpp>

#include <fmt/format.h>
#include <tasuki/detail/base/assert.hpp>
#include <tasuki/detail/coll/placement.hpp>
#include <tasuki/detail/coll/registry.hpp>
#include <tasuki/error.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

#include "coll/registry_rows.hpp"
#include "coll/simulated/rows.hpp"

namespace tasuki::coll {
namespace {

bool is_general(const PolicyRow& row, const AlgorithmDescriptor& algorithm) {
  return row.ranks_up_to == any_ranks && row.bytes_up_to == any_bytes && row.nodes == NodeRange{} &&
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

/// The rows that the simulator chose, each with others for where its algorithm cannot be used.
class SimulatedRows {
 public:
  SimulatedRows() { std::ranges::move(reproducible_rows(), std::back_inserter(general_)); }

  /// For so many nodes at least and at most.
  std::vector<PolicyRow> of(std::span<const simulated::Row> rows, NodeRange nodes) {
    rows_.clear();
    for (const simulated::Row& row : rows) {
      NodeRange range = nodes;
      range.nodes_up_to = std::min(range.nodes_up_to, row.nodes_up_to);
      range.ranks_per_node_up_to = std::min(range.ranks_per_node_up_to, row.ranks_per_node_up_to);
      const std::string_view name = row.algorithm;
      // In its one round each rank has a message for each other, of which a network may lose some.
      const int ranks_up_to = name == "linear" ? linear_ranks_most : any_ranks;
      add({row.collective, ranks_up_to, row.bytes_up_to, row.algorithm, "",
           "near the best in simulations of two networks", range});
    }
    return std::move(rows_);
  }

 private:
  static constexpr int linear_ranks_most = 1024;

  void add(const PolicyRow& row) {
    rows_.push_back(row);
    if (row.algorithm == "two_level_lanes") {
      add_for_others(row, "two_level", "for nodes with different numbers of ranks");
    }
    if (!may_be_refused(row)) return;
    // Not the rows that come next: they are for longer messages.
    for (const PolicyRow& general : general_) {
      if (general.collective != row.collective) continue;
      PolicyRow bounded = general;
      bounded.bytes_up_to = std::min(bounded.bytes_up_to, row.bytes_up_to);
      bounded.nodes = row.nodes;
      rows_.push_back(std::move(bounded));
    }
  }

  void add_for_others(PolicyRow row, const char* algorithm, const char* reason) {
    const auto is_it = [&](const auto* one) { return std::string_view(algorithm) == one->name; };
    if (std::ranges::none_of(algorithms_of(row.collective), is_it)) return;
    row.algorithm = algorithm;
    row.reason = reason;
    rows_.push_back(std::move(row));
  }

  static bool may_be_refused(const PolicyRow& row) {
    const auto& algorithm = algorithm_named(row.collective, row.algorithm);
    return row.ranks_up_to != any_ranks || algorithm.not_applicable_because != always_applicable ||
           (reduces(row.collective) && algorithm.order != Order::ranks);
  }

  std::vector<PolicyRow> general_ = message_rows();
  std::vector<PolicyRow> rows_;
};

std::vector<PolicyRow> default_rows() {
  std::vector<PolicyRow> rows = take_added_rows();
  const auto add = [&rows](std::vector<PolicyRow> more) {
    std::ranges::move(more, std::back_inserter(rows));
  };
  SimulatedRows simulated;
  add(simulated.of(simulated::alone_rows(), {2, any_ranks, 1}));
  add(simulated.of(simulated::nodes_rows(), {2, any_ranks, any_ranks}));
  add(few_ranks_rows());
  add(for_few_ranks(message_rows()));
  add(simulated.of(simulated::one_node_rows(), {1, 1, any_ranks}));
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
    if (is_general(row, algorithm)) covered[static_cast<std::size_t>(row.collective)] = true;
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
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const PolicyRow& row = rows_[i];
    if (row.collective != collective || shape.ranks > row.ranks_up_to) continue;
    if (message_bytes > row.bytes_up_to || !row.nodes.holds(shape)) continue;
    const Choice& choice = choices_[i];
    if (!has(media, choice.algorithm->medium())) continue;
    if (!not_usable_because(*choice.algorithm, shape, choice.parameters).empty()) continue;
    return choice;
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
