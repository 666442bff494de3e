"""The evaluation of on-the-fly communication on DIMMnet-1 (Mitsuhashi et al. 2002).

Barriers by flags, radix sort and LU with their time split, and what a faster or slower network
would make of them. The paper was not at hand: which number is called what follows the
description of it in docs/guide/reproduce.md.
"""
