"""What an MPI library says of the algorithms of its collectives: its settings before MPI_Init.

What is set is told, not what was done: no library says which algorithm a call has used, and where a
set one does not apply a library takes another. What the settings do not tell is not known.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

SUFFIX = ".settings"
NOT_TOLD = "library: not told"
# Of Open MPI: those that take part in no collective of several ranks of one communicator by
# themselves, whatever their priority. `self` is for a rank alone, `inter` for intercommunicators,
# the others hand the call on.
_NEVER_CHOSEN = ("accelerator", "cuda", "inter", "monitoring", "self", "sync")
# The values by which a library chooses by itself.
_OWN_CHOICE = ("ignore", "auto")
_ON = ("1", "true")
_RULES_OF_MPICH = (
    "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE",
    "MPIR_CVAR_CH4_COLL_SELECTION_TUNING_JSON_FILE",
    "MPIR_CVAR_CH4_POSIX_COLL_SELECTION_TUNING_JSON_FILE",
)
# Of MPIR_CVAR_DEVICE_COLLECTIVES: all and none. Otherwise each collective has a setting for that.
_ALWAYS, _NEVER = "0", "1"


class LibrarySettings:
    """The values of the library's variables by name; none where it was not asked."""

    def __init__(self, values: Mapping[str, str]) -> None:
        self._values = values

    @classmethod
    def beside(cls, events: Iterable[Path]) -> "LibrarySettings":
        """Those that the first rank that has any has written beside its events."""
        for path in (one.with_suffix(SUFFIX) for one in events):
            if path.is_file():
                lines = path.read_text(errors="replace").splitlines()
                return cls({name: text for name, _, text in (one.partition(" ") for one in lines)})
        return cls({})

    def algorithm_of(self, function: str) -> str:
        """What carries out the collective, as in MPI_Allreduce, in words."""
        name = function.removeprefix("MPI_").removesuffix("_c").lower()
        for tell in (self._by_tuned, self._by_libnbc, self._by_mpich):
            if told := tell(name):
                return f"library: {told}"
        return NOT_TOLD

    def _by_tuned(self, name: str) -> str | None:
        """Open MPI's blocking collectives, which its component `tuned` chooses algorithms for."""
        setting = f"coll_tuned_{name}_algorithm"
        value = self._values.get(setting)
        if value is None:
            return None
        if not self._may_be_component("tuned"):
            return f"its own choice (coll: {self._values['coll']})"
        rules = self._values.get("coll_tuned_dynamic_rules_filename", "")
        if self._values.get("coll_tuned_use_dynamic_rules") not in _ON or (
            value in _OWN_CHOICE and not rules
        ):
            return "its own choice (auto)"
        told = f"by the rules in {rules}" if value in _OWN_CHOICE else f"{value} (set by {setting})"
        before = self._before_tuned()
        return f"{told}, if not {' or '.join(before)}" if before else told

    def _by_libnbc(self, name: str) -> str | None:
        """Open MPI's non-blocking collectives."""
        return self._as_set(f"coll_libnbc_{name}_algorithm")

    def _by_mpich(self, name: str) -> str | None:
        setting = f"MPIR_CVAR_{name.upper()}_INTRA_ALGORITHM"
        value = self._values.get(setting)
        if value is None or value in _OWN_CHOICE:
            files = [self._values.get(one, "") for one in _RULES_OF_MPICH]
            rules = " and ".join(filter(None, files))
            return f"by the rules in {rules}" if value and rules else self._as_set(setting)
        told = self._as_set(setting)
        return f"{told}, if not the device's" if self._may_be_device(name) else told

    def _as_set(self, setting: str) -> str | None:
        value = self._values.get(setting)
        if value is None:
            return None
        return "its own choice (auto)" if value in _OWN_CHOICE else f"{value} (set by {setting})"

    def _may_be_component(self, component: str) -> bool:
        """Does `coll`, a list of components or of those to be left out, allow it?"""
        listed = self._values.get("coll", "")
        names = listed.lstrip("^").split(",")
        return not listed or (component in names) != listed.startswith("^")

    def _before_tuned(self) -> list[str]:
        """Components that are asked before `tuned`, by the library's own priorities."""
        suffix, prefix = "_priority", "coll_"
        found = {
            name.removeprefix(prefix).removesuffix(suffix): int(value)
            for name, value in self._values.items()
            if name.startswith(prefix) and name.endswith(suffix) and value.lstrip("-").isdigit()
        }
        own = found.get("tuned", 0)
        return sorted(
            name
            for name, priority in found.items()
            if priority > own and name not in _NEVER_CHOSEN and self._may_be_component(name)
        )

    def _may_be_device(self, name: str) -> bool:
        """May MPICH's device carry the collective out in its own way?"""
        which = self._values.get("MPIR_CVAR_DEVICE_COLLECTIVES", _NEVER)
        own = self._values.get(f"MPIR_CVAR_{name.upper()}_DEVICE_COLLECTIVE", "0")
        return which == _ALWAYS or (which != _NEVER and own != "0")
