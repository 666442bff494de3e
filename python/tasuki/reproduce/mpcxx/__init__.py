"""The evaluation of MPC++ MTTL on MPI (Sakae, Ishikawa, Matsuoka, Takahashi 2000).

`figures.py` lists its figures 5-13 and tables 4-8; each family is measured by one module here, with
the runs that several need made once by the Lab.
"""
