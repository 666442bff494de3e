"""Programs of other systems that move arrays to processes, for `tasuki bench rpc`.

They run under a Python of their own, which has those systems but not Tasuki.
"""
