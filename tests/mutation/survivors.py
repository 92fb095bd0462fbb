"""Read the list of equivalent mutants, and check that it fits the code."""

import tomllib
from collections.abc import Iterable, Mapping
from itertools import groupby
from pathlib import Path

from tests.mutation.mutants import Key, Mutant, module_name, mutants

SURVIVORS_FILE = Path(__file__).with_name("survivors.toml")


def known_survivors() -> dict[Key, str]:
    """Return why each listed mutant is equivalent to the program, by the key of the mutant."""
    entries = tomllib.loads(SURVIVORS_FILE.read_text(encoding="utf-8"))["survivor"]
    return {
        (entry["function"], entry["fault"], entry["number"], entry["of"]): entry["why"] for entry in entries
    }


def mutants_of_listed(listed: Iterable[Key], files: Iterable[str]) -> list[Mutant]:
    """Return all mutants of the files whose module names occur in the list."""
    names = {function.split(".")[0] for function, *_ in listed}
    return [mutant for file in files if module_name(file) in names for mutant in mutants(file)]


def stale_entries(listed: Mapping[Key, str], candidates: Iterable[Mutant]) -> list[str]:
    """Return a sentence for every listed mutant that fits none of the candidates, or several."""
    by_function: dict[str, list[Mutant]] = {}
    for mutant in candidates:
        by_function.setdefault(mutant.key[0], []).append(mutant)
    sentences = []
    for function, fault, number, count in listed:
        in_function = by_function.get(function, [])
        files = [file for file, _ in groupby(in_function, key=lambda mutant: mutant.file)]
        current_count = sum(mutant.key[1] == fault for mutant in in_function)
        entry = f"{function}: '{fault}', {number} of {count},"
        if not in_function:
            sentences.append(f"{entry} is listed, but there is no such function or nothing to change in it.")
        elif len(files) > 1:
            sentences.append(f"{entry} is listed, but the function is in {' and in '.join(files)}.")
        elif current_count != count:
            sentences.append(f"{entry} is listed, but the function has {current_count} such places now.")
        elif not 1 <= number <= count:
            sentences.append(f"{entry} is listed, but places are counted from 1 to {count}.")
    return sentences
