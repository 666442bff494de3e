"""Interface files under libFuzzer (atheris): any text is a module, or refused with its mistakes.

idl_fuzz.py CORPUS... [-max_total_time=SECONDS] takes libFuzzer's arguments.
"""

import sys
from pathlib import Path

import atheris

# The finder of an editable installation gives atheris no code to instrument.
sys.meta_path[:] = [one for one in sys.meta_path if one.__module__.startswith("_frozen")]
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))

with atheris.instrument_imports(include=["tasuki.idl"]):
    from idl_input import parse

if __name__ == "__main__":
    atheris.Setup(sys.argv, parse)
    atheris.Fuzz()
