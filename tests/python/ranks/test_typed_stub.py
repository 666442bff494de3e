"""The stub of the extension module says what the module has, and type checkers understand both."""

import ast
import inspect
import re
import subprocess
import sys

import pytest
from running_ranks import REPOSITORY
from tasuki import ranks
from tasuki.ranks import extension

STUB = ast.parse((REPOSITORY / "python" / "tasuki" / "ranks" / "extension.pyi").read_text())
FUNCTIONS = {node.name: node for node in STUB.body if isinstance(node, ast.FunctionDef)}
CLASSES = {node.name: node for node in STUB.body if isinstance(node, ast.ClassDef)}


def parameters(arguments: ast.arguments) -> list[str]:
    return [argument.arg for argument in arguments.args]


def parameters_of(function) -> list[str]:
    """Those of a function of the extension module, as its own signature tells."""
    signature = function.__nb_signature__[0][0]
    inside = ast.parse(re.sub(r"\\\d+", "None", f"{signature}: ...")).body[0]
    assert isinstance(inside, ast.FunctionDef)
    return parameters(inside.args)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_take_what_the_stub_says(name: str) -> None:
    assert parameters_of(getattr(extension, name)) == parameters(FUNCTIONS[name].args)


def test_the_stub_has_all_that_the_module_has() -> None:
    own = vars(extension)
    functions = {name for name, one in own.items() if type(one).__name__ == "nb_func"}
    assert functions == set(FUNCTIONS)
    classes = {name for name, one in own.items() if inspect.isclass(one)} - {
        "ExtensionFileLoader",
        "ModuleType",
    }
    assert classes == {name for name in CLASSES if name[0] != "_"}


@pytest.mark.parametrize(
    "name",
    ["Future", "Team", "CartesianTeam", "Blocks", "Queue", "ArrayBlocks", "HaloBlocks", "GridHalo"],
)
def test_classes_have_the_methods_of_the_stub(name: str) -> None:
    methods = {node.name for node in CLASSES[name].body if isinstance(node, ast.FunctionDef)}
    has = {one for one in vars(getattr(extension, name)) if one[0] != "_"}
    assert {one for one in methods if one[0] != "_"} == has - {"counts", "displacements"}


def test_all_is_there() -> None:
    assert [name for name in ranks.__all__ if not hasattr(ranks, name)] == []


PROGRAM = """import numpy as np
from tasuki import ranks

def add(one: int, two: int) -> int:
    return one + two

async def several() -> int:
    return await ranks.ainvoke(0, add, 1, two=2)

def main() -> float:
    data = np.zeros(3)
    ranks.allreduce(data, op=ranks.Max, team=ranks.world_team())
    ranks.allreduce(data, op=lambda one, other: one * other)
    total: float = ranks.allreduce(3.5)
    least: ranks.Located = ranks.allreduce(ranks.Located(total, 0), op=ranks.MinLocation)
    table = ranks.Array((4, 3), np.int64, [ranks.Cyclic(), ranks.Whole()])
    table[2:, 0] = least.location
    columns = ranks.Array.of_block(np.zeros((3, 4), order="F"), (3, 4), grid=(1, 0), order="F")
    columns.assign(ranks.Array.of_block(bytearray(2), 2 * ranks.size()))
    ranks.broadcast(bytearray(3), 0)
    later: ranks.Future[str] = ranks.ainvoke(0, add, 1, 2).then(str)
    names: list[str] = ranks.allgather_objects("name")
    union: set[int] = ranks.allreduce_object({len(names)}, set.union)
    cost: ranks.Named[[float], float] = ranks.Named("cost")
    queue: ranks.Sync[int] = ranks.Sync()
    queue.write(ranks.invoke(0, add, 1, 2))
    return float(data[0]) + len(later.get()) + queue.read() + cost.invoke(0, 0.5) + len(union)

value: float = ranks.run(main)
"""


@pytest.mark.same_everywhere("it reads types")
@pytest.mark.parametrize(("wrong", "right"), [("", ""), ('add, "1", 2', "add, 1, 2")])
def test_type_checkers_understand_it(tmp_path, wrong: str, right: str) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM.replace(right, wrong) if wrong else PROGRAM)
    package = str(REPOSITORY / "python" / "tasuki" / "ranks")
    cache = ["--cache-dir", str(tmp_path / "cache")]
    checked = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", *cache, str(program), package],
        capture_output=True,
        text=True,
        cwd=REPOSITORY / "python",
    )
    assert (checked.returncode == 0) == (not wrong), checked.stdout
    assert not wrong or 'Argument 3 to "ainvoke" has incompatible type "str"' in checked.stdout
