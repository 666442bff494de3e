"""The JSON that servers and clients exchange says all that the file says."""

import copy
import json
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from listings import APLINPACK, DMMUL
from tasuki.idl.errors import IdlError, InterfaceError
from tasuki.idl.interface import (
    module_from_json,
    module_from_text,
    module_to_json,
    routine_from_json,
    routine_to_json,
)
from tasuki.idl.parser import parse_text

EVERYTHING = """\
Module all; Library "-lm"; CompileOptions "-O2"; Compiler "cc"; Linker "ld";
FortranFormat "%l"; FortranStringConvention JUSTAFTER; Globals { int g; }
Define f(IN int n, INOUT distribute(CYCLIC(n), *, BLOCK(2)) onto grid(2, n / 2)
        double a[n][-n ? 2 : 3:n ^ 2, 5, 1][4], IN string s, OUT filename t, WORK char w[n],
        OUT allocate long *x, g(IN dcomplex c[n], OUT unsigned char *d))
    "text" Required "a.o" Backend "MPI" Language "C++" Shrink "yes" CalcOrder n * n Alias g2
{ body("}"); }
DefClass K "class" Required "k.o" { DefState { int s; } DefMethod m() Calls "Fortran" m(); }
Define p(IN int n) Calls "python" "a.b:c";
"""
FILES = [DMMUL, APLINPACK, EVERYTHING, ""]


@pytest.mark.parametrize("text", FILES)
@pytest.mark.parametrize("long_bits", [32, 64])
def test_modules_are_read_back(text, long_bits):
    module = parse_text(text, long_bits=long_bits)
    assert module_from_text(json.dumps(module_to_json(module))) == module


def test_clients_need_no_parser():
    program = "import sys, tasuki.idl.interface, tasuki.idl.shapes; print('lark' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "False\n", done.stderr


def test_a_routine_is_read_back():
    routine = parse_text(APLINPACK).routines[0]
    assert routine_from_json(json.loads(json.dumps(routine_to_json(routine)))) == routine


def test_a_parameter_as_documented():
    routine = parse_text("Define f(mode_in distribute(BLOCK, *) long A[n][8 * n:n], IN int n) { }")
    assert routine_to_json(routine.routines[0])["parameters"][0] == {
        "kind": "value",
        "name": "A",
        "mode": "in",
        "type": "long",
        "wire": "int32",
        "dimensions": [
            {"size": "n", "lower": 0, "upper": "n", "step": 1},
            {"size": ["*", 8, "n"], "lower": 0, "upper": "n", "step": 1},
        ],
        "distribution": {"divisions": [["BLOCK"], ["*"]], "grid": []},
        "placement": "usual",
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "interface: no JSON: "),
        ("[" * 100000, "interface: the JSON is nested too deeply"),
        ("[]", "interface: the whole must be an object"),
        ("{}", "interface: there is no interface"),
        ('{"interface": true}', "interface: interface must be a whole number"),
        ('{"interface": 2}', "interface: version 2, and this Tasuki knows 1"),
    ],
)
def test_other_text_is_refused(text, said):
    with pytest.raises(InterfaceError) as raised:
        module_from_text(text)
    assert str(raised.value).startswith(said)


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (["extra"], 1, "interface: there is an unknown extra"),
        (["routines", 0, "name"], "f()", "interface: routines[0].name must be a name"),
        (["routines", 0, "text"], 1, "interface: routines[0].text must be a text"),
        (["routines", 0, "shrink"], 1, "routines[0].shrink must be true or false"),
        (["routines", 0, "backend"], "PVM", "routines[0].backend must be one of normal, MPI, BL"),
        (["routines", 0, "parameters", 0, "mode"], "up", "must be one of in, out, inout, work"),
        (["routines", 0, "parameters", 0, "wire"], "int8", "is no known type: long as int8"),
        (["routines", 0, "parameters", 0, "kind"], "x", 'must be "value" or "callback"'),
        (["routines", 0, "parameters", 1, "name"], "n", "there is another argument n"),
        (
            ["routines", 0, "parameters", 1, "distribution"], {},
            "there is no routines[0].parameters[1].distribution.divisions",
        ),
        (["routines", 0, "implementation", "kind"], "x", 'must be "c" or "calls"'),
        (["routines", 0, "implementation", "target"], "a;b", "target must be a name"),
        (["routines", 0, "implementation", "arguments"], ["z"], "z is no argument of this routine"),
        (["routines", 0, "calc_order"], ["!"], "interface: ['!'] is no expression"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_named(path, value, said):
    changed = module_to_json(parse_text(DMMUL))
    at = changed
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = value
    with pytest.raises(InterfaceError) as raised:
        module_from_json(changed)
    assert said in str(raised.value)


def places_of(value, path=()):
    """The path of every value inside a JSON value."""
    steps = value if isinstance(value, dict) else range(len(value) if type(value) is list else 0)
    for step in steps:
        yield (*path, step)
        yield from places_of(value[step], (*path, step))


WHOLE = module_to_json(parse_text(EVERYTHING))
OTHERS = [None, True, -1, 1.5, "", "n", "x y", [], ["*"], ["+", 1, 2], {}, 10**30]


@settings(max_examples=300, deadline=None)
@given(some.sampled_from(sorted(places_of(WHOLE), key=str)), some.sampled_from(OTHERS))
def test_damaged_json_raises_nothing_else(path, other):
    changed = copy.deepcopy(WHOLE)
    at = changed
    for step in path[:-1]:
        at = at[step]
    at[path[-1]] = other
    try:
        again = module_to_json(module_from_json(changed))
    except IdlError:
        return
    assert again == changed
