// Calls of two ranks that are more than messages: derived types, own operations, communicators,
// files, windows. With MPI 4 also partitions and large counts.
// Each rank prints what it has received; mpi_calls.events says what the calls are.
#include <mpi.h>

#include <stdio.h>
#include <string.h>

static int rank, other;
static int numbers[8], received[8];

static void show(const char* what) {
  printf("%s %d: %d %d %d %d %d %d %d %d\n", what, rank, received[0], received[1], received[2],
         received[3], received[4], received[5], received[6], received[7]);
  fflush(stdout);  // Launchers mix the lines of ranks that are not written at once.
  memset(received, -1, sizeof received);
}

static void maximum(void* in, void* in_out, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i) {
    if (((int*)in)[i] > ((int*)in_out)[i]) ((int*)in_out)[i] = ((int*)in)[i];
  }
}

static void types_and_operations(void) {
  MPI_Datatype every_other;
  MPI_Op own;
  MPI_Status status;
  MPI_Type_vector(2, 1, 2, MPI_INT, &every_other);
  MPI_Type_commit(&every_other);
  MPI_Sendrecv(numbers, 2, every_other, other, 1, received, 4, MPI_INT, other, 1, MPI_COMM_WORLD,
               &status);
  MPI_Type_free(&every_other);
  MPI_Op_create(maximum, 1, &own);
  MPI_Allreduce(&rank, received + 4, 1, MPI_INT, own, MPI_COMM_WORLD);
  MPI_Op_free(&own);
  show("types_and_operations");
}

static void requests(void) {
  MPI_Request both[2];
  MPI_Status status;
  int cancelled;
  MPI_Irecv(received, 4, MPI_INT, other, 99, MPI_COMM_WORLD, both);
  MPI_Cancel(both);
  MPI_Wait(both, &status);
  MPI_Test_cancelled(&status, &cancelled);
  MPI_Recv_init(received, 4, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, both);
  MPI_Ssend_init(numbers, 3, MPI_INT, other, 2, MPI_COMM_WORLD, both + 1);
  MPI_Startall(2, both);
  MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
  MPI_Request_free(both);
  MPI_Request_free(both + 1);
  MPI_Irecv(received + 4, 4, MPI_INT, MPI_PROC_NULL, 3, MPI_COMM_WORLD, both);
  MPI_Wait(both, MPI_STATUS_IGNORE);
  MPI_Wait(both, MPI_STATUS_IGNORE);
  received[7] = cancelled;
  show("requests");
}

static void communicators(void) {
  MPI_Comm twin, alone, between, together;
  MPI_Request request;
  MPI_Comm_idup(MPI_COMM_WORLD, &twin, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Bcast(received, 2, MPI_INT, 1, twin);
  MPI_Comm_split(twin, rank, 0, &alone);
  MPI_Intercomm_create(alone, 0, twin, other, 4, &between);
  MPI_Sendrecv(&rank, 1, MPI_INT, 0, 5, received + 2, 1, MPI_INT, 0, 5, between, MPI_STATUS_IGNORE);
  MPI_Bcast(received + 3, 1, MPI_INT, rank == 0 ? MPI_ROOT : 0, between);
  MPI_Intercomm_merge(between, rank, &together);
  MPI_Allgather(&rank, 1, MPI_INT, received + 4, 1, MPI_INT, together);
  MPI_Comm_free(&together);
  MPI_Comm_free(&between);
  MPI_Comm_free(&alone);
  MPI_Comm_free(&twin);
  show("communicators");
}

static void window(void) {
  MPI_Win window;
  int* memory;
  int one = 1;
  MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  memset(memory, 0, 4 * sizeof(int));
  MPI_Win_fence(0, window);
  MPI_Put(numbers, 1, MPI_INT, other, 0, 1, MPI_INT, window);
  MPI_Accumulate(numbers, 1, MPI_INT, other, 1, 1, MPI_INT, MPI_SUM, window);
  MPI_Win_fence(0, window);
  MPI_Win_lock(MPI_LOCK_SHARED, other, 0, window);
  MPI_Get(received, 2, MPI_INT, other, 0, 2, MPI_INT, window);
  MPI_Fetch_and_op(&one, received + 2, MPI_INT, other, 2, MPI_SUM, window);
  MPI_Win_flush(other, window);
  MPI_Win_unlock(other, window);
  MPI_Win_free(&window);
  show("window");
}

static void file(const char* path) {
  MPI_File file;
  MPI_Request request;
  MPI_File_open(MPI_COMM_WORLD, path, MPI_MODE_CREATE | MPI_MODE_RDWR, MPI_INFO_NULL, &file);
  MPI_File_write_at(file, rank * 8, numbers, 2, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_iwrite_at(file, 16 + rank * 4, numbers, 1, MPI_INT, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_File_sync(file);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_File_read_at_all(file, 0, received, 6, MPI_INT, MPI_STATUS_IGNORE);
  MPI_File_close(&file);
  show("file");
}

// Open MPI 5 says 3 but has these.
#if MPI_VERSION >= 4 || OMPI_MAJOR_VERSION >= 5
#define HAS_VERSION_4
static void version_4(void) {
  MPI_Request both[2];
  int is_there = 0;
  MPI_Psend_init(numbers, 2, 3, MPI_INT, other, 6, MPI_COMM_WORLD, MPI_INFO_NULL, both);
  MPI_Precv_init(received, 2, 3, MPI_INT, other, 6, MPI_COMM_WORLD, MPI_INFO_NULL, both + 1);
  MPI_Startall(2, both);
  MPI_Pready(0, both[0]);
  MPI_Pready_range(1, 1, both[0]);
  while (!is_there) MPI_Parrived(both[1], 1, &is_there);
  MPI_Waitall(2, both, MPI_STATUSES_IGNORE);
  MPI_Request_free(both);
  MPI_Request_free(both + 1);
  MPI_Allreduce_init(&rank, received + 6, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL, both);
  MPI_Start(both);
  MPI_Wait(both, MPI_STATUS_IGNORE);
  MPI_Request_free(both);
  MPI_Isendrecv(numbers, 1, MPI_INT, other, 7, received + 7, 1, MPI_INT, other, 7, MPI_COMM_WORLD,
                both);
  MPI_Wait(both, MPI_STATUS_IGNORE);
  show("version_4");
}
#endif
#if MPI_VERSION >= 4
static void large_counts(void) {
  MPI_Bcast_c(numbers, 4, MPI_INT, 0, MPI_COMM_WORLD);
  MPI_Sendrecv_c(numbers, 3, MPI_INT, other, 8, received, 8, MPI_INT, other, 8, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  show("large_counts");
}
#endif

int main(int argument_count, char** arguments) {
  MPI_Init(&argument_count, &arguments);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  other = 1 - rank;
  for (int i = 0; i < 8; ++i) numbers[i] = 10 * rank + i;
  memset(received, -1, sizeof received);
  types_and_operations();
  requests();
  MPI_Pcontrol(1);
  communicators();
  MPI_Pcontrol(0);
  window();
  file(arguments[1]);
#ifdef HAS_VERSION_4
  version_4();
#endif
#if MPI_VERSION >= 4
  large_counts();
#endif
  MPI_Finalize();
  return 0;
}
