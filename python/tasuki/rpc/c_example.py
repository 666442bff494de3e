"""An example of a call in C that can be copied."""

import math

from tasuki.idl.model import Mode, Parameter, Routine
from tasuki.idl.shapes import shape_of
from tasuki.rpc.examples import example_scalar, example_sizes

# Types that C's header <stdint.h> names otherwise than numpy.
_TYPES_IN_C = {
    "float32": "float",
    "float64": "double",
    "complex64": "float complex",
    "complex128": "double complex",
}
_WORDS_OF_C = frozenset(
    """auto break case char const continue default do double else enum extern float for goto if
    inline int long register restrict return short signed sizeof static struct switch typedef union
    unsigned void volatile while client arguments report main i complex I""".split()
)


def c_example(url: str, module: str, routine: Routine) -> str:
    """A program that calls the routine and prints the call's report.

    Returns: "" if no small sizes make shapes of all arrays, or an argument is no number.
    """
    sizes = example_sizes(routine)
    passed = [one for one in routine.values if one.mode is not Mode.WORK]
    is_of_numbers = len(routine.values) == len(routine.parameters) and all(
        one.type.wire_bytes > 0 for one in passed
    )
    if sizes is None or not is_of_numbers:
        return ""
    shapes = shape_of(routine, sizes)
    lines = [
        "#include <complex.h>",
        "#include <stdint.h>",
        "#include <stdio.h>",
        "#include <stdlib.h>",
        "#include <tasuki/client.h>",
        "",
        "int main(void) {",
        f'  tasuki_client* client = tasuki_client_open("{url}");',
        "  if (client == NULL) {",
        '    fprintf(stderr, "%s\\n", tasuki_client_error_text());',
        "    return 1;",
        "  }",
    ]
    for one in passed:
        size = None if one.is_scalar else math.prod(shapes[one.name].sizes)
        lines += _declaration_in_c(one, size, sizes)
    entries = (
        f'{"&" if one.is_scalar else ""}{_variable_in_c(one)}, "{one.type.wire}"' for one in passed
    )
    lines += ["  const tasuki_argument arguments[] = {", *(f"      {{{one}}}," for one in entries)]
    name = f"{module}/{routine.name}"
    lines += [
        "  };",
        f'  const char* report = tasuki_client_call_routine(client, "{name}", arguments,'
        f" {len(passed)});",
        "  puts(report != NULL ? report : tasuki_client_error_text());",
        "  tasuki_client_close(client);",
        "  return report == NULL;",
        "}",
    ]
    return "\n".join(lines)


def _variable_in_c(parameter: Parameter) -> str:
    return f"{parameter.name}_" if parameter.name in _WORDS_OF_C else parameter.name


def _declaration_in_c(parameter: Parameter, size: int | None, sizes: dict[str, int]) -> list[str]:
    """Lines that define a scalar, or an array of `size` elements with values if it is sent."""
    wire = parameter.type.wire
    type_name = _TYPES_IN_C.get(wire, f"{wire}_t")
    name = _variable_in_c(parameter)
    if size is None:
        return [f"  {type_name} {name} = {example_scalar(parameter, sizes)};"]
    lines = [f"  static {type_name} {name}[{max(size, 1)}];"]
    if parameter.mode.travels_to_server and size > 0:
        value = "1" if wire not in _TYPES_IN_C else "rand() / (double)RAND_MAX"
        lines.append(f"  for (int i = 0; i < {size}; ++i) {name}[i] = {value};")
    return lines
