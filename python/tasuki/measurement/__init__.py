"""How times are measured: jobs, the measuring programs, races between algorithms."""
