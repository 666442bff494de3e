/* The MPI library fails in what Tasuki calls, on a communicator of the program, before it carries
 * out the communicator's collectives. The program's error handler prints that it was called. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

static MPI_Comm own = MPI_COMM_NULL;

static void handle(MPI_Comm* comm, int* code, ...) { puts("the program's error handler"); }

/* The library has its own, but the dynamic linker finds this one first. */
int PMPI_Iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Datatype datatype, MPI_Op op,
                    MPI_Comm comm, MPI_Request* request) {
  int (*next)(const void*, void*, int, MPI_Datatype, MPI_Op, MPI_Comm, MPI_Request*);
  if (comm == own) {
    MPI_Comm_call_errhandler(comm, MPI_ERR_INTERN);
    return MPI_ERR_INTERN;
  }
  *(void**)&next = dlsym(RTLD_NEXT, "PMPI_Iallreduce");
  return next(sendbuf, recvbuf, count, datatype, op, comm, request);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Errhandler handler;
  MPI_Init(&argc, &argv);
  setvbuf(stdout, NULL, _IONBF, 0);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &own);
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(own, handler);
  for (int count = 0; count < 10; ++count) MPI_Barrier(own);
  puts("done");
  MPI_Finalize();
  return 0;
}
