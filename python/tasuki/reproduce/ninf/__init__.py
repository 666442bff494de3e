"""Numerical RPC on distributed memory (Ogawa, Matsuoka, Nakada, Satoh, Sekiguchi 1998).

LINPACK called locally and by three ways of handing its matrix to the ranks, with the split of the
time. `figures.py` lists its figures and tables under the paper's numbers, `paper.py` what its text
says of them.
"""
