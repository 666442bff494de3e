"""Made-up measuring programs (apps/measure): what they know is stated, what they measure too."""

import json


def answering(algorithms: dict[str, float], chosen: str, library: str = "", file: str = "") -> str:
    """A shell script whose rank 0 answers as apps/measure/request.hpp says; `algorithms` gives for
    each the nanoseconds of a call, which do not depend on the size."""
    listed = {
        "chosen": chosen,
        "chosen_parameters": "",
        "reason": "made up",
        "algorithms": [
            {"algorithm": name, "library_name": name, "value": number, "parameters": [],
             "unavailable": ""}
            for number, name in enumerate((one for one in algorithms if one != "native"), start=1)
        ],
    }  # fmt: skip
    measured = "".join(
        f"*'\"algorithm\": \"{name}\"'*) echo '{json.dumps(_samples(nanoseconds))}' ;;\n"
        for name, nanoseconds in algorithms.items()
    )
    machine = json.dumps(
        {
            "machine": "made up",
            "ranks": 0,
            "nodes_count": 1,
            "most_ranks_per_node": 0,
            "library": library,
            "library_file": file,
        }
    )
    return (
        "test ${TASUKI_RANK:-${OMPI_COMM_WORLD_RANK:-$PMI_RANK}} = 0 || exit 0\n"
        'while read -r line; do case "$line" in\n'
        f"*machine*) echo '{machine}' ;;\n"
        f"*'\"list\"'*) echo '{json.dumps(listed)}' ;;\n"
        f"{measured}"
        "*'\"end\"'*) exit 0 ;;\n"
        "esac; done"
    )


def _samples(nanoseconds: float) -> dict:
    samples = [nanoseconds * (1 + number / 1000) for number in range(-2, 3)]
    return {"samples_ns": samples, "right": True, "same_bits": True, "unavailable": ""}
