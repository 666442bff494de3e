/* A program that spawns two children, which have a world of their own, or that has sessions
 * alone. */
#include <mpi.h>
#include <stdio.h>
#include <string.h>

static void sessions(void) {
#if MPI_VERSION >= 4
  MPI_Session session;
  MPI_Group group;
  MPI_Comm everybody;
  MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session);
  MPI_Group_from_session_pset(session, "mpi://WORLD", &group);
  MPI_Comm_create_from_group(group, "tasuki", MPI_INFO_NULL, MPI_ERRORS_RETURN, &everybody);
  int rank, sum = 0;
  MPI_Comm_rank(everybody, &rank);
  MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, everybody);
  printf("rank %d: %d\n", rank, sum);
  MPI_Comm_free(&everybody);
  MPI_Group_free(&group);
  MPI_Session_finalize(&session);
#endif
}

int main(int argc, char** argv) {
  if (argc > 1 && strcmp(argv[1], "sessions") == 0) {
    sessions();
    return 0;
  }
  MPI_Init(&argc, &argv);
  MPI_Comm parent, all;
  MPI_Comm_get_parent(&parent);
  if (parent == MPI_COMM_NULL) {
    MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 2, MPI_INFO_NULL, 0, MPI_COMM_SELF, &parent,
                   MPI_ERRCODES_IGNORE);
    int values[2] = {0, 0};
    for (int i = 0; i < 2; ++i) {
      MPI_Recv(&values[i], 1, MPI_INT, i, 0, parent, MPI_STATUS_IGNORE);
    }
    printf("children: %d %d\n", values[0], values[1]);
  } else {
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Send(&rank, 1, MPI_INT, 0, 0, parent);
  }
  MPI_Intercomm_merge(parent, 0, &all);
  MPI_Barrier(all);
  MPI_Comm_free(&all);
  MPI_Comm_disconnect(&parent);
  MPI_Finalize();
  return 0;
}
