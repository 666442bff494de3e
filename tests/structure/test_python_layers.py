"""Imports of the `tasuki` command point down: PYTHON_LAYERS says which packages see which."""

import ast
import graphlib
from pathlib import Path

import pytest
from sources import PYTHON_LAYERS, ROOT, command_files, name

PACKAGE = ROOT / "python" / "tasuki"
# The package itself is what everyone may import: it knows the version and imports nothing.
MODULES = [
    path
    for path in command_files()
    # What is among the data is loaded as users' own modules are, and belongs to no layer.
    if path != PACKAGE / "__init__.py" and PACKAGE / "data" not in path.parents
]


def module_of(path: Path) -> str:
    """Returns the name by which the file is imported."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def layer_of(module: str) -> str:
    """Returns the layer of `tasuki.LAYER` or `tasuki.LAYER.anything`."""
    return module.split(".")[1]


def imported_modules(text: str, known: set[str]) -> set[str]:
    """Returns the known modules that the text imports anywhere, functions included."""
    found = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            inside = {f"{node.module}.{alias.name}" for alias in node.names}
            found |= (inside & known) or {node.module}
    return found & known


KNOWN = {module_of(path) for path in MODULES}
IMPORTS = {module_of(path): imported_modules(path.read_text(), KNOWN) for path in MODULES}


def upward_imports(module: str, imports: set[str]) -> list[str]:
    """Returns those of the imports that the module must not have."""
    layer = layer_of(module)
    allowed = PYTHON_LAYERS[layer] | {layer}
    return sorted(one for one in imports if layer_of(one) not in allowed)


@pytest.mark.parametrize("module", sorted(IMPORTS))
def test_imports_point_down(module: str) -> None:
    assert upward_imports(module, IMPORTS[module]) == []


def test_no_modules_import_each_other() -> None:
    graphlib.TopologicalSorter(IMPORTS).prepare()


def test_each_layer_is_above_those_that_it_may_import() -> None:
    lower: set[str] = set()
    for layer, allowed in PYTHON_LAYERS.items():
        assert allowed <= lower, layer
        lower.add(layer)


def test_architecture_names_each_layer() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    packages = [layer for layer in PYTHON_LAYERS if (PACKAGE / layer).is_dir()]
    assert [layer for layer in packages if f"`{layer}`" not in text] == []


def test_an_upward_import_is_found() -> None:
    text = "def f():\n    from tasuki.reproduce.lab import Lab\n    import tasuki.base.errors\n"
    imports = imported_modules(text, KNOWN)
    assert imports == {"tasuki.reproduce.lab", "tasuki.base.errors"}
    assert upward_imports("tasuki.tune.search", imports) == ["tasuki.reproduce.lab"]
    assert upward_imports("tasuki.commands.tune", imports) == []
    assert imported_modules("from tasuki.tune import rules", KNOWN) == {"tasuki.tune.rules"}


def test_a_cycle_is_found() -> None:
    with pytest.raises(graphlib.CycleError):
        graphlib.TopologicalSorter({"tasuki.a": {"tasuki.b"}, "tasuki.b": {"tasuki.a"}}).prepare()


@pytest.mark.parametrize("path", MODULES, ids=name)
def test_module_is_in_a_layer(path: Path) -> None:
    assert layer_of(module_of(path)) in PYTHON_LAYERS
