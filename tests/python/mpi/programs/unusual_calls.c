/* Calls that few programs make. The first argument names the case; what it prints depends on MPI
 * alone. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int rank, size;

static int class_of(int code) {
  int class;
  MPI_Error_class(code, &class);
  return class;
}

static void say(const char* what, int code) {
  const int class = class_of(code);
  const char* name = "another error";
  if (class == MPI_SUCCESS) name = "success";
  if (class == MPI_ERR_TYPE) name = "MPI_ERR_TYPE";
  if (class == MPI_ERR_RANK) name = "MPI_ERR_RANK";
  if (class == MPI_ERR_COUNT) name = "MPI_ERR_COUNT";
  if (class == MPI_ERR_COMM) name = "MPI_ERR_COMM";
  if (class == MPI_ERR_TRUNCATE) name = "MPI_ERR_TRUNCATE";
  if (class == MPI_ERR_IN_STATUS) name = "MPI_ERR_IN_STATUS";
  printf("%d %s: %s\n", rank, what, name);
}

/* The handler of MPI_COMM_WORLD still ends the program: nobody may ask MPI about what is wrong. */
static void wrong_arguments(void) {
  int data = 0;
  MPI_Comm own;
  MPI_Comm_dup(MPI_COMM_SELF, &own);
  MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
  say("no type", MPI_Send(&data, 1, MPI_DATATYPE_NULL, 0, 0, own));
  say("no rank", MPI_Send(&data, 1, MPI_INT, 99, 0, own));
  say("no count", MPI_Send(&data, -1, MPI_INT, 0, 0, own));
  MPI_Comm_free(&own);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
  say("no communicator", MPI_Send(&data, 1, MPI_INT, 0, 0, MPI_COMM_NULL));
  MPI_Request request = MPI_REQUEST_NULL;
  say("no requests", MPI_Waitall(-1, &request, MPI_STATUSES_IGNORE));
  printf("%d null: %d\n", rank, MPI_Wait(NULL, MPI_STATUS_IGNORE) != MPI_SUCCESS);
  printf("%d null: %d\n", rank, MPI_Request_free(NULL) != MPI_SUCCESS);
}

static int handled = 0;
static void handle(MPI_Comm* communicator, int* code, ...) { ++handled; }

static void error_handler(void) {
  MPI_Errhandler handler;
  MPI_Comm_create_errhandler(handle, &handler);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, handler);
  MPI_Comm_set_errhandler(MPI_COMM_SELF, handler);
  int data = 0;
  MPI_Send(&data, 1, MPI_DATATYPE_NULL, 0, 0, MPI_COMM_WORLD);
  MPI_Send(&data, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
  MPI_Send(&data, 1, MPI_INT, 0, 0, MPI_COMM_NULL);
  printf("%d handled: %d\n", rank, handled);
  MPI_Errhandler_free(&handler);
}

/* Ranks 0 and the others are the sides; arguments without a meaning are null. */
static void sides(void) {
  MPI_Comm side, both;
  const int is_first = rank == 0;
  MPI_Comm_split(MPI_COMM_WORLD, is_first, rank, &side);
  MPI_Intercomm_create(side, 0, MPI_COMM_WORLD, is_first ? 1 : 0, 5, &both);
  int value = rank == 1 ? 42 : 0, values[4] = {0, 0, 0, 0};
  MPI_Bcast(&value, 1, MPI_INT, is_first ? 0 : (rank == 1 ? MPI_ROOT : MPI_PROC_NULL), both);
  printf("%d broadcast: %d\n", rank, value);
  const int root = is_first ? MPI_ROOT : 0;
  MPI_Gather(&rank, 1, is_first ? MPI_DATATYPE_NULL : MPI_INT, values, 1,
             is_first ? MPI_INT : MPI_DATATYPE_NULL, root, both);
  printf("%d gathered: %d %d\n", rank, values[0], values[1]);
  /* As many counts as this side has processes: one on a page's end, before nothing. */
  int* counts = malloc(sizeof(int) * (size - 1));
  for (int i = 0; i < size - 1; ++i) counts[i] = is_first ? size - 1 : 1;
  int sent[4] = {1, 2, 3, 4}, received[4] = {0, 0, 0, 0};
  MPI_Reduce_scatter(sent, received, counts, MPI_INT, MPI_SUM, both);
  printf("%d scattered: %d\n", rank, received[0]);
  free(counts);
  MPI_Comm_free(&both);
  MPI_Comm_disconnect(&side);
}

static void requests(void) {
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  int index = 0, count = 0, flag = 0, data[4] = {1, 2, 3, 4}, other = 1 - rank;
  MPI_Request two[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status statuses[2];
  MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
  MPI_Waitall(2, two, MPI_STATUSES_IGNORE);
  MPI_Waitany(2, two, &index, MPI_STATUS_IGNORE);
  MPI_Testsome(2, two, &count, data, statuses);
  printf("%d none: %d %d\n", rank, index == MPI_UNDEFINED, count == MPI_UNDEFINED);
  /* A receive that the program gives up, and that completes all the same. */
  MPI_Irecv(data, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &two[0]);
  MPI_Request_free(&two[0]);
  MPI_Send(&rank, 1, MPI_INT, other, 1, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Irecv(data, 1, MPI_INT, other, 2, MPI_COMM_WORLD, &two[0]);
  MPI_Cancel(&two[0]);
  MPI_Wait(&two[0], &statuses[0]);
  MPI_Test_cancelled(&statuses[0], &flag);
  printf("%d cancelled: %d\n", rank, flag);
  /* One message that is too long, one that is not. */
  const int long_message[2] = {1, 2};
  for (int ignores = 0; ignores < 2; ++ignores) {
    MPI_Irecv(data, 1, MPI_INT, other, 3, MPI_COMM_WORLD, &two[0]);
    MPI_Irecv(data + 1, 1, MPI_INT, other, 4, MPI_COMM_WORLD, &two[1]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Request sending;
    MPI_Isend(long_message, 2, MPI_INT, other, 3, MPI_COMM_WORLD, &sending);
    MPI_Send(&rank, 1, MPI_INT, other, 4, MPI_COMM_WORLD);
    const int code = MPI_Waitall(2, two, ignores ? MPI_STATUSES_IGNORE : statuses);
    /* Open MPI may miss the error where the program ignores the statuses. */
    if (!ignores) say("truncated", code);
    if (!ignores && code != MPI_SUCCESS) say("first", statuses[0].MPI_ERROR);
    MPI_Wait(&two[1], MPI_STATUS_IGNORE);
    MPI_Wait(&sending, MPI_STATUS_IGNORE);
    printf("%d received: %d\n", rank, data[1]);
  }
}

static int delete_attribute(MPI_Comm communicator, int key, void* value, void* more) {
  MPI_Comm made;
  MPI_Comm_dup(MPI_COMM_SELF, &made);
  MPI_Barrier(made);
  MPI_Comm_free(&made);
  printf("%d deleted\n", rank);
  return MPI_SUCCESS;
}

static void communicators(void) {
  MPI_Comm made;
  MPI_Request request;
  MPI_Comm_idup(MPI_COMM_WORLD, &made, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Barrier(made);
  int key, sum = 0;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, delete_attribute, &key, NULL);
  MPI_Comm_set_attr(made, key, NULL);
  MPI_Comm_free(&made);
  MPI_Comm_free_keyval(&key);
  /* Handles that are freed are given again, to communicators of other processes. */
  for (int i = 0; i < 10; ++i) {
    MPI_Comm_split(MPI_COMM_WORLD, (rank + i) % 2, 0, &made);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, made);
    MPI_Comm_disconnect(&made);
  }
  printf("%d sum: %d\n", rank, sum);
}

static void many_communicators(void) {
  MPI_Comm made;
  for (int i = 0; i < 17000; ++i) {
    MPI_Comm_dup(MPI_COMM_SELF, &made);
    MPI_Comm_free(&made);
  }
  MPI_Comm_dup(MPI_COMM_SELF, &made);
  int sum = 0;
  MPI_Allreduce(&size, &sum, 1, MPI_INT, MPI_SUM, made);
  MPI_Comm_free(&made);
  printf("%d sum: %d\n", rank, sum);
}

static void many_requests(void) {
  enum { request_count = 70000 };
  static MPI_Request all[request_count];
  static int data[request_count];
  for (int i = 0; i < request_count; ++i) {
    MPI_Irecv(&data[i], 1, MPI_INT, 0, 1, MPI_COMM_SELF, &all[i]);
  }
  for (int i = 0; i < request_count; ++i) MPI_Send(&i, 1, MPI_INT, 0, 1, MPI_COMM_SELF);
  MPI_Waitall(request_count, all, MPI_STATUSES_IGNORE);
  printf("%d last: %d\n", rank, data[request_count - 1]);
}

static void large_counts(void) {
  MPI_Datatype gibi, four;
  MPI_Type_contiguous(1 << 30, MPI_CHAR, &gibi);
  MPI_Type_contiguous(4, gibi, &four);
  MPI_Type_commit(&gibi);
  MPI_Type_commit(&four);
  MPI_Send(&rank, 4, gibi, MPI_PROC_NULL, 1, MPI_COMM_WORLD);
  MPI_Send(&rank, 2, four, MPI_PROC_NULL, 2, MPI_COMM_WORLD);
#if MPI_VERSION >= 4
  MPI_Send_c(&rank, (MPI_Count)5 << 30, MPI_CHAR, MPI_PROC_NULL, 3, MPI_COMM_WORLD);
#endif
  MPI_Type_free(&gibi);
  MPI_Type_free(&four);
}

static const struct {
  const char* name;
  void (*run)(void);
} cases[] = {
    {"wrong_arguments", wrong_arguments},
    {"error_handler", error_handler},
    {"sides", sides},
    {"requests", requests},
    {"communicators", communicators},
    {"many_communicators", many_communicators},
    {"many_requests", many_requests},
    {"large_counts", large_counts},
};

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (size_t i = 0; i < sizeof cases / sizeof *cases; ++i) {
    if (strcmp(argv[1], cases[i].name) == 0) cases[i].run();
  }
  MPI_Finalize();
  return 0;
}
