#!/bin/sh
# One rank that some mpiexec has started, so that MPI works in it, uses Tasuki's shm transport.
# Usage: shm_rank.sh PID FD RANKS PROGRAM ARGUMENTS: descriptor FD of process PID is the job's file.
exec 9<>"/proc/$1/fd/$2"
TASUKI_RANK="${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" TASUKI_SIZE="$3" TASUKI_JOB_FD=9
TASUKI_TRANSPORT=shm
export TASUKI_RANK TASUKI_SIZE TASUKI_JOB_FD TASUKI_TRANSPORT
shift 3
exec "$@"
