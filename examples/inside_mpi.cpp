// examples/inside_mpi.cpp
#include <mpi.h>

#include <cstdio>
#include <tasuki/mpi.hpp>
#include <tasuki/tasuki.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm pair = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);

  const int exit_code = tasuki::run(MPI_COMM_WORLD, [&] {
    const tasuki::Team team = tasuki::team_from(pair);
    const int sum = tasuki::allreduce(1, tasuki::Sum{}, team);
    if (tasuki::rank() == 0) std::printf("ranks in my pair: %d\n", sum);
  });

  MPI_Comm_free(&pair);
  MPI_Finalize();
  return exit_code;
}
