/* Blocking calls of all kinds between ranks that share cores; prints how many results were
 * wrong. */
#include <mpi.h>
#include <stdio.h>

static int rank, size, wrong_count;

static void expect(long value, long wanted, const char *what) {
  if (value == wanted) return;
  if (wrong_count++ == 0) printf("rank %d: %s: %ld instead of %ld\n", rank, what, value, wanted);
}

static void expect_message(const MPI_Status *status, int source, int tag, int wanted_count) {
  int count = -1;
  MPI_Get_count(status, MPI_INT, &count);
  expect(status->MPI_SOURCE, source, "source");
  expect(status->MPI_TAG, tag, "tag");
  expect(count, wanted_count, "count");
}

enum { count = 20000 }; /* Too long to be sent before there is a receive. */
static int sent[count], received[count];

static void sends_and_receives(int round, int left, int right) {
  MPI_Status status;
  sent[0] = rank + round;
  for (int synchronous = 0; synchronous < 2; ++synchronous) {
    if (rank == 0) {
      (synchronous ? MPI_Ssend : MPI_Send)(sent, count, MPI_INT, right, round, MPI_COMM_WORLD);
      MPI_Recv(received, count, MPI_INT, left, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    } else {
      MPI_Recv(received, count, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD, &status);
      MPI_Send(sent, count, MPI_INT, right, round, MPI_COMM_WORLD);
    }
    expect_message(&status, left, round, count);
    expect(received[0], left + round, "received");
  }
  MPI_Sendrecv(sent, 3, MPI_INT, right, 5, received, count, MPI_INT, left, 5, MPI_COMM_WORLD,
               &status);
  expect_message(&status, left, 5, 3);
  MPI_Recv(received, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
  expect(status.MPI_SOURCE, MPI_PROC_NULL, "no source");
}

static void probes(int left, int right) {
  MPI_Request request;
  MPI_Status status;
  MPI_Message message;
  for (int matched = 0; matched < 2; ++matched) {
    MPI_Isend(sent, 2 + matched, MPI_INT, right, 7, MPI_COMM_WORLD, &request);
    if (matched) {
      MPI_Mprobe(MPI_ANY_SOURCE, 7, MPI_COMM_WORLD, &message, &status);
      MPI_Mrecv(received, count, MPI_INT, &message, MPI_STATUS_IGNORE);
    } else {
      MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      MPI_Recv(received, count, MPI_INT, left, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    expect_message(&status, left, 7, 2 + matched);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    expect(request == MPI_REQUEST_NULL, 1, "request");
  }
}

static void waits(int left, int right) {
  MPI_Request requests[4];
  MPI_Status statuses[4];
  int index, done_count, indices[4], values[2] = {-1, -1};
  for (int kind = 0; kind < 3; ++kind) {
    for (int i = 0; i < 2; ++i) {
      MPI_Irecv(&values[i], 1, MPI_INT, left, i, MPI_COMM_WORLD, &requests[i]);
    }
    for (int i = 0; i < 2; ++i) {
      MPI_Isend(&sent[i], 1, MPI_INT, right, i, MPI_COMM_WORLD, &requests[2 + i]);
    }
    if (kind == 0) MPI_Waitall(4, requests, statuses);
    for (int done = 0; kind == 1 && done < 4; ++done) {
      MPI_Waitany(4, requests, &index, statuses);
    }
    for (int done = 0; kind == 2 && done < 4; done += done_count) {
      MPI_Waitsome(4, requests, &done_count, indices, statuses);
    }
    MPI_Waitany(4, requests, &index, MPI_STATUS_IGNORE);
    expect(index, MPI_UNDEFINED, "index without requests");
    MPI_Waitsome(4, requests, &done_count, indices, MPI_STATUSES_IGNORE);
    expect(done_count, MPI_UNDEFINED, "count without requests");
  }
}

static void collectives(int round) {
  int counts[64], starts[64], all[64], sum = 0;
  for (int i = 0; i < size; ++i) counts[i] = 1, starts[i] = size - 1 - i;
  MPI_Allgatherv(&rank, 1, MPI_INT, all, counts, starts, MPI_INT, MPI_COMM_WORLD);
  expect(all[size - 1 - rank], rank, "allgatherv");
  MPI_Reduce(&rank, &sum, 1, MPI_INT, MPI_SUM, round % size, MPI_COMM_WORLD);
  if (rank == round % size) expect(sum, size * (size - 1) / 2, "reduce");
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  for (int round = 0; round < 20; ++round) {
    sends_and_receives(round, left, right);
    probes(left, right);
    waits(left, right);
    collectives(round);
  }
  int all_wrong_count = 0;
  MPI_Allreduce(&wrong_count, &all_wrong_count, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d wrong\n", all_wrong_count);
  MPI_Finalize();
  return 0;
}
