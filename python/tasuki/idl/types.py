"""The scalar types of the language: how each is spelled, and what of it travels."""

from dataclasses import dataclass

LONG_BITS = (32, 64)  # What `long` may have when it travels; the first is Ninf's.


@dataclass(frozen=True)
class ScalarType:
    """A type that an argument, or each element of an array, has.

    `name` is that of C. `wire` says what travels: a dtype of numpy ("float64"), "text" for a
    string, or "file" for the contents of a named file. `wire_bytes` is 0 where the length varies.
    """

    name: str
    wire: str
    wire_bytes: int

    @property
    def is_number(self) -> bool:
        return self.wire_bytes > 0

    @property
    def is_integer(self) -> bool:
        return self.wire.startswith(("int", "uint"))


# Name in C, wire, bytes, and every set of words that means it.
_TABLE: tuple[tuple[str, str, int, tuple[str, ...]], ...] = (
    ("char", "int8", 1, ("char",)),
    ("signed char", "int8", 1, ("signed char",)),
    ("unsigned char", "uint8", 1, ("unsigned char",)),
    ("short", "int16", 2, ("short", "short int", "signed short", "signed short int")),
    ("unsigned short", "uint16", 2, ("unsigned short", "unsigned short int")),
    ("int", "int32", 4, ("int", "signed", "signed int")),
    ("unsigned int", "uint32", 4, ("unsigned", "unsigned int")),
    ("long", "int32", 4, ("long", "long int", "signed long", "signed long int")),
    ("unsigned long", "uint32", 4, ("unsigned long", "unsigned long int")),
    (
        "long long", "int64", 8,
        ("long long", "long long int", "signed long long", "signed long long int"),
    ),
    ("unsigned long long", "uint64", 8, ("unsigned long long", "unsigned long long int")),
    ("int8_t", "int8", 1, ("int8_t",)),
    ("int16_t", "int16", 2, ("int16_t",)),
    ("int32_t", "int32", 4, ("int32_t",)),
    ("int64_t", "int64", 8, ("int64_t",)),
    ("uint8_t", "uint8", 1, ("uint8_t",)),
    ("uint16_t", "uint16", 2, ("uint16_t",)),
    ("uint32_t", "uint32", 4, ("uint32_t",)),
    ("uint64_t", "uint64", 8, ("uint64_t",)),
    ("float", "float32", 4, ("float",)),
    ("double", "float64", 8, ("double", "long float")),
    ("scomplex", "complex64", 8, ("scomplex",)),
    ("dcomplex", "complex128", 16, ("dcomplex",)),
    ("string", "text", 0, ("string",)),
    ("filename", "file", 0, ("filename",)),
)  # fmt: skip
_LONG_64 = {
    "long": ScalarType("long", "int64", 8),
    "unsigned long": ScalarType("unsigned long", "uint64", 8),
}

_BY_WORDS = {
    tuple(sorted(spelling.split())): ScalarType(name, wire, wire_bytes)
    for name, wire, wire_bytes, spellings in _TABLE
    for spelling in spellings
}
_BY_NAME_AND_WIRE = {(one.name, one.wire): one for one in (*_BY_WORDS.values(), *_LONG_64.values())}
TYPE_WORDS = frozenset(word for words in _BY_WORDS for word in words)


def type_of_words(words: list[str], long_bits: int) -> ScalarType | None:
    """The type that the words mean in whatever order, or None if they mean none.

    `long` and `unsigned long` travel with `long_bits`, one of LONG_BITS.
    """
    found = _BY_WORDS.get(tuple(sorted(words)))
    if found is not None and long_bits == 64:
        return _LONG_64.get(found.name, found)
    return found


def type_of_name(name: str, wire: str) -> ScalarType | None:
    """The type with this name that travels as `wire`, or None if there is none."""
    return _BY_NAME_AND_WIRE.get((name, wire))
