// Four ranks exchange messages of all kinds; rank 1 waits for rank 0 in a region of its own.
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { doubles = 100, rounds = 10, pause_us = 300000 };

static void ring(int rank, int size) {
  double sent[doubles] = {0}, received[2 * doubles];
  for (int i = 0; i < rounds; ++i) {
    MPI_Request requests[2];
    MPI_Irecv(received, 2 * doubles, MPI_DOUBLE, (rank + size - 1) % size, 5, MPI_COMM_WORLD,
              &requests[0]);
    MPI_Isend(sent, doubles, MPI_DOUBLE, (rank + 1) % size, 5, MPI_COMM_WORLD, &requests[1]);
    MPI_Status statuses[2];
    MPI_Waitall(2, requests, statuses);
  }
}

static void late_sender(int rank) {
  int value = 0, received[2];
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Pcontrol(1);
  if (rank == 0) {
    usleep(pause_us);
    MPI_Send(&value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD);
  } else if (rank == 1) {
    MPI_Recv(received, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  MPI_Pcontrol(0);
}

static void halves(int rank) {
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  double value = rank, sum = 0;
  MPI_Allreduce(&value, &sum, 1, MPI_DOUBLE, MPI_SUM, half);
  MPI_Comm_free(&half);
}

int main(int argc, char** argv) {
  int rank = 0, size = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  ring(rank, size);
  late_sender(rank);
  halves(rank);
  printf("rank %d is done\n", rank);
  return MPI_Finalize();
}
