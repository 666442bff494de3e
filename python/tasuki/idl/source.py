"""The text of an interface file, and where in the user's files each character of it comes from."""

import bisect
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tasuki.idl.c_bodies import blank
from tasuki.idl.errors import IdlError, Place

# As the C preprocessor writes them: # 12 "sum.idl" 2; or as people do: #line 12 "sum.idl".
_LINE_MARKER = re.compile(r'[ \t]*#[ \t]*(?:line[ \t]+)?(\d+)(?:[ \t]+"((?:\\.|[^"\\])*)".*)?')


@dataclass(frozen=True)
class Source:
    """A text without line markers, whose every line knows its file and number.

    `file` is the user's name of the file, `user_text` what the file holds; `text` differs from it
    where line markers were, and after the C preprocessor.
    """

    file: str
    user_text: str
    text: str
    origins: tuple[tuple[str, int], ...]

    @classmethod
    def of(cls, file: str, user_text: str, processed_text: str) -> "Source":
        """`processed_text` may have line markers, which are believed and blanked."""
        lines = []
        origins = []
        current, number = file, 1
        for line in processed_text.split("\n"):
            marker = _LINE_MARKER.fullmatch(line)
            if marker:
                current = file if marker[2] in (None, "<stdin>") else marker[2]
                number = int(marker[1][:9]) - 1
                line = blank(line)
            lines.append(line)
            origins.append((current, number))
            number += 1
        return cls(file, user_text, "\n".join(lines), tuple(origins))

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(found.end() for found in re.finditer("\n", self.text))]

    @cached_property
    def _user_lines(self) -> list[str]:
        return self.user_text.split("\n")

    def line_of(self, at: int) -> int:
        """The user's line of the character at `at`."""
        return self.origins[bisect.bisect_right(self._starts, at) - 1][1]

    def place(self, at: int) -> Place:
        """Where the user finds the character at `at` of the text."""
        index = bisect.bisect_right(self._starts, at) - 1
        start = self._starts[index]
        end = self.text.find("\n", start)
        line = self.text[start : end if end >= 0 else len(self.text)]
        file, number = self.origins[index]
        user_line = self._user_line(file, number, line)
        return Place(file, number, _user_column(line, at - start, user_line) + 1, user_line)

    def _user_line(self, file: str, number: int, otherwise: str) -> str:
        if file == self.file:
            lines = self._user_lines
        else:
            try:
                lines = read_text(Path(file)).split("\n")
            except IdlError:
                return otherwise
        return lines[number - 1] if 0 < number <= len(lines) else otherwise


def _user_column(line: str, index: int, user_line: str) -> int:
    """Where in the user's line the word is that stands at `index` of the processed line.

    The preprocessor moves words when it expands macros; the n-th such word stays the n-th.
    """
    if line[:index] == user_line[:index]:
        return index
    word = re.compile(r"\w+|\S|$").match(line, index)
    if word and word[0]:
        pattern = re.compile(rf"(?<!\w){re.escape(word[0])}(?!\w)" if word[0].isalnum()
                             else re.escape(word[0]))  # fmt: skip
        before = sum(1 for found in pattern.finditer(line) if found.start() < index)
        same = [found.start() for found in pattern.finditer(user_line)]
        if before < len(same):
            return same[before]
    return min(index, len(user_line))


def read_text(path: Path) -> str:
    """What the file holds, its lines ended by "\\n"; bytes that are no UTF-8 become surrogates.

    Errors: IdlError if it cannot be read.
    """
    try:
        text = path.read_bytes().decode("utf-8-sig", "surrogateescape")
    except OSError as failure:
        raise IdlError(f"{path}: cannot be read: {failure.strerror}") from None
    return text.replace("\r\n", "\n")
