/* What programs may do and tuned collectives must bear: attributes that are freed with their
 * communicator, no data on some ranks, datatypes without elements, many communicators, functions
 * that delete attributes by collectives. Prints OK. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int freed_count;

static int free_attribute(MPI_Comm comm, int key, void *value, void *extra) {
  (void)comm, (void)key, (void)extra;
  free(value);
  ++freed_count;
  return MPI_SUCCESS;
}

static void call_enough_to_be_tuned(MPI_Comm comm) {
  for (int i = 0; i < 6; ++i) MPI_Barrier(comm);
}

static int attributes_are_freed_once(void) {
  MPI_Comm comm;
  int key;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_create_keyval(MPI_COMM_DUP_FN, free_attribute, &key, NULL);
  MPI_Comm_set_attr(comm, key, malloc(8));
  call_enough_to_be_tuned(comm);
  MPI_Comm_free(&comm);
  MPI_Comm_free_keyval(&key);
  return freed_count == 1;
}

/* All ranks but the first send one pair of numbers to the last. */
static int ranks_without_data(int rank, int size) {
  MPI_Datatype pair;
  MPI_Type_vector(2, 1, 2, MPI_INT, &pair);
  MPI_Type_commit(&pair);
  int *sent_counts = calloc(4 * (size_t)size, sizeof(int));
  int *received_counts = sent_counts + size, *starts = sent_counts + 2 * size;
  int *places = sent_counts + 3 * size;
  int sent[3] = {rank, -1, rank + 1};
  int *received = calloc(3 * (size_t)size, sizeof(int));
  if (rank > 0) sent_counts[size - 1] = 1;
  for (int i = 1; rank == size - 1 && i < size; ++i) received_counts[i] = 1;
  for (int i = 0; i < size; ++i) places[i] = i;
  MPI_Alltoallv(sent, sent_counts, starts, pair, received, received_counts, places, pair,
                MPI_COMM_WORLD);
  const int is_right = rank < size - 1 || received[3 * rank] == rank;
  MPI_Type_free(&pair);
  free(sent_counts), free(received);
  return is_right;
}

static int meet_as_it_is_deleted(MPI_Comm comm, int key, void *value, void *extra) {
  (void)key, (void)value, (void)extra;
  MPI_Barrier(comm);
  return MPI_SUCCESS;
}

/* The next communicator may have the handle of the one before. */
static int collectives_of_deleted_attributes(int rank, int size) {
  int key, sum = 0;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, meet_as_it_is_deleted, &key, NULL);
  for (int i = 0; i < 8; ++i) {
    MPI_Comm comm;
    MPI_Comm_split(MPI_COMM_WORLD, i % 2 == 0 ? 0 : rank % 2, rank, &comm);
    MPI_Comm_set_attr(comm, key, &key);
    for (int call = 0; call < i; ++call) MPI_Barrier(comm);
    MPI_Comm_free(&comm);
  }
  MPI_Comm_set_attr(MPI_COMM_WORLD, key, &key);
  MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
  /* MPI_Finalize deletes this one. */
  MPI_Comm_set_attr(MPI_COMM_SELF, key, &key);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  return sum == size * (size - 1) / 2;
}

static int nothing_in_two_ways(int rank) {
  MPI_Datatype empty;
  int value = 0;
  MPI_Type_contiguous(0, MPI_INT, &empty);
  MPI_Type_commit(&empty);
  MPI_Bcast(&value, rank == 0, rank == 0 ? empty : MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Type_free(&empty);
  return 1;
}

static int many_communicators(int rank, int size) {
  enum { count = 80 };
  MPI_Comm comms[count];
  int is_right = 1;
  for (int i = 0; i < count; ++i) {
    int sum = 0;
    MPI_Comm_dup(MPI_COMM_WORLD, &comms[i]);
    call_enough_to_be_tuned(comms[i]);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, comms[i]);
    is_right = is_right && sum == size * (size - 1) / 2;
  }
  for (int i = 0; i < count; ++i) MPI_Comm_free(&comms[i]);
  return is_right;
}

/* Rank 0 asks for another level of threads than the others. */
int main(int argc, char **argv) {
  int level, rank, size;
  const char *number = getenv("OMPI_COMM_WORLD_RANK");
  if (number == NULL) number = getenv("PMI_RANK");
  const int is_first = number != NULL && atoi(number) == 0;
  const int differs = argc > 1;
  MPI_Init_thread(&argc, &argv, differs && is_first ? MPI_THREAD_MULTIPLE : MPI_THREAD_FUNNELED,
                  &level);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  call_enough_to_be_tuned(MPI_COMM_WORLD);
  int is_right = attributes_are_freed_once();
  is_right = ranks_without_data(rank, size) && is_right;
  is_right = nothing_in_two_ways(rank) && is_right;
  is_right = collectives_of_deleted_attributes(rank, size) && is_right;
  is_right = many_communicators(rank, size) && is_right;
  int all_are = 0;
  MPI_Allreduce(&is_right, &all_are, 1, MPI_INT, MPI_LAND, MPI_COMM_WORLD);
  if (rank == 0) puts(all_are ? "OK" : "wrong");
  MPI_Finalize();
  return 0;
}
