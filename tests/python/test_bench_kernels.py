"""`tasuki bench kernels`: rows of each kernel, and those of other libraries beside them."""

from pathlib import Path

import pytest
from conftest import parse_envelope
from tasuki.base.errors import CommandError
from tasuki.bench import kernels
from tasuki.bench.goals import add_goal
from tasuki.bench.kernels import KERNELS, Contender, Sample, _rows_of
from tasuki.bench.ygm import build_ygm, headers_of
from tasuki.measurement.jobs import EXIT_TIMED_OUT, Outcome

OWN, OVER_MPI = Contender("tasuki", ""), Contender("tasuki", "ompi")
MPI, YGM = Contender("mpi", "ompi"), Contender("ygm", "ompi")


def _samples(rates):
    return {one: [Sample(rate, 1e9 / rate) for rate in taken] for one, taken in rates.items()}


def test_a_ratio_is_of_pairs_from_one_round():
    rates = {OWN: [4e6, 8e6, 3e6], YGM: [1e6, 2e6, 3e6]}
    own, beside = _rows_of("histogram_by_post", _samples(rates), 2)
    assert (own["name"], own["value"], own["baseline"]) == ("histogram_by_post", 4.0, None)
    assert beside["name"] == "histogram_by_post_beside_ygm"
    assert (beside["value"], beside["baseline_value"], beside["ratio"]) == (4.0, 2.0, 4.0)
    assert (beside["processor_ns"], beside["baseline_processor_ns"]) == (250.0, 500.0)


def test_what_goes_over_an_mpi_is_beside_that_mpi():
    other = Contender("mpi", "mpich")
    rates = {OWN: [1e6], OVER_MPI: [1e6], MPI: [1e6], other: [1e6]}
    rows = [row for row in _rows_of("histogram_by_post", _samples(rates), 2) if row["baseline"]]
    beside = [(row["transport"], row["mpi"]) for row in rows]
    assert beside == [("shm", "ompi"), ("shm", "mpich"), ("mpi", "ompi")]


def test_a_goal_depends_on_the_transport():
    rates = {OWN: [5e6], OVER_MPI: [2e6], YGM: [1e6]}
    rows = [add_goal(row) for row in _rows_of("histogram_by_post", _samples(rates), 2)]
    found = [(row["goal"], row["ok"]) for row in rows if row["baseline"]]
    assert found == [(4.0, True), (1.5, True)]


def test_efficiency_is_beside_one_rank():
    rates = {OWN: [2e6], OVER_MPI: [1e6], Contender("one_rank", ""): [2e6]}
    rows = [row for row in _rows_of("tree_search", _samples(rates), 2) if row["baseline"]]
    assert [(row["name"], row["transport"], row["mpi"], row["ratio"]) for row in rows] == [
        ("tree_search_beside_one_rank", "shm", None, 1.0)
    ]


def test_a_kernel_that_does_not_end_is_named(monkeypatch):
    ended = Outcome(EXIT_TIMED_OUT, "", "tasuki: ended after 300 s.\n")
    monkeypatch.setattr(kernels, "run_job", lambda *_: ended)
    run = kernels.KernelsRun(2, "none", [], None, 1, 1, False)
    said = "shortest_paths of tasuki over ompi has not ended within 300 s. Remedy: measure"
    with pytest.raises(CommandError, match=said):
        kernels._samples(run, KERNELS["shortest_paths"], {OVER_MPI: Path("program")})


def test_each_kernel_has_its_rows_over_each_transport(tasuki):
    ended = tasuki("bench", "kernels", "--quick", "--json")
    assert ended.returncode == 0, ended.stderr
    rows = parse_envelope(ended.stdout)["results"]
    assert list(dict.fromkeys(row["kernel"] for row in rows)) == list(KERNELS)
    assert all(row["value"] > 0 for row in rows)
    for kernel in KERNELS.values():
        own = [row for row in rows if row["kernel"] == kernel.name]
        mpis = {row["mpi"] for row in own if row["transport"] == "mpi"}
        assert mpis and {row["transport"] for row in own} == {"shm", "mpi"}
        beside = {row["baseline"] for row in own}
        others = {"mpi" if kernel.mpi else None, "one_rank" if kernel.is_spread else None}
        assert beside == {None, *others}


def test_one_kernel_without_mpi_is_one_row(tasuki):
    ended = tasuki("bench", "kernels", "--quick", "--mpi", "none",
                   "--kernel", "histogram_by_post", "--json")  # fmt: skip
    assert ended.returncode == 0, ended.stderr
    (row,) = parse_envelope(ended.stdout)["results"]
    assert (row["name"], row["transport"], row["mpi"]) == ("histogram_by_post", "shm", None)


def test_a_table_is_for_people(tasuki):
    ended = tasuki("bench", "kernels", "--quick", "--mpi", "none", "--kernel", "histogram_by_post")
    assert ended.returncode == 0, ended.stderr
    assert "histogram_by_post, 10^6 operations of a rank in a second" in ended.stdout


@pytest.mark.parametrize("ratio", [0.00123, 0.0123, 0.123, 1, 12.3, 98.7])
@pytest.mark.parametrize("name", ["stencil", "histogram_by_atomics"])
def test_a_table_fits_its_line(name, ratio, capsys, monkeypatch):
    """With the longest words and numbers that there are, nothing is folded."""
    monkeypatch.setenv("COLUMNS", "100")
    others = [Contender(library, mpi) for library in ("mpi", "ygm") for mpi in ("ompi", "mpich")]
    own = [OWN, OVER_MPI, Contender("tasuki", "mpich"), Contender("one_rank", "")]
    lower, jitter = [0.0123456e6, 0.0234567e6, 0.0345678e6], [0.951, 1, 1.051]
    higher = [rate * max(ratio, 1 / ratio) * by for rate, by in zip(lower, jitter, strict=True)]
    if ratio < 1:
        rates = {one: lower if one.library == "tasuki" else higher for one in (*own, *others)}
    else:
        rates = {one: higher if one.library == "tasuki" else lower for one in (*own, *others)}
    rows = [add_goal(row) for row in _rows_of(name, _samples(rates), 2)]
    kernels._show(rows)
    lines = capsys.readouterr().out.rstrip().splitlines()
    (header,) = (at for at, line in enumerate(lines) if line.split()[:2] == ["over", "Tasuki"])
    assert " ".join(lines[header].split()) == (
        "over Tasuki spread CPU ns beside its CPU ns ratio from to goal ok"
    )
    cells = [line.split() for line in lines[header + 2 :]]
    assert [one[0] for one in cells] == [row["mpi"] if row["transport"] == "mpi" else "shm"
                                         for row in rows]  # fmt: skip
    beside = {one[4] for one in cells if len(one) > 9}
    assert beside == {"one_rank", "ompi", "mpich", "ygm/ompi", "ygm/mpich", "ygm"}
    goals = {" ".join(one[-3:-1]) for one in cells if one[-1] in ("yes", "NO")}
    assert goals & {"30 M/s", "/ 1.02"}


@pytest.mark.parametrize("arguments", [("-n", "0"), ("--kernel", "sort"), ("--mpi", "lam")])
def test_wrong_options_are_refused(tasuki, arguments):
    assert tasuki("bench", "kernels", *arguments).returncode == 2


def test_a_folder_without_headers_of_ygm_is_refused(tasuki, tmp_path):
    ended = tasuki("bench", "kernels", "--quick", "--ygm", str(tmp_path))
    assert ended.returncode == 2
    assert f"--ygm {tmp_path} has no ygm/comm.hpp" in ended.stderr and "Remedy" in ended.stderr


def test_headers_are_found_in_the_sources(tmp_path):
    header = tmp_path / "include/ygm/comm.hpp"
    header.parent.mkdir(parents=True)
    header.touch()
    assert headers_of(tmp_path) == headers_of(tmp_path / "include") == tmp_path / "include"


def test_what_the_compiler_says_of_ygm_is_shown(tmp_path):
    wrapper = tmp_path / "mpicxx.other"
    wrapper.write_text("#!/bin/sh\necho 'comm.hpp:1: error: no cereal' >&2\nexit 1\n")
    wrapper.chmod(0o755)
    with pytest.raises(CommandError, match=r"comm.hpp:1: error: no cereal.*libcereal-dev"):
        build_ygm(tmp_path, str(tmp_path / "mpiexec.other"), tmp_path)


def test_a_missing_compiler_is_named(tmp_path):
    with pytest.raises(CommandError, match=r"there is no .*/mpicxx\.other"):
        build_ygm(tmp_path, str(tmp_path / "mpiexec.other"), tmp_path)
