"""The evaluation of receiving message prediction on MPI (Iwamoto, Adachi, Ootsu, Yoshinaga, Baba
2001).

The kernels of NPB run as they are, with and without prediction. `figures.py` lists its figures and
tables under the paper's numbers, `paper.py` what its text says of them.
"""
