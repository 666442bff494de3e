"""The work of `tasuki kept URL`: what a user's clients have left on the ranks of a server."""

from pathlib import Path

from tasuki.base.errors import CommandError
from tasuki.output.report import Row, envelope, print_json, print_table, result
from tasuki.rpc.client import connect
from tasuki.rpc.errors import CallError
from tasuki.rpc.kept import Kept


def kept(
    url: str,
    freed: list[str],
    as_json: bool,
    token_file: Path | None = None,
    ca_file: Path | None = None,
) -> None:
    """Frees what is named in `freed`, then shows what is there.

    Errors: CommandError if the server does not answer, or has no array or object of such a name.
    """
    try:
        with connect(url, token_file=token_file, ca_file=ca_file) as server:
            there = {one.name: one for one in server.kept}
            for name in freed:
                if name not in there or not there[name].free():
                    raise CallError(
                        f"free {name}", "you have no such array or object on the ranks",
                        "see tasuki kept URL",
                    )  # fmt: skip
            left = server.kept
    except CallError as fault:
        raise CommandError(fault.operation, fault.happened, fault.remedy) from None
    if as_json:
        rows = [_row(one) for one in left]
        print_json(envelope("kept", rows, ranks=None, transport=None))
        return
    print_table(
        f"Left on the ranks of {url}",
        ("name", "module", "what", "shape", "bytes", "age (s)", "left (s)"),
        [
            (
                one.name, one.module, one.what, one.form, one.nbytes, f"{one.age_s:.0f}",
                "no limit" if one.left_s is None else f"{one.left_s:.0f}",
            )
            for one in left
        ],
    )  # fmt: skip


def _row(one: Kept) -> Row:
    return result(
        one.name,
        one.nbytes,
        "bytes",
        kind="array" if one.shape is not None else "object",
        module=one.module,
        what=one.what,
        dtype=one.dtype,
        shape=None if one.shape is None else list(one.shape),
        user=one.user,
        client=one.client,
        age_s=one.age_s,
        unused_s=one.unused_s,
        left_s=one.left_s,
    )
