#!/bin/sh
# Runs, of the command lines given, the one whose place is this process's rank: several programs in
# one MPI job. The mpiexec of Open MPI 5.0.7 crashes where they stand between colons.
shift "${OMPI_COMM_WORLD_RANK:-${PMI_RANK:?}}"
eval "exec $1"
