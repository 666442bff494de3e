"""Tasuki: remote function calls, global pointers and measured collectives for clusters."""

__version__ = "0.1.0"
