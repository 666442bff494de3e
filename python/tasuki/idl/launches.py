"""How programs of routines are started."""

# As one process; by mpiexec, or by `tasuki run`, as ranks.
OWN_LAUNCHES = ("process", "mpi", "tasuki")
# A program of this package runs functions of Python.
LAUNCHES = (*OWN_LAUNCHES, "python", "python-mpi")
