"""The analysis of Open MPI's collectives (Fukui, Ishii 2014), with Tasuki's beside them.

All algorithms of Allreduce and Alltoall by size and ranks, which is best where, what they make of
shortest paths on road networks, and the same on simulated clusters. The paper was not at hand:
which number is called what follows the description of it in docs/guide/reproduce-collectives.md.
"""
