"""The list of all collective algorithms, by what the program behind `tasuki explain` answers."""

from collections.abc import Iterator

from tasuki.explain.question import BUILT_IN, NO_ROUNDS, Question, ask_program
from tasuki.measurement.collectives import ALL_COLLECTIVES

_OPENING = """# Collective algorithms

Each collective has several algorithms; [the policy](docs/guide/tuning.md) chooses one by ranks and
bytes. Those *in memory* work in the memory that the ranks of a node share, the others by messages
or by the MPI library. A cost counts rounds and the elements that all ranks send; *p* is the number
of ranks, *n* the number of elements. `tasuki explain` shows what is chosen and why.
"""


def as_markdown() -> str:
    """Raises CommandError if tasuki_explain is not built."""
    return "\n".join([_OPENING, *(line for one in ALL_COLLECTIVES for line in _section(one))])


def _section(collective: str) -> Iterator[str]:
    # Names, texts and costs are the same for any number of ranks; few are simulated quickly.
    question = Question(
        collective, 2, 4, "shm", "gigabit_ethernet", BUILT_IN, NO_ROUNDS, None
    )  # fmt: skip
    yield f"\n## {collective}\n"
    yield "| algorithm | parameters | in memory | what it does | cost |"
    yield "|---|---|---|---|---|"
    for row in ask_program(question, is_drawn=False)["alternatives"]:
        name, parameters = f"`{row['algorithm']}`", row["parameters"]
        cells = (
            name,
            f"`{parameters}`" if parameters else "",
            "yes" if row["in_memory"] else "",
            row["summary"],
            row["cost"],
        )
        yield "| " + " | ".join(cell.replace("|", r"\|") for cell in cells) + " |"
