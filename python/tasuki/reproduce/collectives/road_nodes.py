"""How many nodes a road-like graph may have: also known without NumPy, which makes the graph."""

NODES_MOST = 1 << 30
