/* Receives by one kind of call around a ring of ranks, of sizes that change with a period; prints
 * how many messages each rank has received, and how many results were wrong.
 *
 *     receives_by KIND ROUNDS */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { room = 1 << 16, tag = 5 };
static const int period[] = {1, 700, 3, 20000, 700};
static int sent[room], received[2 * room];
static int rank, size, left, right, receives_count, wrong_count;
static const char *kind;

static int is(const char *wanted) { return strcmp(kind, wanted) == 0; }

static void expect(long value, long wanted, const char *what) {
  if (value == wanted) return;
  if (wrong_count++ == 0) printf("rank %d: %s: %ld instead of %ld\n", rank, what, value, wanted);
}

static int element(int sender, int round, int index) { return 100 * sender + round + index; }

/* Of every `stride` elements the first is the message's, the others are -1. */
static void expect_message(const MPI_Status *status, int round, int count, int stride) {
  MPI_Count bytes = -1;
  MPI_Get_elements_x(status, MPI_BYTE, &bytes);
  expect(status->MPI_SOURCE, left, "source");
  expect(status->MPI_TAG, tag, "tag");
  expect(bytes, count * sizeof(int), "bytes");
  int wrong_elements_count = 0;
  for (int i = 0; i < stride * count; ++i) {
    const int wanted = i % stride == 0 ? element(left, round, i / stride) : -1;
    wrong_elements_count += received[i] != wanted;
  }
  expect(wrong_elements_count, 0, "wrong elements");
  ++receives_count;
}

/* The message that the rank sends lies where that comes which it receives. */
static void replaced(int round, int count, int stride) {
  MPI_Datatype type;
  MPI_Status status;
  for (int i = 0; i < stride * count; ++i) {
    received[i] = i % stride == 0 ? element(rank, round, i / stride) : -1;
  }
  MPI_Type_vector(count, 1, stride, MPI_INT, &type);
  MPI_Type_commit(&type);
#if MPI_VERSION >= 4
  if (is("large_replace")) {
    MPI_Sendrecv_replace_c(received, 1, type, right, tag, left, tag, MPI_COMM_WORLD, &status);
  } else
#endif
    MPI_Sendrecv_replace(received, 1, type, right, tag, left, tag, MPI_COMM_WORLD, &status);
  MPI_Type_free(&type);
  expect_message(&status, round, count, stride);
  MPI_Sendrecv_replace(received, 1, MPI_INT, MPI_PROC_NULL, tag, MPI_PROC_NULL, tag,
                       MPI_COMM_WORLD, &status);
  expect(status.MPI_SOURCE, MPI_PROC_NULL, "source");
}

#if MPI_VERSION >= 4
static void receive_large(int round, int count) {
  MPI_Request request;
  MPI_Status status;
  if (is("large")) {
    MPI_Recv_c(received, room, MPI_INT, left, tag, MPI_COMM_WORLD, &status);
  } else if (is("large_matched")) {
    MPI_Message message;
    MPI_Mprobe(left, tag, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    MPI_Mrecv_c(received, room, MPI_INT, &message, &status);
  } else {
    MPI_Irecv_c(received, room, MPI_INT, left, tag, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
  }
  expect_message(&status, round, count, 1);
}

static void exchange_large(int round, int count) {
  MPI_Status status;
  MPI_Sendrecv_c(sent, count, MPI_INT, right, tag, received, room, MPI_INT, left, tag,
                 MPI_COMM_WORLD, &status);
  expect_message(&status, round, count, 1);
}

/* A message goes from rank to rank: each waits for it, as the rank before had to. */
static void around(int round, int count) {
  if (rank == 0) MPI_Send_c(sent, count, MPI_INT, right, tag, MPI_COMM_WORLD);
  receive_large(round, count);
  if (rank != 0) MPI_Ssend_c(sent, count, MPI_INT, right, tag, MPI_COMM_WORLD);
}
#endif

/* Two persistent requests, made once. */
static MPI_Request persistent[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};

static void make_persistent(void) {
#if MPI_VERSION >= 4
  if (is("large_persistent")) {
    MPI_Recv_init_c(received, room, MPI_INT, left, tag, MPI_COMM_WORLD, &persistent[0]);
    return;
  }
#endif
  MPI_Recv_init(received, room, MPI_INT, left, tag, MPI_COMM_WORLD, &persistent[0]);
}

static void receive_persistent(int round, int count) {
  MPI_Status status;
  if (rank == 0) MPI_Send(sent, count, MPI_INT, right, tag, MPI_COMM_WORLD);
  MPI_Start(&persistent[0]);
  MPI_Wait(&persistent[0], &status);
  expect_message(&status, round, count, 1);
  if (rank != 0) MPI_Ssend(sent, count, MPI_INT, right, tag, MPI_COMM_WORLD);
}

static void exchange_persistent(int round, int count) {
  MPI_Status statuses[2];
  MPI_Send_init(sent, count, MPI_INT, right, tag, MPI_COMM_WORLD, &persistent[1]);
  MPI_Startall(2, persistent);
  MPI_Waitall(2, persistent, statuses);
  expect_message(&statuses[0], round, count, 1);
  MPI_Waitall(2, persistent, MPI_STATUSES_IGNORE); /* None is active. */
  MPI_Request_free(&persistent[1]);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  left = (rank + size - 1) % size, right = (rank + 1) % size;
  kind = argv[1];
  const int rounds = atoi(argv[2]);
  const int is_persistent = strstr(kind, "persistent") != NULL;
  if (is_persistent) make_persistent();
  for (int round = 0; round < rounds; ++round) {
    const int count = period[round % (int)(sizeof period / sizeof *period)];
    for (int i = 0; i < count; ++i) sent[i] = element(rank, round, i);
    if (is("replace") || is("large_replace")) replaced(round, count, 1);
    if (is("replace_strided")) replaced(round, count, 2);
    if (is("persistent") || is("large_persistent")) receive_persistent(round, count);
    if (is("persistent_exchange")) exchange_persistent(round, count);
#if MPI_VERSION >= 4
    if (is("large_exchange")) exchange_large(round, count);
    if (is("large") || is("large_waited") || is("large_matched")) around(round, count);
#endif
  }
  if (is_persistent) MPI_Request_free(&persistent[0]);
  int all_wrong_count = 0;
  MPI_Allreduce(&wrong_count, &all_wrong_count, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d received, %d wrong\n", receives_count, all_wrong_count);
  MPI_Finalize();
  return 0;
}
