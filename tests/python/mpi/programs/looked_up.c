/* Loads the MPI that its argument names and looks its functions up, as Julia's MPI.jl does. */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char** argv) {
  void* const mpi = dlopen(argv[argc - 1], RTLD_NOW | RTLD_LOCAL);
  if (mpi == NULL) return 1;
  int (*init)(int*, char***) = dlsym(mpi, "MPI_Init");
  int (*finalize)(void) = dlsym(mpi, "MPI_Finalize");
  init(&argc, &argv);
  printf("initialized\n");
  return finalize();
}
