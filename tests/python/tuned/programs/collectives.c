/* All collectives that Tasuki tunes, with several sizes, roots, datatypes and in place; results are
 * compared with arithmetic. Prints how many were wrong. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int rank, size;
static long wrong_count;

static void expect(long value, long wanted, const char *what) {
  if (value == wanted) return;
  if (wrong_count++ == 0) printf("rank %d: %s: %ld instead of %ld\n", rank, what, value, wanted);
}

/* The value of rank `from` at `index`. */
static long value_of(int from, int index) { return 7L * index + 1000L * from; }

static long sum_of(int index) { return 7L * index * size + 1000L * size * (size - 1) / 2; }

static void fill(long *data, int count) {
  for (int i = 0; i < count; ++i) data[i] = value_of(rank, i);
}

static void broadcasts(MPI_Comm comm, int count, int root, long *a, long *b) {
  MPI_Datatype every_second;
  MPI_Type_vector(count, 1, 2, MPI_LONG, &every_second);
  MPI_Type_commit(&every_second);
  fill(a, count);
  for (int i = 0; i < 2 * count; ++i) b[i] = -1;
  /* The root describes the same data by another datatype than the others. */
  if (rank == root) {
    MPI_Bcast(a, count, MPI_LONG, root, comm);
  } else {
    MPI_Bcast(b, 1, every_second, root, comm);
    for (int i = 0; i < count; ++i) expect(b[2 * i], value_of(root, i), "bcast");
    for (int i = 0; i < count - 1; ++i) expect(b[2 * i + 1], -1, "gap of bcast");
  }
  MPI_Type_free(&every_second);
}

static void reductions(MPI_Comm comm, int count, int root, long *a, long *b) {
  fill(a, count);
  MPI_Allreduce(a, b, count, MPI_LONG, MPI_SUM, comm);
  for (int i = 0; i < count; ++i) expect(b[i], sum_of(i), "allreduce");
  MPI_Allreduce(MPI_IN_PLACE, a, count, MPI_LONG, MPI_MAX, comm);
  for (int i = 0; i < count; ++i) expect(a[i], value_of(size - 1, i), "allreduce in place");
  fill(a, count);
  MPI_Reduce(a, b, count, MPI_LONG, MPI_MIN, root, comm);
  for (int i = 0; rank == root && i < count; ++i) expect(b[i], value_of(0, i), "reduce");
  fill(a, count * size);
  MPI_Reduce_scatter_block(a, b, count, MPI_LONG, MPI_SUM, comm);
  for (int i = 0; i < count; ++i) expect(b[i], sum_of(rank * count + i), "reduce_scatter_block");
  fill(b, count * size);
  MPI_Reduce_scatter_block(MPI_IN_PLACE, b, count, MPI_LONG, MPI_SUM, comm);
  for (int i = 0; i < count; ++i) {
    expect(b[i], sum_of(rank * count + i), "reduce_scatter_block in place");
  }
  MPI_Scan(a, b, count, MPI_LONG, MPI_MAX, comm);
  for (int i = 0; i < count; ++i) expect(b[i], value_of(rank, i), "scan");
  MPI_Exscan(a, b, count, MPI_LONG, MPI_MAX, comm);
  for (int i = 0; rank > 0 && i < count; ++i) expect(b[i], value_of(rank - 1, i), "exscan");
}

static void gathers(MPI_Comm comm, int count, int root, long *a, long *b) {
  fill(a, count);
  if (rank == root) {
    fill(b + rank * count, count);
    MPI_Gather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, count, MPI_LONG, root, comm);
  } else {
    MPI_Gather(a, count, MPI_LONG, NULL, 0, MPI_DATATYPE_NULL, root, comm);
  }
  for (int i = 0; rank == root && i < count * size; ++i) {
    expect(b[i], value_of(i / count, i % count), "gather in place");
  }
  MPI_Allgather(a, count, MPI_LONG, b, count, MPI_LONG, comm);
  for (int i = 0; i < count * size; ++i) expect(b[i], value_of(i / count, i % count), "allgather");
  for (int i = 0; i < count * size; ++i) b[i] = i / count == rank ? value_of(rank, i % count) : -1;
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, b, count, MPI_LONG, comm);
  for (int i = 0; i < count * size; ++i) {
    expect(b[i], value_of(i / count, i % count), "allgather in place");
  }
}

static void exchanges(MPI_Comm comm, int count, int root, long *a, long *b) {
  fill(a, count * size);
  if (rank == root) {
    MPI_Scatter(a, count, MPI_LONG, MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, root, comm);
  } else {
    MPI_Scatter(NULL, 0, MPI_DATATYPE_NULL, b, count, MPI_LONG, root, comm);
    for (int i = 0; i < count; ++i) expect(b[i], value_of(root, rank * count + i), "scatter");
  }
  MPI_Alltoall(a, count, MPI_LONG, b, count, MPI_LONG, comm);
  for (int i = 0; i < count * size; ++i) {
    expect(b[i], value_of(i / count, rank * count + i % count), "alltoall");
  }
  MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, a, count, MPI_LONG, comm);
  for (int i = 0; i < count * size; ++i) {
    expect(a[i], value_of(i / count, rank * count + i % count), "alltoall in place");
  }
}

/* Rank i has i + 1 times `count` elements for each rank. The blocks lie in reverse order, and are
 * received as elements of a datatype of two numbers. */
static void uneven(MPI_Comm comm, int count, int root) {
  int *counts = malloc(sizeof(int) * (size_t)size), *starts = malloc(sizeof(int) * (size_t)size);
  int *same = malloc(sizeof(int) * (size_t)size), *places = malloc(sizeof(int) * (size_t)size);
  int total = 0;
  for (int i = size - 1; i >= 0; --i) {
    counts[i] = (i + 1) * count;
    starts[i] = total;
    total += counts[i];
    same[i] = (rank + 1) * count;
    places[i] = i * same[i];
  }
  const int own_count = (rank + 1) * count;
  long *own = malloc(sizeof(long) * 2 * (size_t)own_count * (size_t)size);
  long *all = malloc(sizeof(long) * 2 * (size_t)total);
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_LONG, &pair);
  MPI_Type_commit(&pair);

  fill(own, 2 * own_count);
  MPI_Gatherv(own, 2 * own_count, MPI_LONG, all, counts, starts, pair, root, comm);
  for (int i = 0; rank == root && i < size; ++i) {
    for (int j = 0; j < 2 * counts[i]; ++j) {
      expect(all[2 * starts[i] + j], value_of(i, j), "gatherv");
    }
  }
  MPI_Allgatherv(own, own_count, pair, all, counts, starts, pair, comm);
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < 2 * counts[i]; ++j) {
      expect(all[2 * starts[i] + j], value_of(i, j), "allgatherv");
    }
  }
  fill(all, 2 * total);
  MPI_Scatterv(all, counts, starts, pair, own, 2 * own_count, MPI_LONG, root, comm);
  for (int j = 0; j < 2 * own_count; ++j) {
    expect(own[j], value_of(root, 2 * starts[rank] + j), "scatterv");
  }
  fill(own, 2 * own_count * size);
  MPI_Alltoallv(own, same, places, pair, all, counts, starts, pair, comm);
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < 2 * counts[i]; ++j) {
      expect(all[2 * starts[i] + j], value_of(i, 2 * rank * counts[i] + j), "alltoallv");
    }
  }
  MPI_Type_free(&pair);
  free(own), free(all), free(counts), free(starts), free(same), free(places);
}

/* Rank i gets i + 1 times `count` sums. */
static void uneven_sums(MPI_Comm comm, int count) {
  int *counts = malloc(sizeof(int) * (size_t)size);
  for (int i = 0; i < size; ++i) counts[i] = (i + 1) * count;
  const int all_count = size * (size + 1) / 2 * count, start = rank * (rank + 1) / 2 * count;
  long *all = malloc(sizeof(long) * (size_t)all_count);
  long *own = malloc(sizeof(long) * (size_t)counts[rank]);
  fill(all, all_count);
  MPI_Reduce_scatter(all, own, counts, MPI_LONG, MPI_SUM, comm);
  for (int i = 0; i < counts[rank]; ++i) expect(own[i], sum_of(start + i), "reduce_scatter");
  MPI_Reduce_scatter(MPI_IN_PLACE, all, counts, MPI_LONG, MPI_SUM, comm);
  for (int i = 0; i < counts[rank]; ++i) expect(all[i], sum_of(start + i), "sums in place");
  free(counts), free(all), free(own);
}

/* Each rank sends `count` pairs to each, in every other block as single numbers; the receiver's
 * blocks lie in reverse order. */
static void blocks_of_several_types(MPI_Comm comm, int count, long *a, long *b) {
  const size_t numbers = (size_t)size;
  int *counts = malloc(sizeof(int) * 3 * numbers), *starts = counts + size;
  int *reverse = counts + 2 * size;
  MPI_Datatype *types = malloc(sizeof(MPI_Datatype) * numbers), pair;
  MPI_Type_contiguous(2, MPI_LONG, &pair);
  MPI_Type_commit(&pair);
  for (int i = 0; i < size; ++i) {
    types[i] = i % 2 == 0 ? pair : MPI_LONG;
    counts[i] = i % 2 == 0 ? count : 2 * count;
    starts[i] = i * 2 * count * (int)sizeof(long);
    reverse[i] = (size - 1 - i) * 2 * count * (int)sizeof(long);
  }
  fill(a, 2 * count * size);
  MPI_Alltoallw(a, counts, starts, types, b, counts, reverse, types, comm);
  for (int i = 0; i < size; ++i) {
    for (int j = 0; j < 2 * count; ++j) {
      expect(b[(size - 1 - i) * 2 * count + j], value_of(i, rank * 2 * count + j), "alltoallw");
    }
  }
  MPI_Type_free(&pair);
  free(counts), free(types);
}

static void all_on(MPI_Comm comm, int count) {
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const size_t bytes = sizeof(long) * 2 * (size_t)count * (size_t)size;
  long *a = malloc(bytes), *b = malloc(bytes);
  for (int root = 0; root < size; ++root) {
    MPI_Barrier(comm);
    broadcasts(comm, count, root, a, b);
    reductions(comm, count, root, a, b);
    gathers(comm, count, root, a, b);
    exchanges(comm, count, root, a, b);
    uneven(comm, count, root);
    uneven_sums(comm, count);
    blocks_of_several_types(comm, count, a, b);
  }
  free(a);
  free(b);
}

/* A message of this size waits for its receiver, who is in a collective: MPI has to make progress
 * there. */
static void collective_while_a_message_waits(MPI_Comm comm) {
  enum { count = 1 << 19 };
  long *data = calloc(count, sizeof(long));
  MPI_Request request;
  for (int i = 0; i < 10; ++i) {
    if (rank == 0) {
      MPI_Irecv(data, count, MPI_LONG, size - 1, 0, comm, &request);
      MPI_Barrier(comm);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
      if (rank == size - 1) MPI_Send(data, count, MPI_LONG, 0, 0, comm);
      MPI_Barrier(comm);
    }
  }
  free(data);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  static const int counts[] = {1, 100, 20000};
  for (int i = 0; i < 3; ++i) all_on(MPI_COMM_WORLD, counts[i]);
  collective_while_a_message_waits(MPI_COMM_WORLD);
  for (int i = 0; i < 2; ++i) {
    int world_rank;
    MPI_Comm half;
    MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
    MPI_Comm_split(MPI_COMM_WORLD, world_rank % 2, -world_rank, &half);
    all_on(half, counts[i]);
    MPI_Comm_free(&half);
  }
  long all_wrong_count = 0;
  MPI_Reduce(&wrong_count, &all_wrong_count, 1, MPI_LONG, MPI_SUM, 0, MPI_COMM_WORLD);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("%ld wrong\n", all_wrong_count);
  MPI_Finalize();
  return 0;
}
