# examples/named_functions.py
from tasuki import ranks

simulate = ranks.Named("simulate")  # of the C++ program


@ranks.named
def mean(values):
    if len(values) == 0:
        raise ValueError("mean of nothing")
    return float(values.mean())


@ranks.named
def note(text):
    print("Python was told:", text)


def main():
    places = [simulate.ainvoke(rank, 4, 0.5) for rank in range(ranks.size() - 1)]
    for rank, future in enumerate(places):
        print(f"Python: rank {rank} was at {future.get()}")
    ranks.barrier()


ranks.run(main)
