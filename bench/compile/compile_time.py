"""What a program that uses Tasuki takes to compile: python bench/compile/compile_time.py

Prints the time of a program with one call, that of a program with nothing but the standard headers
that the first one includes, their ratio, and what each further call of a new type adds. These
headers are the ones that the compiler names for the program with one call: those that Tasuki's own
headers include, those that cereal's do, and what these bring along. Times are user times of the
compiler; all programs are compiled in turn, so that other load on the machine hits them alike, and
medians are printed.
"""

import argparse
import re
import resource
import statistics
import subprocess
import tempfile
from pathlib import Path

INCLUDE = Path(__file__).parents[2] / "include"
# A header of the standard library that users may include, as compilers name it.
STANDARD = re.compile(r"/c\+\+/\w+/([a-z_]+)(?=\s)")
FURTHER_CALLS = 10


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


def program_of_headers(compiler: list[str], source: Path) -> str:
    """Returns a program that includes the source's standard headers and does nothing."""
    asked = subprocess.run([*compiler, "-M", source], check=True, capture_output=True, text=True)
    headers = sorted(set(STANDARD.findall(asked.stdout)))
    return "".join(f"#include <{header}>\n" for header in headers) + "int main() {}\n"


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
    with tempfile.TemporaryDirectory() as name:
        sources = [Path(name) / f"{each}.cpp" for each in ("headers", "one_call", "further_calls")]
        sources[1].write_text(program_of_calls(1))
        sources[2].write_text(program_of_calls(1 + FURTHER_CALLS))
        sources[0].write_text(program_of_headers(compiler, sources[1]))
        standard, one, more = zip(
            *([user_s(compiler, each) for each in sources] for _ in range(options.repetitions)),
            strict=True,
        )

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
