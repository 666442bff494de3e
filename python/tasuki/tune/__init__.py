"""`tasuki tune`: finds the fastest algorithm of each collective on this machine."""
