"""The evaluation of on-the-fly communication on DIMMnet-1 (Mitsuhashi et al. 2002).

Barriers by flags, radix sort and LU with their time split, and what other bandwidths would make of
them. `figures.py` lists its figures and tables under the paper's numbers, `paper.py` what its text
says of them.
"""
