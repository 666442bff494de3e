"""Interface files under libFuzzer (atheris): any text is a module, or refused with its mistakes.

idl_fuzz.py CORPUS... [-max_total_time=SECONDS] takes libFuzzer's arguments.
"""

import json
import sys
from pathlib import Path

import atheris

# The finder of an editable installation gives atheris no code to instrument.
sys.meta_path[:] = [one for one in sys.meta_path if one.__module__.startswith("_frozen")]
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python"))

with atheris.instrument_imports(include=["tasuki.idl"]):
    from tasuki.idl.errors import IdlError
    from tasuki.idl.interface import module_from_json, module_to_json
    from tasuki.idl.parser import parse_text


def parse(data: bytes) -> None:
    text = data.decode("utf-8", "surrogateescape")
    if "#" in text:
        return  # A compiler reads preprocessor directives, in a process of its own.
    try:
        module = parse_text(text)
    except IdlError as fault:
        assert str(fault)
        return
    described = json.loads(json.dumps(module_to_json(module)))
    assert module_to_json(module_from_json(described)) == described


if __name__ == "__main__":
    atheris.Setup(sys.argv, parse)
    atheris.Fuzz()
