"""Includes point down: a layer includes itself and what lies below it, programs public headers.

In a layer that declares rooms, a room includes itself and the rooms before it; what lies beside
the rooms counts as the last.
"""

import re
from pathlib import Path

import pytest
from sources import INTERFACE, LAYERS, ROOMS, ROOT, cpp_files, files, name

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)


Place = tuple[str, str]  # A layer, and a room of it; "" if it has none, or beside its rooms.


def place_of_include(include: str) -> Place | None:
    """Returns where an include belongs, as `tasuki/HEADER`, `tasuki/LAYER/HEADER`,
    `tasuki/detail/LAYER/...` or `LAYER/...`; None if it is of no layer."""
    parts = include.split("/")
    if parts[0] == "tasuki" and len(parts) == 2:
        return INTERFACE.get(Path(include).stem)
    if parts[0] == "tasuki" and len(parts) == 3 and parts[1] in LAYERS:
        return parts[1], ""
    inside = parts[2:] if parts[:2] == ["tasuki", "detail"] else parts
    if len(inside) < 2 or inside[0] not in LAYERS:
        return None
    return inside[0], inside[1] if inside[0] in ROOMS and len(inside) > 2 else ""


def place_of(path: Path) -> Place | None:
    """Returns where a file under src/ or include/ belongs, None for any other file."""
    parts = path.relative_to(ROOT).parts
    return place_of_include("/".join(parts[1:])) if parts[0] in ("src", "include") else None


def layer_of(path: Path) -> str | None:
    place = place_of(path)
    return place[0] if place else None


def included_layer(include: str) -> str | None:
    place = place_of_include(include)
    return place[0] if place else None


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
    """Returns the includes of the layer's own headers that a file in the room must not have."""
    rooms = [*ROOMS[layer], ""]
    allowed = rooms[: rooms.index(room) + 1]
    own = {match[2]: place_of_include(match[2]) for match in INCLUDE.finditer(text)}
    return [
        i for i, place in own.items() if place and place[0] == layer and place[1] not in allowed
    ]


@pytest.mark.parametrize("path", [p for p in cpp_files() if layer_of(p) in ROOMS], ids=name)
def test_includes_of_a_room_point_down(path: Path) -> None:
    layer, room = place_of(path) or ("", "")
    assert room in [*ROOMS[layer], ""], "CMakeLists.txt does not name the room"
    assert climbing_includes(layer, room, path.read_text()) == []


def test_a_climbing_include_is_found() -> None:
    text = '#include "node/segment/pieces.hpp"\n#include "node/teams/team_segments.hpp"\n'
    assert climbing_includes("node", "staged", text) == ["node/teams/team_segments.hpp"]
    assert climbing_includes("node", "teams", text) == []


@pytest.mark.parametrize("layer", ROOMS)
def test_the_rooms_of_a_layer_are_told_from_the_lowest(layer) -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text()
    tables = re.findall(r"\| room \|.*\n\|---\|---\|\n((?:\|.*\n)+)", text)
    assert ROOMS[layer] in [re.findall(r"^\| `(\w+)`", table, re.MULTILINE) for table in tables]


def test_each_design_note_is_named() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text().partition("## Design notes")[2]
    notes = {file.name for file in (ROOT / "docs" / "design").glob("*.md")}
    assert set(re.findall(r"docs/design/([\w-]+\.md)", text)) == notes


def test_a_cycle_through_what_lies_beside_the_rooms_is_found() -> None:
    to_the_room = '#include "node/segment/pieces.hpp"\n'
    assert climbing_includes("node", "", to_the_room) == []
    beside = ["node/policy_rows.hpp", "tasuki/detail/node/algorithms.hpp"]
    back = "".join(f"#include <{header}>\n" for header in beside)
    for room in ROOMS["node"]:
        assert climbing_includes("node", room, back) == beside


@pytest.mark.parametrize("path", files(("include",), ".hpp", ".h"), ids=name)
def test_public_headers_include_public_headers_only(path: Path) -> None:
    includes = [(m[1], m[2]) for m in INCLUDE.finditer(path.read_text())]
    assert [text for quote, text in includes if quote == '"'] == []


# Layers whose inside containers use; of the runtime they include users' headers only.
WHAT_CONTAINERS_SEE = ("base", "layout", "containers")


@pytest.mark.parametrize("path", [p for p in cpp_files() if layer_of(p) == "containers"], ids=name)
def test_containers_use_public_headers_of_the_runtime(path: Path) -> None:
    includes = [match[2] for match in INCLUDE.finditer(path.read_text())]
    inside = [i for i in includes if i.startswith("tasuki/detail/")]
    assert [i for i in inside if i.split("/")[2] not in WHAT_CONTAINERS_SEE] == []


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


@pytest.mark.parametrize("path", files(("include/tasuki",), ".hpp"), ids=name)
def test_every_public_header_is_a_users_or_lies_in_detail(path: Path) -> None:
    is_all = path.name == "tasuki.hpp"
    assert is_all or layer_of(path), f"CMakeLists.txt names {path.stem} in no INTERFACE"


@pytest.mark.parametrize("path", files(("examples",), ".hpp", ".cpp", ".h"), ids=name)
def test_examples_use_no_inside(path: Path) -> None:
    assert "tasuki/detail/" not in path.read_text()


def test_an_upward_include_is_found() -> None:
    text = "#include <tasuki/error.hpp>\n#include <tasuki/future.hpp>\n"
    assert upward_includes("fiber", text) == ["tasuki/future.hpp"]
    assert upward_includes("runtime", text) == []
    assert upward_includes("transport", '#include "fiber/stack_pool.hpp"\n') == [
        "fiber/stack_pool.hpp"
    ]
