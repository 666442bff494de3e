"""`tasuki mpi-plugin`: builds the plug-ins of this machine's MPIs, and says what is missing."""

import shutil
from pathlib import Path

import pytest
from conftest import REPOSITORY, parse_envelope
from tasuki.base.programs import find_plugin, find_program

pytestmark = pytest.mark.skipif(find_program("tasuki_info") is None, reason="not built")
FIRST = find_program("example_first")
WITH_PLUGIN = [mpi for mpi in ("ompi", "mpich") if find_plugin(f"transport_mpi_{mpi}") is not None]


def tools_without(folder: Path, *names: str) -> str:
    """A PATH with all programs of this one but those named so."""
    folder.mkdir()
    for directory in ("/usr/bin", "/bin", "/usr/local/bin"):
        for program in Path(directory).iterdir():
            link = folder / program.name
            if not link.is_symlink() and not program.name.startswith(names):
                link.symlink_to(program)
    return str(folder)


@pytest.mark.skipif(not WITH_PLUGIN or FIRST is None, reason="no MPI, or not built")
def test_programs_find_the_plugin_that_is_built(tasuki, tmp_path):
    found = parse_envelope(tasuki("mpi-plugin", "--output", tmp_path / "new", "--json").stdout)
    built = {row["name"]: Path(row["value"]) for row in found["results"]}
    assert sorted(built) == sorted(WITH_PLUGIN)
    assert sorted((tmp_path / "new").iterdir()) == sorted(built.values())
    tasuki.environment["TASUKI_PLUGIN_DIR"] = str(tmp_path / "new")
    for mpi in built:
        result = tasuki("run", "-n", "2", "--transport", "mpi", "--mpi", mpi, "--", FIRST)
        assert "fib(20) = 6765" in result.stdout, result.stderr


@pytest.mark.skipif("mpich" not in WITH_PLUGIN, reason="no MPICH")
def test_only_the_mpi_of_the_compiler_that_is_named(tasuki, tmp_path):
    compiler = shutil.which("mpicxx.mpich") or "mpicxx"
    result = tasuki("mpi-plugin", "--mpi-compiler", compiler, "-o", tmp_path)
    assert result.returncode == 0, result.stderr
    assert [one.name for one in tmp_path.iterdir()] == ["transport_mpi_mpich.so"]


@pytest.mark.skipif(not WITH_PLUGIN or FIRST is None, reason="no MPI, or not built")
def test_a_missing_plugin_is_named_with_the_command_that_builds_it(tasuki, tmp_path):
    mpi = WITH_PLUGIN[0]
    tasuki.environment["TASUKI_PLUGIN_DIR"] = str(tmp_path)
    result = tasuki("run", "-n", "1", "--transport", "mpi", "--mpi", mpi, "--", FIRST)
    assert result.returncode != 0
    assert f"there is no transport_mpi_{mpi}.so in {tmp_path}" in result.stderr
    assert f"tasuki mpi-plugin --output {tmp_path}" in result.stderr


def test_the_package_builds_from_its_own_sources_into_its_own_folder(installed):
    """An installed package whose build scripts a made-up cmake takes the place of."""
    source = installed.package / "share/tasuki/src/transport/mpi/plugin"
    source.mkdir(parents=True)
    (source / "CMakeLists.txt").touch()
    home = installed.package / "lib/tasuki"
    said = f'{{"mpi_plugin_directories": [{{"directory": "{home}", "is_home": true}}]}}'
    installed.add_program("tasuki_info", f"echo '{said}'")
    installed.add_program(
        "cmake",
        'if [ "$1" = -S ]; then echo "ompi /opt/bin/mpicxx" >"$4/built.txt"; echo "$2" >"$4/from"\n'
        'else cp "$2/from" "$2/transport_mpi_ompi.so"; fi',
    )
    installed.environment["PATH"] = f"{installed.package / 'bin'}:{installed.environment['PATH']}"
    result = installed("mpi-plugin")
    assert result.returncode == 0, result.stderr
    assert "/opt/bin/mpicxx" in result.stdout
    assert (home / "transport_mpi_ompi.so").read_text().strip() == str(source)


def test_no_cmake(tasuki, tmp_path):
    tasuki.environment["PATH"] = tools_without(tmp_path / "tools", "cmake")
    result = tasuki("mpi-plugin", "-o", tmp_path / "new")
    assert result.returncode == 1
    assert "there is no cmake in the PATH. Remedy: apt install cmake" in result.stderr


def test_no_mpi_compiler(tasuki, tmp_path):
    tasuki.environment["PATH"] = tools_without(tmp_path / "tools", "mpi", "smpi")
    result = tasuki("mpi-plugin", "-o", tmp_path / "new", "--mpi-compiler", "mpicxx")
    assert result.returncode == 1
    assert "there is no compiler mpicxx. Remedy: name an mpicxx, or install" in result.stderr


def test_no_mpi_at_all(installed, tmp_path):
    """What is in the system's folders a made-up cmake hides."""
    (installed.package / "share/tasuki/src/transport/mpi/plugin").mkdir(parents=True)
    (installed.package / "share/tasuki/src/transport/mpi/plugin/CMakeLists.txt").touch()
    installed.add_program("cmake", 'if [ "$1" = -S ]; then : >"$4/built.txt"; fi')
    installed.environment["PATH"] = f"{installed.package / 'bin'}:{installed.environment['PATH']}"
    result = installed("mpi-plugin", "-o", tmp_path / "new")
    assert result.returncode == 1
    assert "no compiler wrapper of Open MPI or MPICH in the PATH. Remedy: install" in result.stderr


def test_a_compiler_that_is_of_no_mpi(tasuki, tmp_path):
    result = tasuki("mpi-plugin", "-o", tmp_path, "--mpi-compiler", "c++")
    assert result.returncode == 1
    assert "is no compiler of Open MPI or MPICH. Remedy: name its mpicxx" in result.stderr


def test_a_folder_that_cannot_be_written(tasuki, tmp_path):
    (tmp_path / "file").touch()
    result = tasuki("mpi-plugin", "-o", tmp_path / "file" / "folder")
    assert result.returncode == 1
    assert f"cannot write to {tmp_path}/file/folder: Not a directory" in result.stderr
    assert "set TASUKI_PLUGIN_DIR" in result.stderr


def test_a_build_that_fails_says_what_the_compiler_said(tasuki, tmp_path):
    tasuki.environment["CXX"] = "/nowhere/c++"
    result = tasuki("mpi-plugin", "-o", tmp_path)
    assert result.returncode == 1
    assert "/nowhere/c++" in result.stderr and "Remedy: install what is missing" in result.stderr


def test_what_is_installed_is_all_that_the_project_takes():
    """The installed project has the files that its sources include, and no others."""
    listed = (REPOSITORY / "src/transport/mpi/plugins.cmake").read_text()
    source = REPOSITORY / "src/transport/mpi/functions.hpp"
    todo, seen = [source], set()
    while todo:
        text = todo.pop().read_text()
        for line in text.splitlines():
            if line.startswith("#include <tasuki/"):
                header = line.split("<")[1].rstrip(">")
                if header not in seen:
                    seen.add(header)
                    todo.append(REPOSITORY / "include" / header)
    for header in seen:
        name = header.removeprefix("tasuki/detail/").removesuffix(".hpp")
        assert name in listed, f"install {header} for the plug-in in plugins.cmake"
