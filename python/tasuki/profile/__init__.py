"""The profile of an MPI program: launch, recorded events, their analysis, reports."""
