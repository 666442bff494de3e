/* At the root, the self block of a gather or scatter has another size than in the other buffer. */
#include <mpi.h>
#include <stdio.h>

enum { most_ranks = 8, sent = 4, untouched = -7 };

static int rank, size, wrong;
static int in[most_ranks * sent], out[most_ranks * sent];

static void expect(const char *name, int holds) {
  if (!holds) printf("rank %d: %s\n", rank, name);
  if (!holds) ++wrong;
}

static void set(void) {
  for (int i = 0; i < most_ranks * sent; ++i) {
    in[i] = 100 * rank + i;
    out[i] = untouched;
  }
}

static int class_of(int code) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  return error_class;
}

static void gather(int room, int expected) {
  set();
  const int code = MPI_Gather(in, sent, MPI_INT, out, room, MPI_INT, 0, MPI_COMM_WORLD);
  expect("gather's code", class_of(code) == (rank == 0 ? expected : MPI_SUCCESS));
  for (int i = 0; i < most_ranks * sent && rank == 0; ++i) {
    const int from = i / room, at = i % room;
    const int is_filled = expected == MPI_SUCCESS && from < size && at < sent;
    expect("what is gathered", out[i] == (is_filled ? 100 * from + at : untouched));
  }
}

static void scatter(int room, int expected) {
  set();
  const int count = rank == 0 ? room : sent;
  const int code = MPI_Scatter(in, sent, MPI_INT, out, count, MPI_INT, 0, MPI_COMM_WORLD);
  expect("scatter's code", class_of(code) == (rank == 0 ? expected : MPI_SUCCESS));
  for (int i = 0; i < most_ranks * sent; ++i) {
    const int is_filled = (rank != 0 || expected == MPI_SUCCESS) && i < sent;
    expect("what is scattered", out[i] == (is_filled ? rank * sent + i : untouched));
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  gather(sent, MPI_SUCCESS);
  gather(sent + 2, MPI_SUCCESS);
  gather(sent - 1, MPI_ERR_TRUNCATE);
  scatter(sent, MPI_SUCCESS);
  scatter(sent + 2, MPI_SUCCESS);
  scatter(sent - 1, MPI_ERR_TRUNCATE);
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) printf("%d wrong\n", wrong);
  MPI_Finalize();
  return 0;
}
