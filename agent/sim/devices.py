"""Simulated devices: what a device is and how its state changes, without any network.

A device has one state, a literal of its domain. Everything that happens to a device is an event in one list, in
order, so that a run can be told and compared afterwards. Nothing here reads a clock or draws chance.
"""

from collections.abc import Iterator
from typing import Literal as OneOf
from typing import Protocol, TypeAlias

from msgspec import Struct, field

from agent.rdf.terms import IRI, RDF_TYPE, XSD_DECIMAL, XSD_INTEGER, Literal, Triple
from agent.vocab import RDFS

SOSA = "http://www.w3.org/ns/sosa/"
HAS_SIMPLE_RESULT = IRI(SOSA + "hasSimpleResult")

LONGEST_NUMBER = 20
"""Characters; what is longer is no reading of a device."""

Role: TypeAlias = OneOf["sensor", "actuator"]


class Domain(Protocol):
    """The states a device can have."""

    def read(self, text: str) -> Literal | None:
        """Return the state that ``text`` means, or nothing if it means none."""
        ...

    def __str__(self) -> str:
        """Return the states as a reader of an error message wants them."""
        ...


class Choice(Struct, frozen=True):
    """One of a few words."""

    words: tuple[str, ...]

    def read(self, text: str) -> Literal | None:
        """Return the word."""
        return Literal(text) if text in self.words else None

    def __str__(self) -> str:
        """Return the words, quoted."""
        return " or ".join(f'"{word}"' for word in self.words)


class Share(Struct, frozen=True):
    """A decimal number from 0 to 1."""

    def read(self, text: str) -> Literal | None:
        """Return the number as an xsd:decimal."""
        number = _decimal(text)
        return number if number is not None and float(text) <= 1 else None

    def __str__(self) -> str:
        """Return the bounds."""
        return "a number from 0 to 1"


class Degrees(Struct, frozen=True):
    """A temperature in degrees Celsius, a decimal number."""

    def read(self, text: str) -> Literal | None:
        """Return the temperature as an xsd:decimal."""
        number = _decimal(text.removeprefix("-"))
        return number and Literal("-" * text.startswith("-") + number.lexical, XSD_DECIMAL)

    def __str__(self) -> str:
        """Return an example."""
        return "a temperature in degrees Celsius, such as 21.5"


class Count(Struct, frozen=True):
    """How many there are: a whole number from 0."""

    def read(self, text: str) -> Literal | None:
        """Return the number as an xsd:integer."""
        return Literal(text, XSD_INTEGER) if _is_digits(text) and len(text) <= LONGEST_NUMBER else None

    def __str__(self) -> str:
        """Return the bound."""
        return "a whole number from 0"


def _decimal(text: str) -> Literal | None:
    """Return the unsigned decimal number that ``text`` writes, or nothing."""
    whole, point, fraction = text.partition(".")
    if not _is_digits(whole) or (point and not _is_digits(fraction)) or len(text) > LONGEST_NUMBER:
        return None
    return Literal(text if point else f"{text}.0", XSD_DECIMAL)


def _is_digits(text: str) -> bool:
    return text.isdecimal() and text.isascii()


class Happening(Struct, frozen=True):
    """``device`` was set to ``state`` by ``actor``: "script" for the environment, "http" for a request."""

    device: str
    state: str
    actor: OneOf["script", "http"]


class Device(Struct):
    """One device. ``name`` is the last segment of its path, ``label`` what people call it.

    ``version`` grows with every change that was asked for, also when the new state equals the old one.
    """

    name: str
    label: str
    role: Role
    domain: Domain
    state: Literal
    version: int = 1

    def describe(self, uri: str, state: Literal) -> list[Triple]:
        """Return the document at ``uri`` of the device in ``state``, in terms of SOSA (W3C SSN, 2017)."""
        it, now = IRI(f"{uri}#it"), IRI(f"{uri}#state")
        kind, act, made_by = (
            ("Sensor", "Observation", "madeBySensor")
            if self.role == "sensor"
            else ("Actuator", "Actuation", "madeByActuator")
        )
        return [
            Triple(it, RDF_TYPE, IRI(SOSA + kind)),
            Triple(it, IRI(RDFS + "label"), Literal(self.label)),
            Triple(now, RDF_TYPE, IRI(SOSA + act)),
            Triple(now, IRI(SOSA + made_by), it),
            Triple(now, HAS_SIMPLE_RESULT, state),
        ]


class Devices(Struct):
    """The devices of one place, by name, and all that happened to them."""

    members: dict[str, Device]
    happenings: list[Happening] = field(default_factory=list)

    def __iter__(self) -> Iterator[Device]:
        """Yield the devices in the order they were put up."""
        return iter(self.members.values())

    def get(self, name: str) -> Device | None:
        """Return the device called ``name``, or nothing."""
        return self.members.get(name)

    def set(self, name: str, state: Literal, actor: OneOf["script", "http"]) -> None:
        """Put the device ``name`` into ``state``."""
        device = self.members[name]
        device.state = state
        device.version += 1
        self.happenings.append(Happening(name, state.lexical, actor))


def devices_of(*members: Device) -> Devices:
    """Return ``members`` as the devices of one place."""
    return Devices({device.name: device for device in members})
