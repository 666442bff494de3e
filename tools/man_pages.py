"""Writes the manual of the command `tasuki`, a page for each of its commands, from the declarations
that its help is made of.

    python tools/man_pages.py FOLDER VERSION

The date is that of SOURCE_DATE_EPOCH, else today. click-man would do the same for commands of
click; newer versions of typer have classes of their own.
"""

import inspect
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from tasuki.commands.app import app


def main() -> None:
    folder, version = Path(sys.argv[1]), sys.argv[2]
    folder.mkdir(parents=True, exist_ok=True)
    seconds = int(os.environ.get("SOURCE_DATE_EPOCH", time.time()))
    date = time.strftime("%Y-%m-%d", time.gmtime(seconds))
    for context in contexts(context_of(typer.main.get_command(app), "tasuki")):
        (folder / f"{page_name(context)}.1").write_text(page(context, version, date))


def context_of(command: Any, name: str, parent: Any = None) -> Any:
    return typer.Context(command, info_name=name, parent=parent, **command.context_settings)


def contexts(context: Any) -> Iterator[Any]:
    """The command of the context, and all below it."""
    yield context
    for below in commands(context):
        yield from contexts(below)


def commands(context: Any) -> list[Any]:
    """The commands that may follow; none where it is no group."""
    found = getattr(context.command, "commands", {})
    return [context_of(one, name, context) for name, one in found.items()]


def page_name(context: Any) -> str:
    return context.command_path.replace(" ", "-")


def page(context: Any, version: str, date: str) -> str:
    """The text of the page, in the macros of man(7)."""
    command, name = context.command, page_name(context)
    records = [one.get_help_record(context) for one in command.get_params(context)]
    # Which typer adds to the name of an argument of several words.
    options = [(one[0].removesuffix(" <list[str]>"), one[1]) for one in records if one]
    below = commands(context)
    near = [escaped(page_name(one)) for one in (context.parent, *below) if one]
    parts = [
        f'.TH {escaped(name.upper())} 1 {date} "tasuki {version}" "Commands of Tasuki"',
        f".SH NAME\n{escaped(name)} \\- {escaped(summary(command))}",
        f".SH SYNOPSIS\n.B {escaped(context.command_path)}",
        escaped(" ".join(command.collect_usage_pieces(context))),
        f".SH DESCRIPTION\n{paragraphs(command.help or '')}",
        section("OPTIONS", options),
        section("COMMANDS", [(one.info_name, summary(one.command)) for one in below]),
        f".SH NOTES\n{paragraphs(command.epilog)}" if command.epilog else "",
        ".SH SEE ALSO\n" + " ,\n".join(f".BR {one} (1)" for one in near),
    ]
    return "\n".join(part for part in parts if part) + "\n"


def summary(command: Any) -> str:
    return command.get_short_help_str(limit=1000).rstrip(".")


def section(title: str, rows: list[tuple[str, str]]) -> str:
    """What each word means; nothing if there are no words."""
    if not rows:
        return ""
    entries = [f".TP\n.B {escaped(word)}\n{escaped(text)}" for word, text in rows]
    return "\n".join([f".SH {title}", *entries])


def paragraphs(text: str) -> str:
    """The text, with its indented lines as they are."""
    written = []
    was_code = False
    for line in inspect.cleandoc(text).splitlines():
        is_code = line.startswith(" ")
        if is_code != was_code:
            written.append(".EX" if is_code else ".EE")
        was_code = is_code
        written.append(escaped(line) if line else ".PP")
    return "\n".join(written + [".EE"] * was_code)


def escaped(text: str) -> str:
    """The text on one line of roff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


if __name__ == "__main__":
    main()
