// Tasuki's mpi transport inside a program that uses MPI itself: on a communicator of the program's
// own, several times, with the program's messages under way. Exit code 0: all as it should be.
#include <mpi.h>

#include <cstdio>
#include <memory>
#include <tasuki/detail/transport/registry.hpp>

#include "transport/mailbox.hpp"

namespace {

using tasuki::transport::conformance::Mailbox;

/// Sends the rank round the ring of the communicator; true if the neighbour's came.
bool goes_round(MPI_Comm communicator) {
  const std::unique_ptr<tasuki::transport::Transport> transport =
      tasuki::transport::open_mpi_transport(static_cast<const void*>(&communicator));
  transport->start();
  int rank = -1;
  MPI_Comm_rank(communicator, &rank);
  bool is_right = transport->rank() == rank;
  {
    Mailbox mailbox(*transport);
    mailbox.send((rank + 1) % mailbox.size(), std::as_bytes(std::span(&rank, 1)));
    int got = -1;
    std::memcpy(&got, mailbox.receive().bytes.data(), sizeof(got));
    is_right = is_right && got == (rank + mailbox.size() - 1) % mailbox.size();
  }
  transport->stop();
  return is_right;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = -1;
  int size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  // The program's own message, with the tag of our frames, must not come to us nor ours to it.
  int sent = 1000 + rank;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Isend(&sent, 1, MPI_INT, (rank + 1) % size, 1, MPI_COMM_WORLD, &request);
  MPI_Comm halves = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &halves);
  const bool is_right =
      goes_round(MPI_COMM_WORLD) && goes_round(halves) && goes_round(MPI_COMM_WORLD);
  int got = 0;
  MPI_Recv(&got, 1, MPI_INT, (rank + size - 1) % size, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&halves);
  MPI_Finalize();
  if (is_right && got == 1000 + (rank + size - 1) % size) return 0;
  std::fprintf(stderr, "rank %d: wrong message: %d\n", rank, got);
  return 1;
}
