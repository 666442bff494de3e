"""The analysis of Open MPI's collectives (Fukui, Ishii 2014), with Tasuki's beside them.

`figures.py` lists its figures and tables under the paper's numbers, `paper.py` what its text says
of them: allreduce and alltoall and what they make of shortest paths on road networks, by number of
processes on simulated nodes. Beyond the paper stand all algorithms by size, here and on larger
simulated clusters.
"""
