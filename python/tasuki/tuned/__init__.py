"""`tasuki run --tuned`: MPI programs as they are, with the collectives that were found best."""
