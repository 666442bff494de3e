"""What a program that uses Tasuki takes to compile: python bench/compile/compile_time.py

Prints the time of a program with one call, that of a program with nothing but the standard headers
that Tasuki's headers include, their ratio, and what each further call of a new type adds. Times
are user times of the compiler; all programs are compiled in turn, so that other load on the machine
hits them alike, and medians are printed.
"""

import argparse
import re
import resource
import statistics
import subprocess
import tempfile
from pathlib import Path

INCLUDE = Path(__file__).parents[2] / "include"
INCLUDED = re.compile(r"^#include <([^>]+)>", re.MULTILINE)
FURTHER_CALLS = 10


def standard_headers(header: Path, seen: set[Path]) -> set[str]:
    """Returns the standard headers that a header of the project includes, also through others."""
    seen.add(header)
    found = set()
    for name in INCLUDED.findall(header.read_text()):
        own = INCLUDE / name
        if own.is_file():
            found |= standard_headers(own, seen) if own not in seen else set()
        elif "/" not in name:
            found.add(name)
    return found


def program_of_headers() -> str:
    """Returns a program that includes the standard headers and does nothing."""
    headers = sorted(standard_headers(INCLUDE / "tasuki/tasuki.hpp", set()))
    return "".join(f"#include <{header}>\n" for header in headers) + "int main() {}\n"


def program_of_calls(count: int) -> str:
    """Returns a program that calls so many functions, each with a type of its own."""
    functions = "".join(
        f"struct Value{i} {{ int numbers[{i + 1}]; }};\n"
        f"Value{i} function{i}(Value{i} value, double) {{ return value; }}\n"
        for i in range(count)
    )
    calls = "".join(
        f'    std::printf("%d\\n", tasuki::invoke(0, function{i}, Value{i}{{}}, 1.0).numbers[0]);\n'
        for i in range(count)
    )
    return (
        f"#include <tasuki/tasuki.hpp>\n#include <cstdio>\n{functions}"
        "int main(int argc, char** argv) {\n"
        f"  return tasuki::run(argc, argv, [] {{\n{calls}  }});\n}}\n"
    )


def user_s(compiler: list[str], source: Path) -> float:
    """Compiles the source. Returns: the user time that it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    subprocess.run([*compiler, "-c", source, "-o", "/dev/null"], check=True)
    return resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before


def main() -> None:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--optimize", default="-O2", help="the compiler's option")
    parser.add_argument("--repetitions", type=int, default=9)
    options = parser.parse_args()
    compiler = [options.compiler, "-std=c++20", options.optimize, f"-I{INCLUDE}"]
    programs = {
        "standard headers": program_of_headers(),
        "one call": program_of_calls(1),
        "further calls": program_of_calls(1 + FURTHER_CALLS),
    }
    times: dict[str, list[float]] = {name: [] for name in programs}
    with tempfile.TemporaryDirectory() as folder:
        for name, text in programs.items():
            (Path(folder) / f"{name}.cpp").write_text(text)
        for _ in range(options.repetitions):
            for name in programs:
                times[name].append(user_s(compiler, Path(folder) / f"{name}.cpp"))

    standard, one, more = (times[name] for name in programs)
    ratios = [with_call / without for with_call, without in zip(one, standard, strict=True)]
    added_ms = [
        (last - first) / FURTHER_CALLS * 1000 for last, first in zip(more, one, strict=True)
    ]
    print(f"standard headers  {statistics.median(standard):6.2f} s")
    print(f"one call          {statistics.median(one):6.2f} s")
    print(f"ratio             {statistics.median(ratios):6.2f}")
    print(f"each further call {statistics.median(added_ms):6.0f} ms")


if __name__ == "__main__":
    main()
