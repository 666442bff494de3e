/* Rank 2 sends a long message by MPI_Issend, and rank 1 a short one only when that has been received.
 * Rank 0 receives the short one first: the program ends if the long one is taken ahead, and else
 * never. Two rounds before show what follows what. Then `way` says how the long one is received.
 */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

enum { count = 20000, stride = 2, learned_rounds = 2, short_tag = 5, long_tag = 7 };

static double sent[count], received[stride * count];

/* Returns what is wrong, 0 if nothing. */
static int receive_long(const char* way) {
  MPI_Status status;
  MPI_Request request;
  MPI_Datatype every_other;
  int got = 0, step = 1, code = MPI_SUCCESS;
  memset(received, 0, sizeof received);
  if (strcmp(way, "short") == 0) {
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    code = MPI_Recv(received, count - 1, MPI_DOUBLE, 2, long_tag, MPI_COMM_WORLD, &status);
    MPI_Error_class(code, &code);
    return code != MPI_ERR_TRUNCATE;
  }
  if (strcmp(way, "irecv") == 0) {
    MPI_Irecv(received, count, MPI_DOUBLE, 2, long_tag, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, &status);
  } else if (strcmp(way, "any") == 0) {
    MPI_Recv(received, count, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
  } else if (strcmp(way, "strided") == 0) {
    step = stride;
    MPI_Type_vector(count, 1, stride, MPI_DOUBLE, &every_other);
    MPI_Type_commit(&every_other);
    MPI_Recv(received, 1, every_other, 2, long_tag, MPI_COMM_WORLD, &status);
    MPI_Type_free(&every_other);
  } else {
    if (strcmp(way, "probe") == 0) MPI_Probe(2, long_tag, MPI_COMM_WORLD, &status);
    MPI_Recv(received, count, MPI_DOUBLE, 2, long_tag, MPI_COMM_WORLD, &status);
  }
  MPI_Get_count(&status, MPI_DOUBLE, &got);
  if (got != count || status.MPI_SOURCE != 2 || status.MPI_TAG != long_tag) return 1;
  for (int i = 0; i < count; ++i)
    if (received[step * i] != i) return 2;
  return 0;
}

int main(int argc, char** argv) {
  int rank, word = 0, wrong = 0;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int i = 0; i < count; ++i) sent[i] = i;
  for (int round = 0; round <= learned_rounds; ++round) {
    const int is_last = round == learned_rounds;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
      MPI_Recv(&word, 1, MPI_INT, 1, short_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      wrong += receive_long(is_last ? argv[1] : "recv");
    } else if (rank == 1) {
      if (is_last) MPI_Recv(&word, 1, MPI_INT, 2, short_tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      MPI_Send(&word, 1, MPI_INT, 0, short_tag, MPI_COMM_WORLD);
    } else {
      MPI_Issend(sent, count, MPI_DOUBLE, 0, long_tag, MPI_COMM_WORLD, &request);
      MPI_Wait(&request, MPI_STATUS_IGNORE);
      if (is_last) MPI_Send(&word, 1, MPI_INT, 1, short_tag, MPI_COMM_WORLD);
    }
  }
  if (rank == 0) printf("%d wrong\n", wrong);
  MPI_Finalize();
  return 0;
}
