"""Includes point down: a layer includes itself and what lies below it, programs public headers.

In a layer that declares rooms, a room includes itself and the rooms before it.
"""

import re
from pathlib import Path

import pytest
from sources import LAYERS, ROOMS, ROOT, cpp_files, files, name

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


def layer_of(path: Path) -> str | None:
    """Returns the layer of a file under src/ or include/tasuki/, None for any other file."""
    parts = path.relative_to(ROOT).parts
    place = parts[2:] if parts[:2] == ("include", "tasuki") else parts[1:] if "src" in parts else ()
    return place[0] if place and place[0] in LAYERS else None


def included_layer(include: str) -> str | None:
    """Returns the layer that an include names, as `tasuki/LAYER/...` or `LAYER/...`."""
    parts = include.split("/")
    if parts[0] == "tasuki":
        parts = parts[1:]
    return parts[0] if len(parts) > 1 and parts[0] in LAYERS else None


def upward_includes(layer: str, text: str) -> list[str]:
    """Returns the includes in the text that a file of the layer must not have."""
    allowed = LAYERS[layer] | {layer}
    includes = [match[2] for match in INCLUDE.finditer(text)]
    top = () if "runtime" in allowed else ("tasuki/tasuki.hpp", "mpcxx.h")
    return [i for i in includes if i in top or (included_layer(i) or layer) not in allowed]


@pytest.mark.parametrize("path", [p for p in cpp_files() if layer_of(p)], ids=name)
def test_includes_of_a_layer_point_down(path: Path) -> None:
    assert upward_includes(str(layer_of(path)), path.read_text()) == []


def climbing_includes(layer: str, room: str, text: str) -> list[str]:
    """Returns the includes of private headers that a file in the room must not have."""
    rooms = ROOMS[layer]
    allowed = [f"{layer}/{below}/" for below in rooms[: rooms.index(room) + 1]]
    private = [m[2] for m in INCLUDE.finditer(text) if m[2].startswith(f"{layer}/")]
    return [include for include in private if not include.startswith(tuple(allowed))]


def room_of(path: Path) -> tuple[str, str] | None:
    """Returns the layer and the folder in it of a file in a folder of a layer with rooms."""
    parts = path.relative_to(ROOT).parts
    return parts[1:3] if parts[0] == "src" and parts[1] in ROOMS and len(parts) > 3 else None


@pytest.mark.parametrize("path", [p for p in cpp_files() if room_of(p)], ids=name)
def test_includes_of_a_room_point_down(path: Path) -> None:
    layer, room = room_of(path) or ("", "")
    assert room in ROOMS[layer], "CMakeLists.txt does not name the room"
    assert climbing_includes(layer, room, path.read_text()) == []


def test_a_climbing_include_is_found() -> None:
    text = '#include "node/segment/pieces.hpp"\n#include "node/teams/team_segments.hpp"\n'
    assert climbing_includes("node", "staged", text) == ["node/teams/team_segments.hpp"]
    assert climbing_includes("node", "teams", text) == []


@pytest.mark.parametrize("path", files(("include",), ".hpp", ".h"), ids=name)
def test_public_headers_include_public_headers_only(path: Path) -> None:
    includes = [(m[1], m[2]) for m in INCLUDE.finditer(path.read_text())]
    assert [text for quote, text in includes if quote == '"'] == []


@pytest.mark.parametrize(
    "path", files(("apps", "bench", "examples"), ".hpp", ".cpp", ".h"), ids=name
)
def test_programs_use_public_headers_only(path: Path) -> None:
    """Except that bench/LAYER measures the insides of that one layer."""
    folder, inside = path.relative_to(ROOT).parts[:2]
    private = [
        match[2]
        for match in INCLUDE.finditer(path.read_text())
        if (ROOT / "src" / match[2]).exists()
        and not (folder == "bench" and included_layer(match[2]) == inside)
    ]
    assert private == []


def test_an_upward_include_is_found() -> None:
    text = "#include <tasuki/base/error.hpp>\n#include <tasuki/runtime/future.hpp>\n"
    assert upward_includes("fiber", text) == ["tasuki/runtime/future.hpp"]
    assert upward_includes("runtime", text) == []
    assert upward_includes("transport", '#include "fiber/stack_pool.hpp"\n') == [
        "fiber/stack_pool.hpp"
    ]
