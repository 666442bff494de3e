"""How `tasuki run` starts ranks on this machine and watches them; see docs/design/launch.md.

One noun per module: the job's memory file, binding, one rank's process, tagged output, the
supervisor of all ranks, and the hand-over to an MPI's own mpiexec. Nothing slow is imported
here, because starting a job should cost no more than starting Python.
"""
