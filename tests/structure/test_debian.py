"""debian/ says what the rest of the project says."""

import re

from sources import ROOT

DEBIAN = ROOT / "debian"


def test_the_version_is_the_project_s() -> None:
    (version,) = re.findall(r"project\(tasuki VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())
    assert (DEBIAN / "changelog").read_text().startswith(f"tasuki ({version}) ")


def test_the_guide_describes_each_package() -> None:
    packages = re.findall(r"^Package: (\S+)", (DEBIAN / "control").read_text(), re.MULTILINE)
    guide = (ROOT / "docs" / "guide" / "README.md").read_text()
    section = guide.partition("## As Debian packages")[2]
    assert sorted(re.findall(r"`([\w-]+)`", "".join(re.findall(r"^\| .*?\|", section, re.M)))) == (
        sorted(packages)
    )


def test_the_library_s_package_has_the_number_of_its_binary_interface() -> None:
    declared = (ROOT / "src" / "rpc" / "CMakeLists.txt").read_text()
    (number,) = re.findall(r"TASUKI_BINARY_INTERFACE (\d+)", declared)
    assert f"\nPackage: libtasuki{number}\n" in (DEBIAN / "control").read_text()
