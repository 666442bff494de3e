"""The types of the extension module: what `tasuki.ranks` offers of it.

Functions and classes are those of the same names in include/tasuki/*.hpp. All but `run` are called
inside it, from its thread. What fails raises `Error`, which says what to do.

Arrays are contiguous (C order). An array that is written may be no copy, so it is not converted:
its dtype and place are the caller's.
"""

from array import array
from collections.abc import Callable, Generator, Sequence
from typing import Any, Generic, Protocol, TypeAlias, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from tasuki.ranks.operators import Located

_T = TypeVar("_T")
_R = TypeVar("_R")
_N = TypeVar("_N", int, float, complex, np.number[Any], Located)

class _Buffer(Protocol):
    """Has the buffer protocol."""

    def __buffer__(self, flags: int, /) -> memoryview: ...

class _Tensor(Protocol):
    """Has DLPack, as tensors of PyTorch and JAX have; it must lie in the memory of the host."""

    def __dlpack__(self, **options: Any) -> Any: ...

_Array: TypeAlias = NDArray[Any] | array[Any] | bytearray | memoryview | _Buffer | _Tensor

class Error(RuntimeError):
    """An expected failure. Its text has what its attributes have: the rank that noticed it (-1
    before the job has started), what was to be done, what happened, and what to do about it."""

    rank: int
    operation: str
    happened: str
    remedy: str

def make_error(operation: str, happened: str, remedy: str) -> Error:
    """One of this rank."""

def run(main: Callable[[], _T]) -> _T:
    """Runs `main` on every rank, serves calls whenever it waits, and ends when no call is under way
    on any rank. Called once in a process.

    Returns: what `main` returned on this rank. An exception from `main` is printed with its
    traceback and ends the whole job; SystemExit ends this rank's part, with that exit code.
        ranks.run(lambda: print(ranks.rank()))
    """

def rank() -> int:
    """This process's number, from 0.
    next_rank = (ranks.rank() + 1) % ranks.size()
    """

def size() -> int:
    """The number of ranks."""

def yield_() -> None:
    """Lets arriving calls and other fibers run; for long computations without a call of Tasuki."""

def flush() -> None:
    """Sends the small calls that wait to travel together."""

def quiesce() -> None:
    """Returns when all calls made by any rank, and all calls these made, are done everywhere.
    Collective.
    """

def fence() -> None:
    """Returns when all writes of this rank are visible at their targets."""

class Future(Generic[_T]):
    """A value that comes later, or an exception. Used on the rank that got it.

    `await future` lets an event loop of asyncio run its other tasks meanwhile.
    """

    def ready(self) -> bool:
        """Is the value there, or the exception? Never waits."""

    def valid(self) -> bool:
        """False once `get`, `then` or `when_all` has taken the value."""

    def wait(self) -> None:
        """Returns when it is ready."""

    def wait_for(self, limit_s: float) -> bool:
        """Returns: whether it was ready before `limit_s` seconds had passed."""

    def get(self) -> _T:
        """Waits, then hands the value out. Raises what the work raised."""

    def then(self, function: Callable[[_T], _R]) -> Future[_R]:
        """The future of `function(value)`, which is called once the value is there; what the work
        raised passes through. Takes the value.
            ranks.barrier_async().then(lambda _: print("all have come")).get()
        """

    def __await__(self) -> Generator[None, None, _T]: ...

def when_all(futures: Sequence[Future[Any]]) -> Future[tuple[Any, ...]]:
    """The future of the values of all, in order, or of the first exception in order."""

def when_any(futures: Sequence[Future[Any]]) -> Future[int]:
    """The future of the index of the first that is ready; all stay usable."""

class Team:
    """An ordered set of ranks, like an MPI communicator.

    halves = ranks.world_team().split(ranks.rank() % 2)
    ranks.barrier(halves)
    """

    def is_empty(self) -> bool:
        """True for what `split` gives to a rank without a color."""

    def rank(self) -> int:
        """This rank's place in the team."""

    def size(self) -> int:
        """The number of its ranks."""

    def world_rank(self, team_rank: int) -> int:
        """The rank that has this place in the team."""

    def world_ranks(self) -> list[int]:
        """Those of all its places."""

    def split(self, color: int, key: int = 0) -> Team:
        """Ranks with the same color make a team, ordered by key, then by their rank here; a
        negative color joins none. Collective over this team.
        """

class CartesianTeam(Team):
    """A team whose ranks lie in a grid, numbered row by row. Extents of 0 are chosen as evenly as
    possible. No dimension is periodic without `periods`.

    grid = ranks.CartesianTeam(ranks.world_team(), [0, 1], [True, False])
    below = grid.neighbour([1, 0])
    """

    def __init__(
        self, team: Team, extents: Sequence[int], periods: Sequence[bool] = ...
    ) -> None: ...
    def dimensions(self) -> int: ...
    def extent(self, dimension: int) -> int: ...
    def is_periodic(self, dimension: int) -> bool: ...
    def coordinates(self, rank: int | None = None) -> list[int]:
        """Of a rank in the team; None: of this one."""

    def rank_at(self, coordinates: Sequence[int]) -> int | None:
        """The rank there, those of periodic dimensions wrapped around; None outside of the grid."""

    def neighbour(self, displacement: Sequence[int]) -> int | None:
        """The rank so many steps away in each dimension."""

    def along(self, dimensions: Sequence[int]) -> CartesianTeam:
        """The ranks that differ from this one in these dimensions only, as a grid of these.
        Collective over this team.
        """

def world_team() -> Team:
    """All ranks."""

def team_of(world_ranks: Sequence[int], name: int) -> Team:
    """The team of the given ranks, in that order, all of which make this call with the same list
    and the same `name`, a number that tells teams of the same ranks apart.
    """

class Operator:
    """How a reduction combines two elements.

    A function of Python is one, too: it gets two arrays of elements, as long as a piece of what is
    reduced, and returns the array of the combined ones. It is applied in the order of the ranks
    unless it has an attribute `commutative` that is true. It does not wait in calls of Tasuki. What
    it raises is raised on that rank when all are through.
        ranks.allreduce(array, op=lambda one, other: np.hypot(one, other))
    """

    Sum: Operator
    Product: Operator
    Min: Operator
    Max: Operator
    LogicalAnd: Operator
    LogicalOr: Operator
    LogicalXor: Operator
    BitwiseAnd: Operator
    BitwiseOr: Operator
    BitwiseXor: Operator
    MinLocation: Operator
    MaxLocation: Operator

_Operator: TypeAlias = Operator | Callable[[Any, Any], Any]

Sum: Operator
Product: Operator
Min: Operator
Max: Operator
LogicalAnd: Operator
LogicalOr: Operator
LogicalXor: Operator
BitwiseAnd: Operator
BitwiseOr: Operator
BitwiseXor: Operator
MinLocation: Operator
MaxLocation: Operator

class Blocks:
    """Elements per rank, and where each rank's block starts (empty: one after the other).

    blocks = ranks.Blocks([3, 1])
    """

    counts: list[int]
    displacements: list[int]
    def __init__(self, counts: Sequence[int], displacements: Sequence[int] = ()) -> None: ...

def barrier(team: Team | None = None) -> None:
    """Returns when every rank of the team has called it, and all writes that this rank made before
    are visible at their targets (`barrier_async`: without that promise).
    """

def barrier_async(team: Team | None = None) -> Future[None]:
    """The same as a future; the arrays belong to it until it is ready."""

def broadcast(data: _Array, root: int = 0, team: Team | None = None) -> None:
    """`data` of rank `root` to all."""

def broadcast_async(data: _Array, root: int = 0, team: Team | None = None) -> Future[None]:
    """The same as a future; the arrays belong to it until it is ready."""

def reduce(
    input: _Array,
    output: _Array | None = None,
    op: _Operator = ...,
    root: int = 0,
    team: Team | None = None,
) -> None:
    """Elementwise over the ranks, into `output` of `root` (None: into `input` itself)."""

def reduce_async(
    input: _Array,
    output: _Array | None = None,
    op: _Operator = ...,
    root: int = 0,
    team: Team | None = None,
) -> Future[None]:
    """The same as a future; the arrays belong to it until it is ready."""

@overload
def allreduce(
    input: _Array,
    output: _Array | None = None,
    op: _Operator = ...,
    team: Team | None = None,
) -> None: ...
@overload
def allreduce(
    input: _N,
    output: None = None,
    op: Operator = ...,
    team: Team | None = None,
) -> _N:
    """Elementwise over the ranks, into `output` of all (None: into `input` itself).

    Numbers of up to 64 bits, and a `Located`, are returned; each rank may have a number of another
    type.
        ranks.allreduce(array)  # the sums, in place
        ranks.allreduce(array, largest, ranks.Max)
        total = ranks.allreduce(3.5)
    """

def allreduce_async(
    input: _Array,
    output: _Array | None = None,
    op: _Operator = ...,
    team: Team | None = None,
) -> Future[None]:
    """The same as a future; the arrays belong to it until it is ready."""

def scan(
    input: _Array,
    output: _Array | None = None,
    op: _Operator = ...,
    team: Team | None = None,
) -> None:
    """Inclusive prefix: rank i gets the combination of ranks 0..i (None: in `input` itself)."""

def scan_async(
    input: _Array,
    output: _Array | None = None,
    op: _Operator = ...,
    team: Team | None = None,
) -> Future[None]:
    """The same as a future; the arrays belong to it until it is ready."""

def exscan(
    input: _Array,
    output: _Array | None = None,
    op: _Operator = ...,
    team: Team | None = None,
) -> None:
    """Exclusive prefix: rank i gets the combination of ranks 0..i-1; rank 0's is not touched."""

def exscan_async(
    input: _Array,
    output: _Array | None = None,
    op: _Operator = ...,
    team: Team | None = None,
) -> Future[None]:
    """The same as a future; the arrays belong to it until it is ready."""

def gather(
    input: _Array,
    output: _Array | None = None,
    root: int = 0,
    team: Team | None = None,
) -> None:
    """`input` of every rank, side by side in rank order, on `root`; other outputs may be None."""

def gather_async(
    input: _Array,
    output: _Array | None = None,
    root: int = 0,
    team: Team | None = None,
) -> Future[None]:
    """The same as a future; the arrays belong to it until it is ready."""

def gatherv(
    input: _Array,
    output: _Array | None,
    blocks: Blocks,
    root: int = 0,
    team: Team | None = None,
) -> None:
    """Blocks of different sizes; `output` and `blocks` matter on `root` only."""

def gatherv_async(
    input: _Array,
    output: _Array | None,
    blocks: Blocks,
    root: int = 0,
    team: Team | None = None,
) -> Future[None]:
    """The same as a future; the arrays belong to it until it is ready."""

def scatter(input: _Array | None, output: _Array, root: int = 0, team: Team | None = None) -> None:
    """Block i of `root`'s `input` to rank i; the others' input may be None."""

def scatter_async(
    input: _Array | None,
    output: _Array,
    root: int = 0,
    team: Team | None = None,
) -> Future[None]:
    """The same as a future; the arrays belong to it until it is ready."""

def scatterv(
    input: _Array | None,
    blocks: Blocks,
    output: _Array,
    root: int = 0,
    team: Team | None = None,
) -> None:
    """Blocks of different sizes; `input` and `blocks` matter on `root` only."""

def scatterv_async(
    input: _Array | None,
    blocks: Blocks,
    output: _Array,
    root: int = 0,
    team: Team | None = None,
) -> Future[None]:
    """The same as a future; the arrays belong to it until it is ready."""

def allgather(input: _Array, output: _Array, team: Team | None = None) -> None:
    """`input` of every rank, side by side in rank order, on all."""

def allgather_async(input: _Array, output: _Array, team: Team | None = None) -> Future[None]:
    """The same as a future; the arrays belong to it until it is ready."""

def allgatherv(input: _Array, output: _Array, blocks: Blocks, team: Team | None = None) -> None:
    """Blocks of different sizes; `blocks` is the same on all ranks."""

def allgatherv_async(
    input: _Array,
    output: _Array,
    blocks: Blocks,
    team: Team | None = None,
) -> Future[None]:
    """The same as a future; the arrays belong to it until it is ready."""

def alltoall(input: _Array, output: _Array, team: Team | None = None) -> None:
    """Block j of rank i's `input` becomes block i of rank j's `output`; all have one size."""

def alltoall_async(input: _Array, output: _Array, team: Team | None = None) -> Future[None]:
    """The same as a future; the arrays belong to it until it is ready."""

def alltoallv(
    input: _Array,
    sent: Blocks,
    output: _Array,
    received: Blocks,
    team: Team | None = None,
) -> None:
    """Blocks of different sizes: rank i's `sent.counts[j]` is rank j's `received.counts[i]`."""

def alltoallv_async(
    input: _Array,
    sent: Blocks,
    output: _Array,
    received: Blocks,
    team: Team | None = None,
) -> Future[None]:
    """The same as a future; the arrays belong to it until it is ready."""

def reduce_scatter(
    input: _Array,
    output: _Array,
    op: _Operator = ...,
    counts: Sequence[int] = (),
    team: Team | None = None,
) -> None:
    """Reduces elementwise, then gives block i of the result to rank i: as many elements as
    `counts[i]`, without counts the same number to each.
    """

def reduce_scatter_async(
    input: _Array,
    output: _Array,
    op: _Operator = ...,
    counts: Sequence[int] = (),
    team: Team | None = None,
) -> Future[None]:
    """The same as a future; the arrays belong to it until it is ready."""

def set_operator_handlers(
    dtype_of: Callable[[Any], Any],
    combine: Callable[[Callable[[Any, Any], Any], Any, memoryview, memoryview, memoryview], None],
) -> None:
    """For operators.py: the type of an array's elements, and what calls a function of two."""

def set_number_types(located: type, scalar: type) -> None:
    """For operators.py: what numbers there are besides those of Python."""

def ainvoke_pickled(operation: str, rank: int, call: bytes, name: str) -> Future[Any]:
    """For calls.py: what `value` makes of the bytes that `serve` returns on `rank`; hang reports
    call the function `name`."""

def name_served(name: str) -> None:
    """For calls.py: the function that the running call is of, for hang reports."""

def post_pickled(rank: int, call: bytes) -> None:
    """For calls.py: `serve_one_way` on `rank`."""

def set_handlers(
    serve: Callable[[memoryview], bytes],
    serve_one_way: Callable[[memoryview], tuple[str, str] | None],
    value: Callable[[memoryview], Any],
) -> None:
    """For calls.py: what pickled calls and their outcomes mean."""

def element_names() -> list[str]:
    """For common_values.py: what NumPy calls the types of elements, by their numbers."""

def name_function(name: str, serve: Callable[[memoryview], bytes | tuple[str, str]]) -> None:
    """For named.py: `serve` runs what other ranks call by `name`."""

def ainvoke_named(operation: str, rank: int, name: str, arguments: bytes) -> Future[Any]:
    """For named.py: what `read` makes of the result of the function `name` on `rank`."""

def post_named(rank: int, name: str, arguments: bytes) -> None:
    """For named.py: the same, one-way."""

def set_named_handlers(
    read: Callable[[memoryview, str], Any], remote_error: Callable[[int, str, str], Exception]
) -> None:
    """For named.py: what results mean, and what is raised for failures of other ranks."""

class Queue:
    """For sync.py: the values behind a Sync."""

    def write(self, value: Any) -> None: ...
    def read(self) -> Any: ...
    def peek(self) -> Any: ...
    def size(self) -> int: ...

class Block:
    """A dimension of an Array in one block of indices for each rank."""

    def __init__(self) -> None: ...

class Cyclic:
    """Indices go round the ranks."""

    def __init__(self) -> None: ...

class BlockCyclic:
    """So do blocks of indices.

    distributions = [ranks.BlockCyclic(64), ranks.Whole()]
    """

    def __init__(self, block_extent: int) -> None: ...
    @property
    def block_extent(self) -> int: ...

class Whole:
    """A dimension that is not divided."""

    def __init__(self) -> None: ...

class ArrayBlocks:
    """For array.py, as all below: the layout of an Array, and the memory of all ranks."""

    def __init__(
        self,
        extents: Sequence[int],
        distributions: Sequence[Block | Cyclic | BlockCyclic | Whole],
        grid: Sequence[int],
        is_grid_column_major: bool,
        is_column_major: bool,
        type: str,
        element_bytes: int,
        team: Team | None,
        block: _Array | None,
        block_extents: Sequence[int],
    ) -> None:
        """`block` has the bytes of this rank's elements, if they are to stay the program's."""

    def assign(self, other: ArrayBlocks) -> None: ...
    def save_npy(self, path: str) -> None: ...
    def load_npy(self, path: str) -> None: ...
    def free(self) -> None: ...
    def memory(self) -> memoryview:
        """Of this rank's block."""

    def address(self, team_rank: int) -> int: ...
    def place(self, index: Sequence[int]) -> tuple[int, int]:
        """Rank in the job and address of an element."""

    def owner(self, index: Sequence[int]) -> int: ...
    def rank_at(self, coordinates: Sequence[int]) -> int: ...
    def block_extents(self, team_rank: int) -> list[int]: ...
    def grid(self) -> list[int]: ...
    def locate(self, dimension: int, indices: _Array, processes: _Array, locals: _Array) -> None:
        """Sets the process of each index along a dimension, and its number there."""

    def own_indices(self, dimension: int, into: _Array) -> None: ...

def throw_together(operation: str, happened: str, remedy: str, team: Team) -> None:
    """For array_description.py: raises the same Error on all ranks if something has happened on
    one. Collective.
    """

def numpy_over(tensor: _Tensor) -> NDArray[Any]:
    """For array_description.py: the memory of a tensor with DLPack as an array of NumPy."""

class HaloReach:
    """Which neighbours a halo has elements of: those that differ in one coordinate, in at most two,
    or in any number.
    """

    faces: HaloReach
    edges: HaloReach
    corners: HaloReach

class HaloBlocks:
    """For halo.py, as GridHalo: what fills the halo of an Array."""

    def __init__(self, array: ArrayBlocks, width: int) -> None: ...
    def lower(self) -> list[int]: ...
    def upper(self) -> list[int]: ...
    def exchange(self, into: _Array) -> None: ...

class GridHalo:
    def __init__(
        self,
        grid: CartesianTeam,
        extents: Sequence[int],
        widths: Sequence[tuple[int, int]],
        reach: HaloReach,
        strides: Sequence[int],
        element_bytes: int,
    ) -> None: ...
    def start(self, memory: _Array) -> None: ...
    def finish(self, memory: _Array) -> None: ...
    def memory_count(self) -> int: ...
    def offset(self, index: Sequence[int]) -> int: ...

def nread(rank: int, addresses: Sequence[int], into: _Array) -> None:
    """Reads as many bytes as the array has, in pieces of one length."""

def nread_async(rank: int, addresses: Sequence[int], into: _Array) -> Future[None]:
    """The same as a future."""

def nwrite(rank: int, addresses: Sequence[int], source: _Array) -> None:
    """Writes all bytes of the array, in pieces of one length."""

def nwrite_async(rank: int, addresses: Sequence[int], source: _Array) -> Future[None]:
    """The same as a future, ready when they are visible there."""

def fetch_add_int32(rank: int, address: int, increment: int) -> int: ...
def fetch_add_int64(rank: int, address: int, increment: int) -> int: ...
def fetch_add_float32(rank: int, address: int, increment: float) -> float: ...
def fetch_add_float64(rank: int, address: int, increment: float) -> float: ...
