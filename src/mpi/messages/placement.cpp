#include "mpi/messages/placement.hpp"

#include "base/node_group.hpp"
#include "mpi/messages/check.hpp"

#include <algorithm>
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
  const auto of_all = [&](int own) {
    std::vector<int> numbers(static_cast<std::size_t>(size));
    check(PMPI_Allgather(&own, 1, MPI_INT, numbers.data(), 1, MPI_INT, communicator), operation);
    return numbers;
  };
  const std::vector<int> nodes = of_all(first);
  std::vector<int> groups = of_all(base::own_node_group());
  if (std::ranges::find(groups, -1) != groups.end()) groups.clear();
  auto found = std::make_unique<const coll::Placement>(nodes, groups);
  return found->nodes_count() > 1 ? std::move(found) : nullptr;
}

}  // namespace tasuki::mpi
