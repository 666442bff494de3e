"""The evaluation of MPC++ MTTL on MPI (Sakae, Ishikawa, Matsuoka, Takahashi 2000).

`figures.py` lists its figures 5 to 13 (7 is a listing) and tables 3 to 8 under the paper's numbers,
`paper.py` what its text says of them. Each family is measured by one module here, with the runs
that several need made once by the Lab.
"""
