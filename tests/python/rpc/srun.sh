#!/bin/sh
# Starts processes as Slurm's srun does, with its options as it reads them: srun -n RANKS PROGRAM.
# With --mpi=none they have Slurm's variables alone, else also what an MPI needs, by mpiexec.
ranks=1
mpi=pmix
while :; do
  case $1 in
    -n) ranks=$2; shift 2 ;;
    --ntasks=*) ranks=${1#*=}; shift ;;
    --mpi=*) mpi=${1#*=}; shift ;;
    *) break ;;
  esac
done
export SLURM_NTASKS="$ranks" SLURM_STEP_NUM_TASKS="$ranks" SLURM_JOB_ID=7
if [ "$mpi" != none ]; then
  more_than_cores=
  if mpiexec --version | grep -q Open; then more_than_cores=--oversubscribe; fi
  # shellcheck disable=SC2016,SC2086
  exec mpiexec $more_than_cores -n "$ranks" sh -c 'SLURM_PROCID=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
    export SLURM_PROCID; exec "$@"' sh "$@"
fi
rank=0
while [ $rank -lt "$ranks" ]; do
  SLURM_PROCID=$rank "$@" &
  rank=$((rank + 1))
done
wait
