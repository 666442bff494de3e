"""What routines take, give and do, as text, Markdown and HTML for people to read."""

import html
import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tasuki.idl.argument_table import ARGUMENT_COLUMNS, argument_rows
from tasuki.idl.model import FIRST_METHOD, LAST_METHOD, Callback, Module, Parameter, Routine
from tasuki.rpc.call_form import call_form, signature_of, type_text
from tasuki.rpc.examples import method_example, python_example, shell_example

_STYLE = """
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; display: block; overflow-x: auto }
th, td { text-align: left; padding: .2rem .8rem .2rem 0; border-bottom: 1px solid #8884 }
pre { padding: .6rem; overflow-x: auto; background: #8882; border-radius: .3rem }
@media (prefers-color-scheme: dark) { body { background: #16181c; color: #e4e6ea } }
"""


@dataclass(frozen=True)
class Entry:
    """A routine, or a method, under the name that it is called by: "linpack.solve"."""

    name: str
    routine: Routine
    python_example: str
    shell_example: str

    @property
    def signature(self) -> str:
        """As Python shows it, behind the name."""
        return f"{self.name}{signature_of(self.routine)}"


def entries_of(url: str, name: str, module: Module) -> list[Entry]:
    """All that clients call of a module that the server at `url` serves by this name."""
    entries = [
        Entry(
            f"{name}.{one.name}",
            one,
            python_example(url, name, one),
            shell_example(url, name, one),
        )
        for one in module.routines
    ]
    entries += [
        Entry(
            f"{name}.{owner.name}.{method.name}",
            method,
            method_example(url, name, owner.name, method),
            "",
        )
        for owner in module.classes
        for method in owner.methods
        if method.name not in (FIRST_METHOD, LAST_METHOD)
    ]
    return entries


def docstring(entry: Entry) -> str:
    """What `help` shows of the routine."""
    form = call_form(entry.routine)
    needed = [_described(one) for one in form.needed]
    told = [f"{_described(one)}; may be left out, as the arrays tell it" for one in form.told]
    parts = [
        entry.signature,
        entry.routine.text,
        _list("Arguments:", [*needed, *told]),
        _list("Returns:", [_described(one) for one in form.results] or ["nothing: ()"]),
        f"Example:\n{textwrap.indent(entry.python_example, '    ')}"
        if entry.python_example
        else "",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _list(title: str, lines: Sequence[str]) -> str:
    return "\n".join([title, *(f"    {line}" for line in lines)]) if lines else ""


def _described(parameter: Parameter | Callback) -> str:
    if isinstance(parameter, Callback):
        return f"{parameter.name}: {type_text(parameter)}, which the routine calls"
    is_distributed = bool(parameter.distribution.divisions)
    distribution = f", distributed {parameter.distribution}" if is_distributed else ""
    both = ", and comes back changed" if parameter.mode.value == "inout" else ""
    return f"{parameter.name}: {type_text(parameter)}{distribution}{both}"


def markdown_of(title: str, entries: Iterable[Entry]) -> str:
    """A document of all routines."""
    parts = [f"# {_plain(title)}"]
    for entry in entries:
        parts += [f"## {_plain(entry.name)}", _plain(entry.routine.text)]
        parts.append(_fenced("python", entry.signature))
        rows = [ARGUMENT_COLUMNS, ("---",) * len(ARGUMENT_COLUMNS)]
        rows += [tuple(map(_plain, row)) for row in argument_rows(entry.routine)]
        parts.append("\n".join(f"| {' | '.join(row)} |" for row in rows) if rows[2:] else "")
        for language, example in (("python", entry.python_example), ("sh", entry.shell_example)):
            parts.append(_fenced(language, example) if example else "")
    return "\n\n".join(part for part in parts if part) + "\n"


def _plain(text: str) -> str:
    """Text whose characters mean nothing to Markdown."""
    return re.sub(r"([\\`*_{}\[\]<>#|~])", r"\\\1", " ".join(text.split()))


def _fenced(language: str, code: str) -> str:
    return f"```{language}\n{code}\n```"


def html_of(title: str, entries: Iterable[Entry]) -> str:
    """The same as a page that needs no other files."""
    body = "\n".join(html_of_entry(entry) for entry in entries)
    return (
        f'<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{html.escape(title)}</title>\n<style>{_STYLE}</style>\n"
        f"<h1>{html.escape(title)}</h1>\n{body}\n</html>\n"
    )


def html_of_entry(entry: Entry) -> str:
    """A section of one routine, which notebooks show."""
    rows = "".join(_row("td", row) for row in argument_rows(entry.routine))
    table = f"<table>{_row('th', ARGUMENT_COLUMNS)}{rows}</table>" if rows else ""
    examples = "".join(
        f"<p>{title}:</p><pre>{html.escape(example)}</pre>"
        for title, example in (
            ("From Python", entry.python_example),
            ("From a shell", entry.shell_example),
        )
        if example
    )
    return (
        f'<section id="{html.escape(entry.name)}"><h2>{html.escape(entry.name)}</h2>'
        f"<p>{html.escape(entry.routine.text)}</p><pre>{html.escape(entry.signature)}</pre>"
        f"{table}{examples}</section>"
    )


def html_of_list(title: str, entries: Iterable[Entry]) -> str:
    """A table of routines in a line each, which notebooks show of a server or module."""
    rows = "".join(
        f"<tr><td><code>{html.escape(entry.signature)}</code></td>"
        f"<td>{html.escape(entry.routine.text)}</td></tr>"
        for entry in entries
    )
    head = _row("th", ("routine", "what it does"))
    return f"<p><b>{html.escape(title)}</b></p><table>{head}{rows}</table>"


def _row(kind: str, cells: Sequence[str]) -> str:
    return f"<tr>{''.join(f'<{kind}>{html.escape(cell)}</{kind}>' for cell in cells)}</tr>"
