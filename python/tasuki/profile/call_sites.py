"""The names of call sites: function, file and line, as far as the module's symbols tell.

The addresses of a module are asked in one run of addr2line (binutils), which also demangles.
"""

import re
import struct
import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from tasuki.profile.job_events import Site

_ELF_CLASS_64 = 2
_LOADED = 1  # PT_LOAD
_INTERPRETER = 3  # PT_INTERP
_UNKNOWN = "??"


class SiteName(NamedTuple):
    """Where a call is. `function` and `place` (file:line) are "" where they are not known."""

    module: str
    offset: int
    function: str
    place: str

    @property
    def text(self) -> str:
        """As in "solve (cg.c:120)", "solve in app" or "app+0x4711"; C++ names without types. ""
        where nothing is known."""
        name = Path(self.module).name
        if not self.function:
            if not name and not self.offset:
                return ""
            return f"{name}+{self.offset:#x}" if name else f"{self.offset:#x}"
        if not self.place:
            return f"{name_alone(self.function)} in {name}"
        file, _, line = self.place.rpartition(":")
        return f"{name_alone(self.function)} ({Path(file).name}:{line})"


def name_alone(function: str) -> str:
    """A demangled name without result, parameters and template arguments.

    name_alone("int solver::step<double>(int) const")  # "solver::step"
    """
    if re.search(r"operator *[-<>a-z]", function):  # Brackets that are no pairs, or conversions.
        return function
    # What has brackets and is part of a name.
    text = function.replace("(anonymous namespace)", "{anonymous}")
    text = text.replace("operator()", "operator{}")
    while (shorter := re.sub(r"<[^<>]*>|\([^()]*\)|\[[^][]*\]", "", text)) != text:
        text = shorter
    words = [word for word in text.split() if word not in ("const", "&", "&&")]
    return words[-1].replace("{anonymous}", "(anonymous)").replace("operator{}", "operator()")


def named_sites(sites: Sequence[Site]) -> list[SiteName]:
    """The names of all sites, in their order."""
    names = {site: SiteName(*site, "", "") for site in sites}
    for module in {site.module for site in sites}:
        offsets = [site.offset for site in sites if site.module == module]
        for offset, (function, place) in zip(offsets, _symbols(module, offsets), strict=True):
            names[Site(module, offset)] = SiteName(module, offset, function, place)
    return [names[site] for site in sites]


class Segments(NamedTuple):
    """What the program headers of an ELF file say: the lowest address that it asks to be loaded
    at, 0 for what may lie anywhere, and whether a dynamic loader starts it."""

    first_address: int
    has_interpreter: bool


def segments_of(path: Path) -> Segments | None:
    """None for what is no ELF file of 64 bits in this machine's byte order, or cannot be read."""
    try:
        with path.open("rb") as file:
            header = file.read(64)
            if len(header) < 64 or header[:4] != b"\x7fELF" or header[4] != _ELF_CLASS_64:
                return None
            headers_offset, entry_bytes, entry_count = struct.unpack("=32xQ14xHH6x", header)
            file.seek(headers_offset)
            table = file.read(entry_bytes * entry_count)
    except OSError:
        return None
    entries = [
        struct.unpack_from("=I12xQ", table, at)
        for at in range(0, len(table) - entry_bytes + 1, entry_bytes)
    ]
    loaded = [address for kind, address in entries if kind == _LOADED]
    return Segments(
        min(loaded, default=0) & ~0xFFF, any(kind == _INTERPRETER for kind, _ in entries)
    )


def _symbols(module: str, offsets: list[int]) -> list[tuple[str, str]]:
    """Function and place for each offset in the memory of the module."""
    unknown = [("", "")] * len(offsets)
    segments = segments_of(Path(module))
    if segments is None:
        return unknown
    # The call lies before the address to which it returns.
    addresses = [f"{segments.first_address + offset - 1:#x}\n" for offset in offsets]
    try:
        asked = subprocess.run(
            ["addr2line", "-f", "-C", "-e", module],
            input="".join(addresses),
            capture_output=True,
            text=True,
            errors="replace",
        )
    except OSError:
        return unknown  # No binutils: what is left are offsets.
    lines = asked.stdout.splitlines()
    if len(lines) != 2 * len(offsets):
        return unknown
    pairs = zip(lines[::2], lines[1::2], strict=True)
    return [(_known(function), _place(place)) for function, place in pairs]


def _known(function: str) -> str:
    return "" if function == _UNKNOWN else function


def _place(text: str) -> str:
    """Without what addr2line adds ("(discriminator 2)"); "" for ??:0 and file:?."""
    found = re.match(r"(.+):([1-9]\d*)", text)
    return f"{found[1]}:{found[2]}" if found and found[1] != _UNKNOWN else ""
