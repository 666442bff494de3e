"""Tables for people: what is folded where there is little room; and durations that people write."""

import pytest
import typer
from rich.console import Console
from tasuki.commands.values import duration_from
from tasuki.output import report

NAME = "knomial(radix=2,segment_bytes=0)"
ROWS = [["reduce_scatter_block", NAME, 1.5, f"20.2 us at 262144 B; {NAME} 26.2 us"]]


def shown(monkeypatch, width: int) -> list[str]:
    monkeypatch.setattr(report, "line_columns", lambda: width)
    console = Console(width=width)
    with console.capture() as capture:
        console.print(report._table(("collective", "algorithm", "gain", "why"), ROWS, None))
    return [line.rstrip() for line in capture.get().splitlines()]


def test_sentences_are_folded_rather_than_names(monkeypatch):
    lines = shown(monkeypatch, 90)
    assert any(line.startswith(f" reduce_scatter_block  {NAME}") for line in lines)
    assert max(map(len, lines)) <= 90


@pytest.mark.parametrize("width", [84, 90, 100])
def test_no_character_is_lost_in_folding(monkeypatch, width):
    why = "16.9 us at 131072 B; split_binary(segment_bytes=32768) 3.57 us"
    rows = [["broadcast", "608", NAME, 1.178, why], ["broadcast", "any", "two_level", 1.0, why]]
    monkeypatch.setattr(report, "line_columns", lambda: width)
    console = Console(width=width)
    columns = ("collective", "bytes up to", "algorithm", "best gain", "why")
    with console.capture() as capture:
        console.print(report._table(columns, rows, None))
    lines = capture.get().splitlines()
    column = next(line for line in lines if "collective" in line).index("why")
    folded = "".join("".join(line[column:].split()) for line in lines[3:])
    assert folded == 2 * "".join(why.split())


def test_names_are_folded_where_there_is_no_room_at_all(monkeypatch):
    lines = shown(monkeypatch, 60)
    assert max(map(len, lines)) <= 60
    assert "26.2 us" in " ".join(lines)


def test_numbers_have_as_many_digits_as_are_wanted():
    numbers = (0.123456, 12.3456, 1234.56, 123456.7)
    assert [report._cell(one, None) for one in numbers] == ["0.1235", "12.35", "1235", "123457"]
    assert [report._cell(one, 3) for one in numbers] == ["0.123", "12.3", "1235", "123457"]


@pytest.mark.parametrize(
    ("text", "seconds"), [("60", 60), ("60s", 60), ("2.5m", 150), ("1 min", 60), ("1h", 3600)]
)
def test_durations(text, seconds):
    assert duration_from(1)(text) == seconds


@pytest.mark.parametrize("text", ["", "s", "-3", "3x", "0.5", "1e3", "nan"])
def test_what_is_no_duration_is_refused(text):
    with pytest.raises(typer.BadParameter):
        duration_from(1)(text)


def test_square_brackets_are_no_markup(capsys):
    report.print_table("t", ("shape",), [["[n][lda:n]"], ["[/]"]])
    said = capsys.readouterr().out
    assert "[n][lda:n]" in said and "[/]" in said
