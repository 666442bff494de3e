"""The generated header of the standard's binary interface says what an MPI's own header says."""

import subprocess
import sys
from pathlib import Path

from mpis import ABI_HEADER

ROOT = Path(__file__).resolve().parents[3]
GENERATOR = ROOT / "src" / "mpi" / "shim" / "generate.py"


def test_constants_are_those_of_an_mpi(tmp_path: Path) -> None:
    subprocess.run([sys.executable, GENERATOR, tmp_path, "x86_64"], check=True)
    generated = (tmp_path / "abi" / "mpi.h").read_text()
    constants = [line.split()[1] for line in generated.splitlines() if line.startswith("#define")]
    assert len(constants) > 20
    programs = []
    for name, header in (("own", tmp_path / "abi" / "mpi.h"), ("other", ABI_HEADER)):
        lines = [f'  printf("{one} %ld\\n", (long){one});' for one in constants]
        lines.append('  printf("status %zu %zu\\n", sizeof(MPI_Status), sizeof(MPI_Count));')
        source = tmp_path / f"{name}.cpp"
        text = [f'#include "{header}"', "#include <cstdio>", "int main() {", *lines, "}"]
        source.write_text("\n".join(text))
        programs.append(tmp_path / name)
        # Nothing is called: the functions of the interface are declared, no library is needed.
        command = ["g++", "-w", "-O1", source, "-o", programs[-1]]
        subprocess.run(command, check=True)
    own, other = (subprocess.check_output(program, text=True) for program in programs)
    assert own == other
