"""Rules that `tasuki tune --emit` writes: their texts, and that the libraries obey them."""

import json

import pytest
from measuring_programs import answering
from tasuki.base.errors import CommandError
from tasuki.launcher.binding import cores_allowed
from tasuki.measurement.library import NATIVE, library_measurer
from tasuki.measurement.measurer import Candidate, Cell, JobMeasurer
from tasuki.measurement.race import Result, Time
from tasuki.tune.library import LibraryResults
from tasuki.tune.mpich_rules import built_in_rules
from tasuki.tune.rules import FORMATS, emit, require_format
from tasuki.tune.size_rules import RULE_FORMATS, size_rules_of
from test_tune_library import MPIS, TELLING

LINEAR = Candidate("linear")
SEGMENTED = Candidate("segmented_ring", "segment_bytes=8192")


def _time(seconds):
    return Time(seconds, seconds, seconds, 9)


def _result(collective, ranks, size, winner):
    times = {NATIVE: _time(2.0), winner: _time(1.0 if winner != NATIVE else 2.0)}
    return Result(Cell(collective, ranks, size), winner, NATIVE, times)


def _found(results, library="Open MPI v4.1.4", kind="ompi", file=""):
    names = {(one.cell.collective, one.winner.algorithm): one.winner.algorithm for one in results}
    values = {name: number + 1 for number, name in enumerate(sorted(names))}
    return LibraryResults(kind, library, file, results, values, names)


def _written(found, name, path):
    emit(FORMATS[name], found, path)
    return path.read_text()


def test_formats_are_declared_once():
    assert tuple(FORMATS) == RULE_FORMATS


def test_sizes_with_one_winner_make_one_rule():
    results = [
        _result("allreduce", 2, size, winner)
        for size, winner in ((4, NATIVE), (100, LINEAR), (400, LINEAR), (1600, NATIVE))
    ]
    rules = size_rules_of(results)
    assert [(one.bytes_from, one.bytes_below, one.is_default) for one in rules] == [
        (0, 21, True),
        (21, 801, False),
        (801, None, True),
    ]
    assert size_rules_of([_result("scan", 2, 4, NATIVE)]) == []


def test_classic_rules_end_where_measuring_ended(tmp_path):
    results = [
        _result("allreduce", 2, 1024, SEGMENTED),
        _result("alltoall", 3, 64, NATIVE),
        _result("alltoall", 3, 1024, LINEAR),
    ]
    text = _written(_found(results), "ompi-classic", tmp_path / "rules")
    lines = [line.split("#")[0].strip() for line in text.splitlines()]
    assert [line for line in lines if line] == [
        "2",
        "2", "2", "2", "1", "0 1 0 8192", "3", "1", "0 0 0 0",
        "3", "2", "3", "2", "0 0 0 0", "771 2 0 0", "4", "1", "0 0 0 0",
    ]  # fmt: skip


def test_classic_rules_of_newer_versions_have_requests(tmp_path):
    results = [_result("alltoall", 2, 64, Candidate("linear_sync", "outstanding=2"))]
    old = _found(results)
    emit(FORMATS["ompi-classic"], old, tmp_path / "old")
    assert not (tmp_path / "old").exists()  # It cannot be said.
    text = _written(_found(results, "Open MPI v5.0.11"), "ompi-classic", tmp_path / "new")
    assert text.startswith("rule-file-version-2\n")
    assert "0 1 0 0 2" in text


def test_json_rules_name_ranges(tmp_path, capsys):
    results = [_result("reduce_scatter_block", 4, 64, NATIVE)]
    results += [_result("reduce_scatter_block", 4, 1024, LINEAR)]
    whole = json.loads(_written(_found(results), "ompi-json", tmp_path / "rules"))
    assert whole["module"] == "tuned"
    assert whole["collectives"]["reducescatterblock"] == [
        {
            "comm_size_min": 4,
            "comm_size_max": 4,
            "rules": [{"msg_size_min": 1028, "msg_size_max": "inf", "alg": "linear"}],
        }
    ]
    assert "does not read rules in JSON, Open MPI 6 does" in capsys.readouterr().err


def test_nothing_better_is_nothing_to_write(tmp_path, capsys):
    emit(FORMATS["ompi-classic"], _found([_result("scan", 2, 4, NATIVE)]), tmp_path / "rules")
    assert not (tmp_path / "rules").exists()
    assert "no rules to write" in capsys.readouterr().err


@pytest.mark.parametrize("more", [0, 1])
def test_rules_of_ranks_that_shared_cores_come_with_a_warning(tmp_path, capsys, more):
    ranks = len(cores_allowed()) + more
    emit(FORMATS["ompi-classic"], _found([_result("scan", ranks, 4, LINEAR)]), tmp_path / "rules")
    assert ("shared cores of one node" in capsys.readouterr().err) == bool(more)


def test_rules_of_the_other_mpi_are_refused():
    with pytest.raises(CommandError, match="--mpi mpich"):
        require_format("mpich-json", "ompi")


def test_a_library_without_rules_is_an_error(tmp_path):
    (tmp_path / "libmpi.so").write_bytes(b"nothing\0")
    with pytest.raises(CommandError, match="does not hold the rules of MPICH"):
        built_in_rules(tmp_path / "libmpi.so", "algorithm=MPIR_")


def test_mpich_rules_stand_among_its_own(tmp_path):
    own = {
        "collective=allgather": {"comm_type=intra": {"algorithm=MPIR_Allgather_intra_ring": {}}},
        "collective=scan": {"algorithm=MPIR_Scan_intra_smp": {}},
    }
    node = {"collective=bcast": {"algorithm=MPIDI_POSIX_mpi_bcast_release_gather": {}}}
    file = tmp_path / "libmpi.so"
    texts = [json.dumps(one, separators=(",", ":")).encode() for one in (node, own)]
    file.write_bytes(b"\0\1".join([b"ELF", *texts, b""]).replace(b"\1", b"") + b"\0")
    results = [
        _result("allgather", 4, 64, Candidate("brucks")),
        _result("allgather", 4, 512, NATIVE),
    ]
    found = _found(results, "MPICH 4.0.2", "mpich", str(file))
    whole = json.loads(_written(found, "mpich-json", tmp_path / "rules"))
    ring = {"algorithm=MPIR_Allgather_intra_ring": {}}
    assert whole["collective=scan"] == own["collective=scan"]
    assert whole["collective=allgather"]["comm_type=intra"] == {
        "comm_size<4": ring,
        "comm_size<=4": {
            "total_msg_size<728": {"algorithm=MPIR_Allgather_intra_brucks": {}},
            "total_msg_size=any": ring,
        },
        "comm_size=any": ring,
    }
    assert json.loads((tmp_path / "rules.node").read_text()) == node


@pytest.mark.parametrize("kind", MPIS)
def test_libraries_obey_the_rules(kind, tmp_path):
    """The order of additions, as it shows in the bits of sums, is that of the algorithm named."""
    cell, names = TELLING[kind]
    with library_measurer(cell.ranks, kind) as measurer:
        own = measurer.check(cell, NATIVE, 1, 0)["bits"]
        bits = {name: measurer.check(cell, Candidate(name), 1, 0)["bits"] for name in names}
        library, file = measurer.library(), measurer.library_file()
        listed = {one["algorithm"]: one for one in measurer.algorithms(cell)}
    name = next(name for name in names if bits[name] != own)
    other = Cell(cell.collective, cell.ranks, cell.message_bytes * 16)
    key = (cell.collective, name)
    winner = Candidate(name)
    results = [_result(*cell, winner), _result(*other, NATIVE)]
    found = LibraryResults(
        kind, library, file, results,
        {key: listed[name]["value"]}, {key: listed[name]["library_name"]},
    )  # fmt: skip
    form = "mpich-json" if kind == "mpich" else "ompi-classic"
    emit(FORMATS[form], found, tmp_path / "rules")
    settings = dict(one.split("=", 1) for one in FORMATS[form].settings_of(tmp_path / "rules"))
    assert _library_bits(kind, cell, settings) == bits[name]
    assert _library_bits(kind, other, settings) == _library_bits(kind, other, {})
    assert _library_bits(kind, cell, {}) == own


def _library_bits(kind, cell, settings):
    """Of what the library chooses itself in a job with these settings."""
    job = library_measurer(cell.ranks, kind)._job._replace(environment=settings)
    with JobMeasurer(job) as measurer:
        return measurer.check(cell, NATIVE, 1, 0)["bits"]


@pytest.mark.parametrize("kind", MPIS)
@pytest.mark.parametrize("is_better", [True, False])
def test_rules_can_be_asked_for(installed, tmp_path, kind, is_better):
    """Of a library that is made up but for its file: MPICH's rules stand among its own."""
    form = {"ompi": "ompi-classic", "mpich": "mpich-json"}[kind]
    with library_measurer(1, kind) as measurer:
        library, file = measurer.library(), measurer.library_file()
    name = TELLING[kind][1][0]
    seconds = {"native": 2000.0, name: 1000.0 if is_better else 2000.0}
    program = answering(seconds, "native", library, file)
    installed.add_program(f"mpi_measure_{kind}", program)
    path = tmp_path / "rules"
    ended = installed(
        "tune", "--library", "--mpi", kind, "-n", "2", "--budget", "1",
        "--collective", TELLING[kind][0].collective,
        "--emit", form, "--output", path, timeout_s=300,
    )  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    assert ("rules written" in ended.stderr) == is_better
    assert ("no rules to write" in ended.stderr) == (not is_better)
    assert path.exists() == is_better
    assert not is_better or name in path.read_text()


@pytest.mark.parametrize(
    ("options", "remedy"),
    [
        (("--library", "--emit", "mpich-json", "--mpi", "mpich"), "--output"),
        (("--library", "--emit", "ompi-classic", "--mpi", "ompi", "--json"), "--output"),
        (("--library", "--output", "rules"), "--emit"),
        (("--emit", "ompi-classic"), "--library"),
        (("--verify", "--library"), "one of them"),
        (("--verify", "--output", "policy"), "leave --output out"),
        (("--verify", "--emit", "ompi-classic"), "--library --emit"),
    ],
)
def test_options_that_do_nothing_together_are_refused(tasuki, options, remedy):
    ended = tasuki("tune", "-n", "2", *options)
    assert ended.returncode == 2, ended.stdout + ended.stderr
    assert ended.stdout == ""
    assert remedy in ended.stderr
