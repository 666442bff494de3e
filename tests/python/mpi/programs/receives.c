/* Receives of all kinds around a ring of ranks, of sizes that change with a period; prints how many
 * messages each rank has received, and how many results were wrong.
 *
 *     receives ROUNDS */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { room = 1 << 16 };
static const int period[] = {1, 700, 3, 20000, 700};
static int sent[room], received[2][room];
static int rank, size, left, right, receives_count, wrong_count;

static void expect(long value, long wanted, const char *what) {
  if (value == wanted) return;
  if (wrong_count++ == 0) printf("rank %d: %s: %ld instead of %ld\n", rank, what, value, wanted);
}

static void expect_message(const MPI_Status *status, int which, int tag, int wanted_count) {
  int count = -1;
  MPI_Get_count(status, MPI_INT, &count);
  expect(status->MPI_SOURCE, left, "source");
  expect(status->MPI_TAG, tag, "tag");
  expect(count, wanted_count, "count");
  for (int i = 0; i < wanted_count; ++i) {
    if (received[which][i] != left + tag + i) {
      expect(received[which][i], left + tag + i, "element");
      break;
    }
  }
  ++receives_count;
}

static void start_send(int tag, int count, MPI_Request *request) {
  for (int i = 0; i < count; ++i) sent[i] = rank + tag + i;
  MPI_Isend(sent, count, MPI_INT, right, tag, MPI_COMM_WORLD, request);
}

static void blocking(int tag, int count) {
  MPI_Request request;
  MPI_Status status;
  start_send(tag, count, &request);
  MPI_Recv(received[0], room, MPI_INT, tag % 2 ? left : MPI_ANY_SOURCE, tag, MPI_COMM_WORLD,
           &status);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect_message(&status, 0, tag, count);
  start_send(tag, count, &request);
  MPI_Probe(left, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  MPI_Recv(received[0], room, MPI_INT, left, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect_message(&status, 0, tag, count);
}

static void combined(int tag, int count) {
  MPI_Message message;
  MPI_Request request;
  MPI_Status status;
  start_send(tag, count, &request);
  MPI_Mprobe(left, tag, MPI_COMM_WORLD, &message, &status);
  MPI_Mrecv(received[0], room, MPI_INT, &message, &status);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  expect_message(&status, 0, tag, count);
  for (int i = 0; i < count; ++i) sent[i] = rank + tag + i;
  MPI_Sendrecv(sent, count, MPI_INT, right, tag, received[0], room, MPI_INT, left, tag,
               MPI_COMM_WORLD, &status);
  expect_message(&status, 0, tag, count);
  MPI_Recv(received[0], room, MPI_INT, MPI_PROC_NULL, tag, MPI_COMM_WORLD, &status);
}

static void not_blocking(int tag, int count) {
  MPI_Request requests[3];
  MPI_Status statuses[3];
  int index, is_done = 0;
  MPI_Irecv(received[0], room, MPI_INT, left, tag, MPI_COMM_WORLD, &requests[0]);
  start_send(tag, count, &requests[1]);
  MPI_Waitall(2, requests, statuses);
  expect_message(&statuses[0], 0, tag, count);
  MPI_Irecv(received[0], room, MPI_INT, left, tag, MPI_COMM_WORLD, &requests[0]);
  start_send(tag, count, &requests[1]);
  for (int done = 0; done < 2; ++done) {
    MPI_Waitany(2, requests, &index, statuses);
    if (index == 0) expect_message(&statuses[0], 0, tag, count);
  }
  MPI_Irecv(received[1], room, MPI_INT, left, tag, MPI_COMM_WORLD, &requests[0]);
  start_send(tag, count, &requests[1]);
  while (!is_done) MPI_Test(&requests[0], &is_done, statuses);
  expect_message(&statuses[0], 1, tag, count);
  MPI_Wait(&requests[1], MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  left = (rank + size - 1) % size, right = (rank + 1) % size;
  const int rounds = argc > 1 ? atoi(argv[1]) : 10;
  for (int round = 0; round < rounds; ++round) {
    const int count = period[round % (int)(sizeof period / sizeof *period)];
    blocking(round % 3, count);
    combined(round % 3, count);
    not_blocking(round % 3, count);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  int all_wrong_count = 0;
  MPI_Allreduce(&wrong_count, &all_wrong_count, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d received, %d wrong\n", receives_count, all_wrong_count);
  MPI_Finalize();
  return 0;
}
