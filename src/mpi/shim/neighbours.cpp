#include "mpi/shim/neighbours.hpp"

namespace tasuki::mpi::shim {

Neighbours::Neighbours(MPI_Comm communicator) noexcept {
  if (communicator == MPI_COMM_NULL) return;
  int topology = MPI_UNDEFINED;
  PMPI_Topo_test(communicator, &topology);
  if (topology == MPI_DIST_GRAPH) {
    int is_weighted = 0;
    PMPI_Dist_graph_neighbors_count(communicator, &in_degree_, &out_degree_, &is_weighted);
  } else if (topology == MPI_CART) {
    // A neighbour before and one after in each dimension.
    PMPI_Cartdim_get(communicator, &in_degree_);
    in_degree_ *= 2;
    out_degree_ = in_degree_;
  } else if (topology == MPI_GRAPH) {
    int rank = 0;
    PMPI_Comm_rank(communicator, &rank);
    PMPI_Graph_neighbors_count(communicator, rank, &in_degree_);
    out_degree_ = in_degree_;
  }
}

}  // namespace tasuki::mpi::shim
