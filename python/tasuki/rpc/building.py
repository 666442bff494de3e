"""How a server builds the interface files that it is given, and where."""

from dataclasses import dataclass
from pathlib import Path

from tasuki.idl.build import build, is_up_to_date, long_bits_of, registration_of


@dataclass(frozen=True)
class Building:
    """`long` travels with `long_bits`; None leaves a program what it was built with.

    Programs are made below `folder`; None makes them beside their interface files.
    """

    long_bits: int | None = None
    folder: Path | None = None

    def folder_of(self, sources: Path) -> Path:
        """Where the programs of a folder of interface files are."""
        if self.folder is None:
            return sources
        # Files of one name in two folders are two programs.
        return self.folder / sources.resolve().relative_to("/")

    def registration_of(self, file: Path) -> Path:
        """Where the program of an interface file is, or will be, registered."""
        return registration_of(file, self.folder_of(file.parent))

    def registered(self, file: Path) -> Path:
        """The registration, after a build if the program is not there or is not as it should be.

        Raises CommandError or IdlError if it cannot be built.
        """
        registration = self.registration_of(file)
        long_bits = self.long_bits or long_bits_of(registration)
        if is_up_to_date(file, registration, long_bits):
            return registration
        return build(file, registration.parent, long_bits)
