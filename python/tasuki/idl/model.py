"""What an interface file says: modules, classes, routines, and their arguments.

All are values: two files that say the same have equal modules. `at`, the place in the source, is no
part of that.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property

from tasuki.idl.expression import Expression, Name, Number
from tasuki.idl.types import ScalarType


class Mode(str, Enum):
    """Which way an argument travels; a `work` array is only room on the server."""

    IN = "in"
    OUT = "out"
    INOUT = "inout"
    WORK = "work"

    @property
    def travels_to_server(self) -> bool:
        return self in (Mode.IN, Mode.INOUT)

    @property
    def travels_to_client(self) -> bool:
        return self in (Mode.OUT, Mode.INOUT)


class Placement(str, Enum):
    """What ranks other than the first get, where Ninf-G's `allocate` or `broadcast` says it."""

    USUAL = "usual"
    ALLOCATE = "allocate"
    BROADCAST = "broadcast"


class Backend(str, Enum):
    """How the server starts a routine: as one process, or on ranks."""

    NORMAL = "normal"
    MPI = "MPI"
    BLACS = "BLACS"


class Language(str, Enum):
    """What the routine itself is written in."""

    C = "C"
    CPP = "C++"
    FORTRAN = "Fortran"
    PYTHON = "python"


class StringConvention(str, Enum):
    """Where functions in Fortran get the lengths of texts: behind all arguments, each behind its
    text, or not at all."""

    LAST = "last"
    JUST_AFTER = "justAfter"
    NONE = "none"


ZERO = Number(0)
ONE = Number(1)


@dataclass(frozen=True)
class Dimension:
    """`size` elements, of which those from `lower` to before `upper`, each `step`-th, travel."""

    size: Expression
    lower: Expression
    upper: Expression
    step: Expression

    @classmethod
    def whole(cls, size: Expression) -> "Dimension":
        """All of `size` elements."""
        return cls(size, ZERO, size, ONE)

    @property
    def expressions(self) -> tuple[Expression, ...]:
        return (self.size, self.lower, self.upper, self.step)

    def __str__(self) -> str:
        if self == Dimension.whole(self.size):
            return f"[{self.size}]"
        if self.step != ONE:
            return f"[{self.size}:{self.lower},{self.upper},{self.step}]"
        if self.lower != ZERO:
            return f"[{self.size}:{self.lower},{self.upper}]"
        return f"[{self.size}:{self.upper}]"


@dataclass(frozen=True)
class Undivided:
    """Every rank of the grid has all of the dimension."""

    def __str__(self) -> str:
        return "*"


@dataclass(frozen=True)
class Block:
    """Each rank has one run of elements: `width` of them, or as even as can be if it is None."""

    width: Expression | None = None

    def __str__(self) -> str:
        return "BLOCK" if self.width is None else f"BLOCK({self.width})"


@dataclass(frozen=True)
class Cyclic:
    """Runs of `width` elements go to the ranks in turn."""

    width: Expression = ONE

    def __str__(self) -> str:
        return "CYCLIC" if self.width == ONE else f"CYCLIC({self.width})"


Division = Undivided | Block | Cyclic


@dataclass(frozen=True)
class Distribution:
    """How an array lies on a grid of ranks: a division for each of its dimensions.

    Without divisions the array is not distributed. `grid` has a size for each dimension that is
    divided; without sizes the server chooses them.
    """

    divisions: tuple[Division, ...] = ()
    grid: tuple[Expression, ...] = ()

    @property
    def expressions(self) -> tuple[Expression, ...]:
        widths = (one.width for one in self.divisions if not isinstance(one, Undivided))
        return (*(width for width in widths if width is not None), *self.grid)

    @property
    def divided_count(self) -> int:
        return sum(not isinstance(one, Undivided) for one in self.divisions)

    def __str__(self) -> str:
        if not self.divisions:
            return ""
        grid = f" onto grid({', '.join(map(str, self.grid))})" if self.grid else ""
        return f"({', '.join(map(str, self.divisions))}){grid}"


NOT_DISTRIBUTED = Distribution()

# Methods without arguments that run when an object is made and when it ends, as in Ninf-G.
FIRST_METHOD = "_initialize"
LAST_METHOD = "_finalize"


@dataclass(frozen=True)
class Parameter:
    """An argument that is a scalar or, if it has dimensions, an array in C's order."""

    name: str
    mode: Mode
    type: ScalarType
    dimensions: tuple[Dimension, ...] = ()
    distribution: Distribution = NOT_DISTRIBUTED
    placement: Placement = Placement.USUAL
    at: int = field(default=0, compare=False, repr=False)

    @property
    def is_scalar(self) -> bool:
        return not self.dimensions

    @property
    def expressions(self) -> tuple[Expression, ...]:
        """All that are evaluated when the argument travels."""
        sizes = (one for dimension in self.dimensions for one in dimension.expressions)
        return (*sizes, *self.distribution.expressions)


@dataclass(frozen=True)
class Callback:
    """An argument that is a function of the client, which the routine calls with arrays."""

    name: str
    parameters: tuple[Parameter, ...]
    at: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True)
class CBody:
    """The routine is this C code; its `{` is in `line` of the user's file."""

    code: str
    line: int


@dataclass(frozen=True)
class Calls:
    """The routine is `target` of a library, or of a Python module ("module:function")."""

    language: Language
    target: str
    arguments: tuple[Name, ...]
    at: int = field(default=0, compare=False, repr=False)


@dataclass(frozen=True)
class Options:
    """What a routine, or a class with all its methods, needs and where it runs."""

    required: tuple[str, ...] = ()
    backend: Backend = Backend.NORMAL
    language: Language = Language.C
    shrink: bool = False

    def with_those_of(self, method: "Options") -> "Options":
        """What holds for a method of the class whose options these are."""
        is_usual = method.backend is Backend.NORMAL
        return Options(
            (*self.required, *method.required),
            self.backend if is_usual else method.backend,
            method.language,
            self.shrink or method.shrink,
        )


USUAL_OPTIONS = Options()


@dataclass(frozen=True)
class Routine:
    """What clients call; `calc_order` is its cost in operations, None if the file has none."""

    name: str
    parameters: tuple[Parameter | Callback, ...]
    implementation: CBody | Calls
    text: str = ""
    aliases: tuple[str, ...] = ()
    options: Options = USUAL_OPTIONS
    calc_order: Expression | None = None
    at: int = field(default=0, compare=False, repr=False)

    # Found once, as a short call takes no longer than a few such searches.

    @cached_property
    def values(self) -> tuple[Parameter, ...]:
        """The arguments that are no callbacks, in order."""
        return tuple(one for one in self.parameters if isinstance(one, Parameter))

    @cached_property
    def numbers(self) -> tuple[Parameter, ...]:
        """Those of them that are numbers, or arrays of numbers."""
        return tuple(one for one in self.values if one.type.is_number)

    @cached_property
    def scalars(self) -> tuple[Parameter, ...]:
        """Those of them that are numbers."""
        return tuple(one for one in self.numbers if one.is_scalar)

    @cached_property
    def arrays(self) -> tuple[Parameter, ...]:
        """Those of them that are arrays of numbers."""
        return tuple(one for one in self.numbers if not one.is_scalar)

    @cached_property
    def given(self) -> tuple[Parameter | Callback, ...]:
        """What a caller gives, in order: what is sent, names of files for results, functions."""
        return tuple(
            one
            for one in self.parameters
            if isinstance(one, Callback)
            or one.mode.travels_to_server
            or (one.type.wire == "file" and one.mode.travels_to_client)
        )

    @cached_property
    def results(self) -> tuple[Parameter, ...]:
        """What a call returns, in order: not files, which the caller has named."""
        return tuple(
            one for one in self.values if one.mode.travels_to_client and one.type.wire != "file"
        )

    @cached_property
    def told_sizes(self) -> frozenset[str]:
        """Names of the scalars that the shape of a given array tells."""
        given = (one for one in self.given if isinstance(one, Parameter))
        sizes = (dimension.size for one in given for dimension in one.dimensions)
        return frozenset(size.name for size in sizes if isinstance(size, Name))


@dataclass(frozen=True)
class RemoteClass:
    """Methods that share state, which lives as long as the client's handle."""

    name: str
    methods: tuple[Routine, ...]
    states: tuple[CBody, ...] = ()
    text: str = ""
    options: Options = USUAL_OPTIONS
    at: int = field(default=0, compare=False, repr=False)

    @property
    def complete_methods(self) -> Iterator[Routine]:
        """The methods with the options of the class beside their own."""
        for one in self.methods:
            yield replace(one, options=self.options.with_those_of(one.options))

    def method(self, name: str) -> Routine | None:
        """The method with this name or alias."""
        return next((one for one in self.methods if name in (one.name, *one.aliases)), None)


@dataclass(frozen=True)
class Module:
    """One file; `name` is "" if it has no Module statement, `compiler` and `linker` likewise."""

    name: str = ""
    routines: tuple[Routine, ...] = ()
    classes: tuple[RemoteClass, ...] = ()
    globals: tuple[CBody, ...] = ()
    libraries: tuple[str, ...] = ()
    compile_options: tuple[str, ...] = ()
    compiler: str = ""
    linker: str = ""
    fortran_format: str = "%s_"
    fortran_string_convention: StringConvention = StringConvention.LAST

    @property
    def all_routines(self) -> Iterator[tuple[str, Routine]]:
        """Each routine with the name that clients call it by: "f", or "Class.method"."""
        yield from ((one.name, one) for one in self.routines)
        for remote_class in self.classes:
            for one in remote_class.complete_methods:
                yield f"{remote_class.name}.{one.name}", one
