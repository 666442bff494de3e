/* The functions for large counts of MPI 4, and one call that some ranks make by one of them and some
 * by the other. Prints how many results were wrong. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;
static long wrong_count;

static void expect(long value, long wanted, const char *what) {
  if (value == wanted) return;
  if (wrong_count++ == 0) printf("rank %d: %s: %ld instead of %ld\n", rank, what, value, wanted);
}

static void reductions(MPI_Count count, long *own, long *all) {
  for (MPI_Count i = 0; i < count * size; ++i) own[i] = rank + i;
  const long ranks = size * (size - 1) / 2;
  MPI_Allreduce_c(own, all, count, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  for (MPI_Count i = 0; i < count; ++i) expect(all[i], ranks + i * size, "allreduce");
  MPI_Reduce_c(own, all, count, MPI_LONG, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) expect(all[count - 1], size - 1 + count - 1, "reduce");
  MPI_Scan_c(own, all, count, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  expect(all[count - 1], rank + count - 1, "scan");
  MPI_Exscan_c(own, all, count, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  if (rank > 0) expect(all[count - 1], rank - 1 + count - 1, "exscan");
  MPI_Reduce_scatter_block_c(own, all, count, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  expect(all[0], ranks + rank * count * size, "reduce_scatter_block");
}

static void exchanges(MPI_Count count, long *own, long *all) {
  MPI_Bcast_c(own, count, MPI_LONG, 0, MPI_COMM_WORLD);
  expect(own[count - 1], count - 1, "bcast");
  for (MPI_Count i = 0; i < count * size; ++i) own[i] = rank + i;
  MPI_Allgather_c(own, count, MPI_LONG, all, count, MPI_LONG, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) expect(all[i * count], i, "allgather");
  MPI_Gather_c(own, count, MPI_LONG, all, count, MPI_LONG, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < size; ++i) expect(all[i * count], i, "gather");
  MPI_Scatter_c(own, count, MPI_LONG, all, count, MPI_LONG, 0, MPI_COMM_WORLD);
  expect(all[0], rank * count, "scatter");
  MPI_Alltoall_c(own, count, MPI_LONG, all, count, MPI_LONG, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) expect(all[i * count], i + rank * count, "alltoall");
  if (rank == 0) {
    MPI_Bcast(own, (int)count, MPI_LONG, 0, MPI_COMM_WORLD);
  } else {
    MPI_Bcast_c(own, count, MPI_LONG, 0, MPI_COMM_WORLD);
  }
  expect(own[count - 1], count - 1, "bcast of both kinds");
}

/* Blocks of one size that lie in reverse order. */
static void uneven(MPI_Count count, long *own, long *all) {
  MPI_Count *counts = malloc(sizeof(MPI_Count) * (size_t)size);
  MPI_Aint *starts = malloc(sizeof(MPI_Aint) * (size_t)size);
  MPI_Aint *bytes = malloc(sizeof(MPI_Aint) * (size_t)size);
  MPI_Datatype *types = malloc(sizeof(MPI_Datatype) * (size_t)size);
  for (int i = 0; i < size; ++i) {
    counts[i] = count;
    starts[i] = (size - 1 - i) * count;
    bytes[i] = starts[i] * (MPI_Aint)sizeof(long);
    types[i] = MPI_LONG;
  }
  for (MPI_Count i = 0; i < count * size; ++i) own[i] = rank + i;
  MPI_Allgatherv_c(own, count, MPI_LONG, all, counts, starts, MPI_LONG, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) expect(all[starts[i]], i, "allgatherv");
  MPI_Gatherv_c(own, count, MPI_LONG, all, counts, starts, MPI_LONG, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < size; ++i) expect(all[starts[i]], i, "gatherv");
  MPI_Scatterv_c(own, counts, starts, MPI_LONG, all, count, MPI_LONG, 0, MPI_COMM_WORLD);
  expect(all[0], starts[rank], "scatterv");
  MPI_Alltoallv_c(own, counts, starts, MPI_LONG, all, counts, starts, MPI_LONG, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) expect(all[starts[i]], i + starts[rank], "alltoallv");
  MPI_Alltoallw_c(own, counts, bytes, types, all, counts, bytes, types, MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) expect(all[starts[i]], i + starts[rank], "alltoallw");
  MPI_Reduce_scatter_c(own, all, counts, MPI_LONG, MPI_MAX, MPI_COMM_WORLD);
  expect(all[0], size - 1 + rank * count, "reduce_scatter");
  free(counts), free(starts), free(bytes), free(types);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  static const MPI_Count counts[] = {1, 1000, 30000};
  for (int i = 0; i < 3; ++i) {
    const size_t bytes = sizeof(long) * (size_t)counts[i] * (size_t)size;
    long *own = malloc(bytes), *all = malloc(bytes);
    reductions(counts[i], own, all);
    exchanges(counts[i], own, all);
    uneven(counts[i], own, all);
    free(own), free(all);
  }
  long all_wrong_count = 0;
  MPI_Reduce_c(&wrong_count, &all_wrong_count, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  if (rank == 0) printf("%ld wrong\n", all_wrong_count);
  MPI_Finalize();
  return 0;
}
