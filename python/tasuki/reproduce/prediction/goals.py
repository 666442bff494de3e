"""What prediction should reach here, beside what the paper reached."""

from tasuki.bench.goals import AT_LEAST, AT_MOST, Goal, add_goal
from tasuki.output.figure import Point
from tasuki.reproduce.prediction.paper import IS_GAIN

# Guarded prediction beside none: the median of the pairs, and its upper bound.
NEVER_SLOWER, NEVER_MUCH_SLOWER = "never slower", "never much slower"
# The default predictor's free fields, of kernels whose messages repeat and of IS.
REPEATING, SORTING = "repeating messages", "messages of IS"
# IS over TCP, beside the program as it is.
OVER_TCP = "IS over TCP"
GOALS = (
    Goal(NEVER_SLOWER, AT_MOST, "at most 1.01", lambda _: 1.01),
    Goal(NEVER_MUCH_SLOWER, AT_MOST, "at most 1.03", lambda _: 1.03),
    Goal(REPEATING, AT_LEAST, "at least 95", lambda _: 95.0),
    Goal(SORTING, AT_LEAST, "at least 90", lambda _: 90.0),
    Goal(OVER_TCP, AT_LEAST, f"at least {IS_GAIN}", lambda _: IS_GAIN),
)
_FIELDS = ("goal", "goal_is", "goal_text", "ok")


def with_goal(point: Point, name: str) -> Point:
    """The point with the fields of that goal in its details, if it has a value."""
    row = add_goal({"name": name, "value": point.value}, GOALS)
    return point._replace(details=point.details | {one: row[one] for one in _FIELDS if one in row})
