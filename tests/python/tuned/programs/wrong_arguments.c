/* Wrong arguments of collectives under MPI_ERRORS_RETURN: each rank prints which class of error each
 * call returns. All ranks make the same wrong call, or the root alone one that is wrong at the root:
 * none takes part in a collective. */
#include <mpi.h>
#include <stdio.h>

enum { most_ranks = 8, count = 4, long_enough = most_ranks * count };

static int rank, size;
static MPI_Comm comm;
static MPI_Datatype uncommitted;
static int in[long_enough], out[long_enough];
static int counts[most_ranks], wrong_counts[most_ranks], starts[most_ranks];
static MPI_Datatype types[most_ranks], no_types[most_ranks];

static void report(const char *name, int code) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  printf("%d %s %d\n", rank, name, error_class);
}

/* puts, to which GCC turns "%s\n", writes the end of the line by itself: another rank may come in
 * between. */
static void print_head(const char *what) { printf("%s:\n", what); }

static void wrong_counts_of_blocks(void) {
  report("bcast count", MPI_Bcast(in, -1, MPI_INT, 0, comm));
  report("gather count", MPI_Gather(in, -1, MPI_INT, out, -1, MPI_INT, 0, comm));
  report("scatter count", MPI_Scatter(in, -1, MPI_INT, out, -1, MPI_INT, 0, comm));
  report("allgather count", MPI_Allgather(in, -1, MPI_INT, out, -1, MPI_INT, comm));
  report("allgather sent count", MPI_Allgather(in, -1, MPI_INT, out, 1, MPI_INT, comm));
  report("alltoall count", MPI_Alltoall(in, -1, MPI_INT, out, -1, MPI_INT, comm));
  report("alltoall sent count", MPI_Alltoall(in, -1, MPI_INT, out, 1, MPI_INT, comm));
}

/* MPICH asks nothing about these counts, and reads memory that is not there. */
static void wrong_counts_of_operands(void) {
#ifdef OPEN_MPI
  report("reduce count", MPI_Reduce(in, out, -1, MPI_INT, MPI_SUM, 0, comm));
  report("allreduce count", MPI_Allreduce(in, out, -1, MPI_INT, MPI_SUM, comm));
  report("scan count", MPI_Scan(in, out, -1, MPI_INT, MPI_SUM, comm));
  report("exscan count", MPI_Exscan(in, out, -1, MPI_INT, MPI_SUM, comm));
  report("reduce_scatter_block count",
         MPI_Reduce_scatter_block(in, out, -1, MPI_INT, MPI_SUM, comm));
  report("reduce_scatter count",
         MPI_Reduce_scatter(in, out, wrong_counts, MPI_INT, MPI_SUM, comm));
#endif
}

static void wrong_counts_of_ranks(void) {
  report("gatherv sent count",
         MPI_Gatherv(in, -1, MPI_INT, out, counts, starts, MPI_INT, 0, comm));
  report("scatterv received count",
         MPI_Scatterv(in, counts, starts, MPI_INT, out, -1, MPI_INT, 0, comm));
  report("allgatherv count",
         MPI_Allgatherv(in, 1, MPI_INT, out, wrong_counts, starts, MPI_INT, comm));
  report("alltoallv sent count", MPI_Alltoallv(in, wrong_counts, starts, MPI_INT, out, counts,
                                               starts, MPI_INT, comm));
  report("alltoallv received count", MPI_Alltoallv(in, counts, starts, MPI_INT, out, wrong_counts,
                                                   starts, MPI_INT, comm));
  report("alltoallw count", MPI_Alltoallw(in, wrong_counts, starts, types, out, counts, starts,
                                          types, comm));
  if (rank != 0) return;
  report("gatherv count", MPI_Gatherv(in, 1, MPI_INT, out, wrong_counts, starts, MPI_INT, 0, comm));
  report("scatterv count",
         MPI_Scatterv(in, wrong_counts, starts, MPI_INT, out, 1, MPI_INT, 0, comm));
  report("gather count at the root", MPI_Gather(in, 1, MPI_INT, out, -1, MPI_INT, 0, comm));
}

static void wrong_type_of_blocks(const char *what, MPI_Datatype type) {
  print_head(what);
  report("bcast type", MPI_Bcast(in, 1, type, 0, comm));
  report("gather type", MPI_Gather(in, 1, type, out, 1, type, 0, comm));
  report("allgather type", MPI_Allgather(in, 1, type, out, 1, type, comm));
  report("allgather sent type", MPI_Allgather(in, 1, type, out, 1, MPI_INT, comm));
  report("alltoall type", MPI_Alltoall(in, 1, type, out, 1, type, comm));
  report("alltoall sent type", MPI_Alltoall(in, 1, type, out, 1, MPI_INT, comm));
  report("gatherv type", MPI_Gatherv(in, 1, type, out, counts, starts, type, 0, comm));
  report("alltoallv type",
         MPI_Alltoallv(in, counts, starts, type, out, counts, starts, MPI_INT, comm));
}

static void no_type(void) {
  wrong_type_of_blocks("no type", MPI_DATATYPE_NULL);
  report("scatter type",
         MPI_Scatter(in, 1, MPI_DATATYPE_NULL, out, 1, MPI_DATATYPE_NULL, 0, comm));
  report("scatterv type", MPI_Scatterv(in, counts, starts, MPI_DATATYPE_NULL, out, 1,
                                       MPI_DATATYPE_NULL, 0, comm));
  report("allgatherv type",
         MPI_Allgatherv(in, 1, MPI_INT, out, counts, starts, MPI_DATATYPE_NULL, comm));
  report("alltoallw type",
         MPI_Alltoallw(in, counts, starts, no_types, out, counts, starts, types, comm));
#ifdef OPEN_MPI  /* MPICH 5 ends the program. */
  report("reduce type", MPI_Reduce(in, out, 1, MPI_DATATYPE_NULL, MPI_SUM, 0, comm));
  report("allreduce type", MPI_Allreduce(in, out, 1, MPI_DATATYPE_NULL, MPI_SUM, comm));
  report("scan type", MPI_Scan(in, out, 1, MPI_DATATYPE_NULL, MPI_SUM, comm));
  report("exscan type", MPI_Exscan(in, out, 1, MPI_DATATYPE_NULL, MPI_SUM, comm));
  report("reduce_scatter type",
         MPI_Reduce_scatter(in, out, counts, MPI_DATATYPE_NULL, MPI_SUM, comm));
  report("reduce_scatter_block type",
         MPI_Reduce_scatter_block(in, out, 1, MPI_DATATYPE_NULL, MPI_SUM, comm));
#endif
}

static void wrong_roots(int root) {
  report("bcast root", MPI_Bcast(in, 1, MPI_INT, root, comm));
  report("reduce root", MPI_Reduce(in, out, 1, MPI_INT, MPI_SUM, root, comm));
  report("gather root", MPI_Gather(in, 1, MPI_INT, out, 1, MPI_INT, root, comm));
  report("gatherv root", MPI_Gatherv(in, 1, MPI_INT, out, counts, starts, MPI_INT, root, comm));
  report("scatter root", MPI_Scatter(in, 1, MPI_INT, out, 1, MPI_INT, root, comm));
  report("scatterv root", MPI_Scatterv(in, counts, starts, MPI_INT, out, 1, MPI_INT, root, comm));
}

static void wrong_operators(const char *what, MPI_Datatype type, MPI_Op op) {
  print_head(what);
  report("reduce operator", MPI_Reduce(in, out, 1, type, op, 0, comm));
  report("allreduce operator", MPI_Allreduce(in, out, 1, type, op, comm));
  report("scan operator", MPI_Scan(in, out, 1, type, op, comm));
  report("exscan operator", MPI_Exscan(in, out, 1, type, op, comm));
  report("reduce_scatter operator", MPI_Reduce_scatter(in, out, counts, type, op, comm));
  report("reduce_scatter_block operator",
         MPI_Reduce_scatter_block(in, out, 1, type, op, comm));
}

/* Where no library crashes. */
static void in_place_where_it_is_not_allowed(void) {
  report("allgather in place", MPI_Allgather(in, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, comm));
  report("allgatherv in place",
         MPI_Allgatherv(in, 1, MPI_INT, MPI_IN_PLACE, counts, starts, MPI_INT, comm));
#ifndef OPEN_MPI  /* Open MPI reports it on MPI_COMM_WORLD. */
  report("alltoall in place", MPI_Alltoall(in, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, comm));
#endif
  if (rank != 0) return;
  report("gather in place", MPI_Gather(in, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, 0, comm));
  report("scatter in place", MPI_Scatter(MPI_IN_PLACE, 1, MPI_INT, out, 1, MPI_INT, 0, comm));
}

/* Calls that fail at once are none to the other ranks, also where they are counted. */
static int calls_of_one_rank(void) {
  MPI_Comm same;
  int sum = 0;
  MPI_Comm_dup(comm, &same);
  MPI_Comm_set_errhandler(same, MPI_ERRORS_RETURN);
  for (int i = 0; rank == 0 && i < 6; ++i) MPI_Bcast(in, -1, MPI_INT, 0, same);
  for (int i = 0; i < 6; ++i) MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, same);
  MPI_Comm_free(&same);
  return sum;
}

int main(int argc, char **argv) {
  setvbuf(stdout, NULL, _IOLBF, 0);
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  /* On this communicator alone: an error that reaches another one ends the program. */
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  for (int i = 0; i < 6; ++i) MPI_Barrier(comm);
  for (int i = 0; i < most_ranks; ++i) {
    counts[i] = 1, starts[i] = i, types[i] = MPI_INT, no_types[i] = MPI_DATATYPE_NULL;
    wrong_counts[i] = i == size - 1 ? -1 : 1;
  }
  MPI_Type_contiguous(1, MPI_INT, &uncommitted);
  wrong_counts_of_blocks();
  wrong_counts_of_operands();
  wrong_counts_of_ranks();
  no_type();
  wrong_type_of_blocks("uncommitted", uncommitted);
  wrong_roots(-1);
  wrong_roots(size);
  wrong_operators("no operator", MPI_INT, MPI_OP_NULL);
  wrong_operators("bits of a number", MPI_DOUBLE, MPI_BAND);
  in_place_where_it_is_not_allowed();
  const int sum = calls_of_one_rank();
  printf("%d sum %d\n", rank, sum);
  MPI_Type_free(&uncommitted);
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
