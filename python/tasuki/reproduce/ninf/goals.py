"""What hand-off should gain over the mode original, for matrices of the paper's size and larger."""

from tasuki.bench.goals import AT_LEAST, AT_MOST, Goal, Limit, add_goal
from tasuki.output.figure import Point
from tasuki.reproduce.ninf.linpack import LOOPBACK, SLOW
from tasuki.reproduce.ninf.paper import GAIN, REST

SIZE_LEAST = 1200


def _over(link: str, limit: float) -> Limit:
    return lambda row: limit if row["link"] == link and row["n"] >= SIZE_LEAST else None


# By the series of a point.
GOALS = (
    Goal(GAIN, AT_LEAST, "at least 1.16", _over(SLOW, 1.16)),
    Goal(REST, AT_MOST, "at most 0.6", _over(LOOPBACK, 0.6)),
)


def with_goal(point: Point) -> Point:
    """The point with the fields of its goal in its details, if it has one."""
    row = add_goal({"name": point.series, "value": point.value, **point.details}, GOALS)
    names = ("goal", "goal_is", "goal_text", "ok")
    return point._replace(details=point.details | {one: row[one] for one in names if one in row})
