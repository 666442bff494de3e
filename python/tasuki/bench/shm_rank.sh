#!/bin/sh
# One rank that some mpiexec has started, so that MPI works in it, uses Tasuki's shm transport.
# Usage: shm_rank.sh PID FD FILE RANKS PROGRAM ARGUMENTS: descriptor FD of process PID is the job's
# file, whose device and inode are FILE.
exec 9<>"/proc/$1/fd/$2"
TASUKI_RANK="${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" TASUKI_SIZE="$4" TASUKI_JOB_FD=9
TASUKI_JOB_FILE="$3" TASUKI_TRANSPORT=shm
export TASUKI_RANK TASUKI_SIZE TASUKI_JOB_FD TASUKI_JOB_FILE TASUKI_TRANSPORT
shift 4
exec "$@"
