"""Which MPI library a program loads: that of the mpiexec which starts it."""

from tasuki.launcher.mpi_library import library_path


def _installation(folder, *names):
    for name in ("bin/mpiexec", *names):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text("")
    return str(folder / "bin" / "mpiexec")


def test_the_library_beside_mpiexec_comes_first(tmp_path):
    mpiexec = _installation(tmp_path, "lib/libmpi.so.40")
    assert library_path("ompi", mpiexec, {}) == f"{tmp_path}/lib"
    before = {"LD_LIBRARY_PATH": "/other"}
    assert library_path("ompi", mpiexec, before) == f"{tmp_path}/lib:/other"


def test_the_system_finds_its_own(tmp_path):
    assert library_path("ompi", _installation(tmp_path), {}) is None


def test_mpich_is_found_by_each_of_its_names(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    mpiexec = _installation(tmp_path / "mpich", "lib/libmpi.so.12", "lib/mpich/libfabric.so.1")
    for _ in range(2):  # Also when the links are there already.
        links = library_path("mpich", mpiexec, {})
        assert links is not None
        for name in ("libmpi.so.12", "libmpich.so.12"):
            assert (tmp_path / "mpich/lib/libmpi.so.12").samefile(f"{links}/{name}")
        assert (tmp_path / "mpich/lib/mpich").samefile(f"{links}/mpich")
