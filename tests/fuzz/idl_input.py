"""What is done with an input that libFuzzer or the kept corpus has for interface files."""

import json

from tasuki.idl.errors import IdlError
from tasuki.idl.interface import module_from_json, module_to_json
from tasuki.idl.parser import parse_text


def parse(data: bytes) -> None:
    """Any text is a module, which means the same when it is described and read again, or it is
    refused with its mistakes."""
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
