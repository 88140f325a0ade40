"""Command lines drawn at random, odd ones among sensible ones, and what each must keep to.

Nothing here names a system: lines are drawn from what click knows of each command and from the declared
domains. What is valid is small: a question that takes long because it asks for much is no fault.
`tools/fuzz.py` runs many of them, each under a time limit; the tests run some.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import click
import numpy as np

from teacherstudent.cli.command import COMMANDS
from teacherstudent.cli.groups import Group
from teacherstudent.cli.options import Declared, Target, Word
from teacherstudent.house import catalogue
from teacherstudent.house.declarations import Route
from teacherstudent.house.domains import (
    LARGEST,
    Choice,
    Domain,
    Matrix,
    Number,
    OrWord,
    Pairs,
    Several,
    Whole,
)
from teacherstudent.house.grids import MOST_TIMES, Grid
from teacherstudent.house.ranges import OrGrid, OrInterval, Single, ends_of
from teacherstudent.house.synonyms import synonyms
from tests.support import Said, say

NONSENSE = (
    "", " ", "nan", "-nan", "inf", "-inf", "1e999", "1e", "½", "٣", "0x10", "1_0", "--", "-", "=", "a=b",
    "1,5,", ",", ":", "::", "1:", "1:2", "2:1:3", "1:2:0", "1:2:3:cubic", "0:1:3", "1:2:1e9",
    "9" * 5000, "9" * 300, str(2**63), str(2**64),
    "-1", "1.5", "many", "None", "[]", "\n", "a\nb", "\x1b[2J", "\udcff", "é", "auto",
    "$HOME", "../../x", "%s", "{}", "x" * 5000, "1," * 2000 + "1", "1:2," * 2000 + "1:2",
)  # fmt: skip
TARGETS = (
    "a.csv", "b.nc", "c.zarr", "d.svg", "page.html", "list.json", "lesson.ipynb", "question.toml", "kit.zip",
    "slides.pdf",
)  # fmt: skip
"""Names in a folder of its own where commands may write."""

ODD_TARGETS = (
    "", ".", "/", "-", "missing/a.csv", "a.csv/b.csv", "x" * 252 + ".csv", "x" * 250 + ".nc",
    "y/" * 3000 + "a.csv", "/proc/a.csv", "a\nb.csv", "\udcff.csv", "a.txt", "..",
    "~.csv",
)  # fmt: skip
LONGEST = 4500
"""Characters of a line: the longest lists every check."""

LONG_WORK = ("bench", "check", "figure", "lesson", "reproduce")
"""Commands that work long, or serve, as soon as they know on what: here they never do."""

SIZES = (1, 2, 3, 4, 5, 8, 12)
HUGE = (10**7, 10**9, 2**31, 10**12, LARGEST)
FLOATS = (
    0.0,
    5e-324,
    1e-300,
    1e-160,
    1e-30,
    1e-12,
    1e-3,
    0.5,
    0.999999999,
    1.0,
    2.0,
    1e3,
    1e15,
    1e160,
    1e300,
)
SHORT = ("1:10:3", "1:3:2:lin", "2:2:1", "0:4:2:lin")
LONG = (
    *SHORT,
    "1e-12:1e12:4",
    "1e-300:1e300:3",
    "1:1e308:2",
    "1e15:1e15:1",
    "1:1e4:50",
    "1:1.0000000000000002:9",
)


def leaves(
    command: click.Command, path: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], click.Command]]:
    """Every command that does something, with the words that lead to it."""
    if not isinstance(command, Group):
        yield path, command
        return
    for name in command.names():
        yield from leaves(command.load(name), (*path, name))


@dataclass
class Lines:
    """Command lines, the same for the same seed."""

    seed: int
    draw: random.Random = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.draw = random.Random(f"lines {self.seed}")

    def __iter__(self) -> Iterator[list[str]]:
        by_command: dict[str, list[tuple[tuple[str, ...], click.Command]]] = {}
        for path, command in leaves(COMMANDS):
            by_command.setdefault(path[0], []).append((path, command))
        names = [*by_command, *["curve"] * 6, *["sweep", "onset"] * 3]
        while True:
            path, command = self.draw.choice(by_command[self.draw.choice(names)])
            words = [*path, *self._arguments(path[0], command)]
            yield self._spoilt(words) if path[0] not in LONG_WORK and self._chance(0.1) else words

    def _chance(self, share: float) -> bool:
        return self.draw.random() < share

    def _arguments(self, name: str, command: click.Command) -> list[str]:
        route = self._route(command)
        context = click.Context(command, info_name=name, resilient_parsing=True)
        words: list[str] = []
        often = self.draw.choice((0.03, 0.1, 0.3))
        for each in command.params:
            if isinstance(each, click.Argument) and (name in LONG_WORK or self._chance(0.1)):
                words.append("nonsense")
                continue
            short = route is not None and route.sampled and each.name in ("times", "seeds")
            given = short or each.required or self._chance(0.9 if isinstance(each, click.Argument) else often)
            if not given or self._chance(0.01) or (_is_foreign(each, route) and self._chance(0.95)):
                continue
            if each.name in ("plot", "show", "of") and self._unasked(each.name, words):
                continue
            value = None if _is_flag(each) else self._value(each, context, route, name)
            if isinstance(each, click.Argument):
                words += [value] if value is not None else []
            elif value is None:
                words.append(each.opts[0])
            else:
                name_of = self._spelling(each)
                words += [f"{name_of}={value}"] if self._chance(0.3) else [name_of, value]
        return words + (self._range(command, words, route) if self._chance(0.8) else [])

    def _spelling(self, each: click.Parameter) -> str:
        """How that option is written: by its name, or by another word for its parameter."""
        others = synonyms(each.type.parameter) if isinstance(each.type, Declared) else ()
        return f"--{self.draw.choice(others)}" if others and self._chance(0.1) else each.opts[0]

    def _unasked(self, name: str, words: list[str]) -> bool:
        """Whether a picture, which costs more than a small answer, or a choice for none, is left out."""
        drawn = any(word.startswith("--plot") for word in words)
        return self._chance(0.9) if name == "plot" else not drawn

    def _range(self, command: click.Command, words: list[str], route: Route | None) -> list[str]:
        """A range of a parameter that is not given yet, where the command takes any."""
        free = [
            (each.opts[0], each.type.parameter.domain)
            for each in command.params
            if isinstance(each.type, Declared) and not any(word.startswith(each.opts[0]) for word in words)
            if not _is_foreign(each, route)
        ]
        ranges = [(option, domain) for option, domain in free if isinstance(domain, OrGrid | OrInterval)]
        if not (among := [(option, domain) for option, domain in ranges if ends_of(domain.each)]):
            return []
        option, domain = self.draw.choice(among)
        grids, intervals = ("1:3:2", "0.2:0.6:2:lin", "2:6:2"), ("2:30", "0.1:0.9", "20:200", "1e-9:1e9")
        return [option, self.draw.choice(grids if isinstance(domain, OrGrid) else intervals)]

    def _route(self, command: click.Command) -> Route | None:
        """The route that a question is put to; None where the command asks none."""
        if not any(each.name == "route" for each in command.params):
            return None
        own = [each for each in catalogue.routes() if each.problem == command.name]
        routes = [each for each in own if not each.sampled]
        return self.draw.choice(own if self._chance(0.04) or not routes else routes)

    def _value(self, each: click.Parameter, context: click.Context, route: Route | None, name: str) -> str:
        if self._chance(0.02):
            return self.draw.choice(NONSENSE)
        if each.name in ("dynamics", "route") and route:
            return route.dynamics if each.name == "dynamics" else route.name
        match each.type:
            case Word():
                return self.draw.choice([word for word in each.type.words(context) if word != "all"])
            case Target():
                fit = [target for target in TARGETS if Path(target).suffix in (each.type.suffixes or ".csv")]
                return self.draw.choice(ODD_TARGETS if self._chance(0.2) else fit)
            case Declared():
                if each.name in ("workers", "batch") and name != "curve":
                    return "1"
                if said := self._example(str(each.name), str(context.command.name)):
                    return said
                drawn = route is not None and route.sampled
                return self.text(each.type.parameter.domain, small=drawn or name == "sweep", narrow=drawn)
        return self.draw.choice(("", "nonsense", "tcp://", "127.0.0.1:99999", "tcp://nowhere.invalid:1"))

    def _example(self, name: str, problem: str) -> str:
        """A word that an example of the problem has for that parameter, such as a table; "" for none."""
        known = catalogue.problems().get(problem)
        words = [each[name] for each in (known.examples if known else ()) if isinstance(each.get(name), str)]
        return self.draw.choice(words) if words and self._chance(0.5) else ""

    def text(self, domain: Domain, small: bool, narrow: bool) -> str:
        """A value of that domain, or near it. small: few of it; narrow: of ordinary magnitude too."""
        again = lambda inner: self.text(inner, small, narrow)  # noqa: E731
        match domain:
            case Number():
                return repr(self._number(domain, narrow))
            case Whole():
                if self._chance(0.05):
                    return str(self.draw.choice((domain.low - 1, (domain.high or LARGEST) + 1)))
                most = domain.high or LARGEST
                sizes = [size for size in (*SIZES, *SIZES, *HUGE, most) if domain.low <= size <= most]
                return str(self.draw.choice([size for size in sizes if not narrow or size < 20] or [most]))
            case Choice():
                return self.draw.choice(domain.words)
            case OrWord():
                return domain.word if self._chance(0.3) else again(domain.otherwise)
            case Several():
                return ",".join(again(domain.each) for _ in range(self.draw.randint(1, 3)))
            case Pairs():
                pairs = [(again(domain.count), again(domain.value)) for _ in range(self.draw.randint(1, 3))]
                return ",".join(map(":".join, pairs))
            case Matrix():
                wide, high = (self.draw.randint(1, 3) for _ in range(2))
                high = wide if self._chance(0.8) else high
                return ";".join(",".join(again(domain.entry) for _ in range(wide)) for _ in range(high))
            case Grid():
                beyond = f"1:2:{MOST_TIMES + 1}"
                times = SHORT if small or narrow else LONG
                return self.draw.choice((*times, *times, beyond, "1,5,10", "3", "5,1"))
            case OrGrid() if ends_of(domain.each) and self._chance(0.1):
                return f"{again(domain.each)},{again(domain.each)}"
            case OrGrid() if ":" not in (one := again(domain.each)) and self._chance(0.5):
                return self.draw.choice(
                    (f"{one}:{one}:1", "1:3:2", "0.2:0.6:2:lin", "2:6:2:lin", f"1:2:{10**7}")
                )
            case OrInterval() if self._chance(0.3):
                ends = sorted(self._number(Number(0), narrow) for _ in range(2))
                return self.draw.choice((f"{ends[0]!r}:{ends[1]!r}", "2:30", "50:200"))
            case OrGrid() | OrInterval() | Single():
                return again(domain.each)
        return self.draw.choice(NONSENSE)  # a domain that a problem made for itself

    def _number(self, domain: Number, narrow: bool) -> float:
        if self._chance(0.6) or narrow:
            low = domain.low if np.isfinite(domain.low) else -3.0
            high = domain.high if np.isfinite(domain.high) else max(low, 0.0) + 5.0
            return self.draw.uniform(low, high)
        if self._chance(0.1):
            return self.draw.choice((domain.low, domain.high))
        inside = [each for each in FLOATS if domain.low < each < domain.high] or [domain.low]
        sign = self.draw.choice((1, -1)) if domain.low < -1e300 or self._chance(0.05) else 1
        return sign * self.draw.choice((*inside, *inside, 10 ** self.draw.uniform(-12, 12)))

    def _spoilt(self, words: list[str]) -> list[str]:
        place = self.draw.randrange(len(words) + 1)
        match self.draw.randrange(6):
            case 0:
                return words[:place]
            case 1:
                return [*words[:place], self.draw.choice(NONSENSE), *words[place:]]
            case 2:
                return words + [each for each in words if each.startswith("--")][:1]
            case 3:
                return words[:place] + words[place + 1 :]
            case 4:
                return [*words, "--help"]
            case _:
                return [*words[:place], "--nonsense", *words[place:]]


def _is_foreign(each: click.Parameter, route: Route | None) -> bool:
    """Whether this is an option of another route or another dynamics."""
    if route is None:
        return False
    problem = catalogue.find_problem(route.problem)
    of_all = {option.name for clock in problem.dynamics for option in clock.options}
    of_all |= {option.name for other in catalogue.routes() for option in other.options}
    own = {option.name for option in (*problem.on_clock(route.dynamics).options, *route.options)}
    return each.name in of_all - own or (each.name in ("seeds", "seed") and not route.sampled)


def _is_flag(each: click.Parameter) -> bool:
    return isinstance(each, click.Option) and each.is_flag


def objection(words: list[str]) -> str:
    """What is wrong with how this command line ends; "" where nothing is."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("default")  # as outside the tests
            said = say(*words)
    except BaseException as error:
        return f"raises {type(error).__name__}: {error}"
    return _complaint(words, said)


def _complaint(words: list[str], said: Said) -> str:
    if said.status not in (0, 2):  # no check runs, so none disagrees; and no file lies there to compare
        return f"status {said.status}: {said.err}"
    lines = said.err.splitlines()
    if said.status == 2:
        errors = [line for line in lines if line.startswith("error: ")]
        if len(errors) != 1 or said.out or [line for line in lines if not _is_ours(line)]:
            return f"refused otherwise than in one line: {said.err}"
        if len(errors[0]) > LONGEST or not errors[0].isprintable():
            return f"refused in no short line: {errors[0][:300]!r}"
    numbers = said.out.replace("\n", ",").split(",") if words[:1] in (["curve"], ["sweep"]) else []
    return "prints an infinity" if {"inf", "-inf"} & set(numbers) else ""


def _is_ours(line: str) -> bool:
    return line.startswith(("error: ", "warning: ", "note: ", "info: "))
