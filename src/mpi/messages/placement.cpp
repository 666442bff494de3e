#include "mpi/messages/placement.hpp"

#include <fmt/format.h>
#include <tasuki/detail/base/settings.hpp>
#include <tasuki/error.hpp>

#include "base/node_group.hpp"
#include "mpi/messages/check.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace tasuki::mpi {
namespace {

constexpr int in_none = -2;

/// As base::own_node_group(), but a host in none throws later, on all ranks.
int own_group() {
  try {
    return base::own_node_group();
  } catch (const error&) {
    return in_none;
  }
}

/// The groups of all ranks, if all know theirs. Throws tasuki::error if one is in none.
std::vector<int> groups_of(std::vector<int> of_all) {
  const auto stranger = std::ranges::find(of_all, in_none);
  if (stranger != of_all.end()) {
    base::own_node_group();  // Where it is this host it says more.
    throw error(
        "finding the groups of hosts",
        fmt::format("the host of rank {} is in none of the groups '{}'", stranger - of_all.begin(),
                    base::setting::node_groups.text()),
        fmt::format("add it to one of them in {}, or unset that", base::setting::node_groups.name));
  }
  if (std::ranges::find(of_all, -1) != of_all.end()) of_all.clear();
  return of_all;
}

}  // namespace

std::unique_ptr<const coll::Placement> find_placement(MPI_Comm communicator) {
  constexpr const char* operation = "finding the ranks of each node";
  int rank = 0;
  int size = 1;
  PMPI_Comm_rank(communicator, &rank);
  PMPI_Comm_size(communicator, &size);
  MPI_Comm node = MPI_COMM_NULL;
  check(PMPI_Comm_split_type(communicator, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, &node),
        operation);
  int first = rank;  // The node's first rank names the node.
  const int told = PMPI_Bcast(&first, 1, MPI_INT, 0, node);
  PMPI_Comm_free(&node);
  check(told, operation);
  const auto of_all = [&](int own) {
    std::vector<int> numbers(static_cast<std::size_t>(size));
    check(PMPI_Allgather(&own, 1, MPI_INT, numbers.data(), 1, MPI_INT, communicator), operation);
    return numbers;
  };
  const std::vector<int> nodes = of_all(first);
  const std::vector<int> groups = groups_of(of_all(own_group()));
  auto found = std::make_unique<const coll::Placement>(nodes, groups);
  return found->nodes_count() > 1 ? std::move(found) : nullptr;
}

}  // namespace tasuki::mpi
