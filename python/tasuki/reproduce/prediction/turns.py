"""In what order the variants of a cell run, so that a disturbance meets all of them alike."""

from collections.abc import Iterator, Sequence


class Turns:
    """Rounds in which each variant runs once, until it has used up its share of the time.

    In each round another variant is the first. All shares are equal; each variant runs at least
    once. The caller tells how long a run took by `spend`.
    """

    def __init__(self, names: Sequence[str], rounds: int, seconds: float) -> None:
        self._names = names
        self._rounds = rounds
        self._share_s = seconds / len(names)
        self._spent_s = dict.fromkeys(names, 0.0)
        self._left_out: set[str] = set()

    def __iter__(self) -> Iterator[tuple[int, str]]:
        """Number of the round, from 0, and who runs next."""
        for number in range(self._rounds):
            first = number % len(self._names)
            for name in (*self._names[first:], *self._names[:first]):
                has_time = number == 0 or self._spent_s[name] < self._share_s
                if has_time and name not in self._left_out:
                    yield number, name

    def spend(self, name: str, seconds: float) -> None:
        self._spent_s[name] += seconds

    def leave_out(self, name: str) -> None:
        """It runs no more."""
        self._left_out.add(name)
