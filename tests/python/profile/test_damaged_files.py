"""Damaged event files: an error that says so, or a report; never anything else."""

import random
import warnings

import numpy as np
import pytest
from cases import analysed, written_job
from event_writer import EVENT, WrittenRank
from tasuki.base.errors import CommandError
from tasuki.profile.event_file import HEADER
from tasuki.profile.hang_report import HangReport
from tasuki.profile.message_record import write_record
from tasuki.profile.page import data_of
from tasuki.profile.rows import report_of
from tasuki.profile.tables import print_tables
from tasuki.profile.trace_file import write_trace


def read_all(folder) -> None:
    """All that can be made of the files."""
    analysis = analysed(folder, [])
    state = HangReport(analysis, asks_system=False)
    report_of(analysis, state)
    state.print()
    print_tables(analysis)
    data_of(analysis, state)
    write_trace(analysis, folder / "trace")
    write_record(analysis, ["a"], folder / "record")


@pytest.mark.parametrize("seed", range(60))
def test_random_damage(tmp_path, seed):
    generator = random.Random(seed)
    for written in written_job():
        written.fields["state"] = generator.choice((1, 2))
        contents = bytearray(written.contents())
        begin, end = (
            (0, 256), (HEADER.itemsize, len(contents)), (len(contents) - 8 * EVENT.itemsize,
                                                       len(contents)),
        )[seed % 3]  # fmt: skip
        for _ in range(generator.randrange(1, 9)):
            contents[generator.randrange(begin, end)] = generator.choice((0, 1, 127, 128, 255))
        (tmp_path / f"{written.fields['process_id']}.events").write_bytes(contents)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            read_all(tmp_path)
        except CommandError as failure:
            assert "Remedy" in str(failure)


@pytest.mark.parametrize(
    ("field", "value", "said"),
    [
        ("ticks_per_second", 0.0, "its clock has no rate"),
        ("ticks_per_second", np.nan, "its clock has no rate"),
        ("rank", 5, "has rank 5 of 2"),
        ("state", 9, "has the unknown state 9"),
    ],
)
def test_headers_that_make_no_sense(tmp_path, field, value, said):
    rank = WrittenRank(0, 2)
    rank.fields[field] = value
    rank.write(tmp_path)
    with pytest.raises(CommandError, match=said):
        read_all(tmp_path)
