#include "mpi/messages/placement.hpp"

#include "base/node_group.hpp"
#include "mpi/messages/check.hpp"

#include <cstddef>
#include <utility>
#include <vector>

namespace tasuki::mpi {

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
  const auto allgather = [&](const void* own, std::size_t bytes, void* all) {
    const int count = static_cast<int>(bytes);
    check(PMPI_Allgather(own, count, MPI_BYTE, all, count, MPI_BYTE, communicator), operation);
  };
  std::vector<int> nodes(static_cast<std::size_t>(size));
  allgather(&first, sizeof first, nodes.data());
  std::vector<base::NodeGroup> groups(nodes.size());
  const base::NodeGroup own = base::own_node_group();
  allgather(&own, sizeof own, groups.data());
  base::check_node_groups(groups, allgather);
  auto found = std::make_unique<const coll::Placement>(nodes, base::node_group_numbers(groups));
  return found->nodes_count() > 1 ? std::move(found) : nullptr;
}

}  // namespace tasuki::mpi
