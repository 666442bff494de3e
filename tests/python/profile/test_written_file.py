"""Files are written whole or not at all, and what is no file stays what it is."""

import os
import stat
from pathlib import Path

import pytest
from tasuki.base.errors import CommandError
from tasuki.profile.written_file import check_writable, written_file


def test_a_file_takes_the_place_of_the_old_one(tmp_path):
    path = tmp_path / "report"
    path.write_text("old")
    with written_file(path) as file:
        file.write("new")
        file.flush()
        assert path.read_text() == "old"
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) & 0o600 == 0o600
    assert list(tmp_path.iterdir()) == [path]


def test_after_a_failure_the_old_one_is_there(tmp_path):
    path = tmp_path / "report"
    path.write_text("old")
    with pytest.raises(ZeroDivisionError), written_file(path) as file:
        file.write(str(1 / 0))
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_stays_a_link(tmp_path):
    (tmp_path / "link").symlink_to("report")
    with written_file(tmp_path / "link") as file:
        file.write("new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "report").read_text() == "new"


def test_a_device_stays_a_device():
    null = Path(os.devnull)
    check_writable(null)
    with written_file(null) as file:
        file.write("new")
    assert null.is_char_device()


def test_a_full_disk_is_said():
    with (
        pytest.raises(CommandError, match="No space left"),
        written_file(Path("/dev/full")) as file,
    ):
        file.write("new")
