/* Threads that send to themselves, each with a tag of its own, and count what arrives. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { thread_count = 4, message_count = 500 };

static void* exchange(void* given) {
  const int tag = *(int*)given;
  long sum = 0;
  for (int i = 0; i < message_count; ++i) {
    int value = 0;
    MPI_Request requests[2];
    MPI_Irecv(&value, 1, MPI_INT, 0, tag, MPI_COMM_SELF, &requests[0]);
    MPI_Isend(&i, 1, MPI_INT, 0, tag, MPI_COMM_SELF, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    sum += value;
  }
  printf("thread %d: %ld\n", tag, sum);
  return NULL;
}

int main(int argc, char** argv) {
  int level;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
  printf("level %d\n", level);
  pthread_t threads[thread_count];
  int tags[thread_count];
  for (int i = 0; i < thread_count; ++i) {
    tags[i] = i + 1;
    pthread_create(&threads[i], NULL, exchange, &tags[i]);
  }
  for (int i = 0; i < thread_count; ++i) pthread_join(threads[i], NULL);
  MPI_Finalize();
  return 0;
}
