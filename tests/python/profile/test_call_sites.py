"""Names of call sites, from programs and libraries as compilers make them."""

import shutil
import subprocess
from pathlib import Path

import pytest
from tasuki.profile.call_sites import SiteName, name_alone, named_sites, segments_of
from tasuki.profile.job_events import Site

SOURCE = """
namespace solver { int step(int n) { return n + 1; } }
int main() { return solver::step(-1); }
"""


def compiled(folder: Path, *options: str) -> Path:
    path = folder / "module"
    command = [shutil.which("c++"), "-xc++", "-", "-o", path, *options]
    subprocess.run(command, input=SOURCE, text=True, check=True)
    return path


def site_in(module: Path, symbol: str) -> Site:
    """A site shortly behind the beginning of the function, as a call there would have."""
    listed = subprocess.run(["nm", module], capture_output=True, text=True, check=True).stdout
    symbols = (line.split() for line in listed.splitlines())
    address = next(int(words[0], 16) for words in symbols if words[-1] == symbol)
    return Site(str(module), address - segments_of(module).first_address + 4)


@pytest.mark.parametrize("options", [("-no-pie",), ("-pie", "-fPIE"), ("-shared", "-fPIC")])
def test_functions_have_their_cpp_names(tmp_path, options):
    module = compiled(tmp_path, *options)
    assert (segments_of(module).first_address > 0) is (options == ("-no-pie",))
    (name,) = named_sites([site_in(module, "_ZN6solver4stepEi")])
    assert name.function == "solver::step(int)"
    assert name.text == "solver::step in module"


@pytest.mark.parametrize(
    ("function", "name"),
    [
        ("main", "main"),
        ("solve_", "solve_"),
        ("int solver::step<double, std::vector<int> >(int, void (*)(int)) const", "solver::step"),
        ("a::(anonymous namespace)::Halo<a::Grid>::operator()(a::Grid&) const",
         "a::(anonymous)::Halo::operator()"),
        ("A& operator<<(A&, int)", "A& operator<<(A&, int)"),
        ("Handle::operator bool() const", "Handle::operator bool() const"),
        ("main::{lambda(int)#1}::operator()(int) const", "main::{lambda#1}::operator()"),
        ("f(int) [clone .isra.0]", "f"),
    ],
)  # fmt: skip
def test_names_alone(function, name):
    assert name_alone(function) == name


def test_places_are_files_and_lines(tmp_path):
    module = compiled(tmp_path, "-g")
    (name,) = named_sites([site_in(module, "_ZN6solver4stepEi")])
    assert name.place.endswith(":2")
    assert name.text.startswith("solver::step (") and name.text.endswith(":2)")


def test_what_has_no_symbols_has_its_offset(tmp_path):
    module = compiled(tmp_path)
    site = site_in(module, "main")
    subprocess.run(["strip", module], check=True)
    assert named_sites([site])[0].text == f"module+{site.offset:#x}"


def test_modules_that_cannot_be_read(tmp_path):
    (tmp_path / "text").write_text("no program")
    sites = [Site("/nowhere/lib.so", 16), Site(str(tmp_path / "text"), 32), Site("", 48)]
    names = [one.text for one in named_sites(sites)]
    assert names == ["lib.so+0x10", "text+0x20", "0x30"]


def test_many_sites_of_several_modules_keep_their_order(tmp_path):
    module = compiled(tmp_path, "-g")
    step, main = site_in(module, "_ZN6solver4stepEi"), site_in(module, "main")
    found = named_sites([main, Site("gone", 1), step, main])
    assert [one.function for one in found] == ["main", "", "solver::step(int)", "main"]
    assert found[1] == SiteName("gone", 1, "", "")
