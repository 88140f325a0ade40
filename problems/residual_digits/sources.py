"""What may be given as images: scikit-learn's digits, or a folder in one of torchvision's layouts."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from teacherstudent.house.errors import InputError, Misread
from teacherstudent.house.suggestions import did_you_mean
from teacherstudent.house.tables import DIGITS as DIGEST
from teacherstudent.problems.residual_digits import folders
from teacherstudent.problems.residual_digits.folders import Layout

DIGITS = "digits"
WITH_DIGEST = re.compile(rf"(.*) \(digest ([0-9a-f]{{{DIGEST}}})\)")


@dataclass(frozen=True)
class Sizes:
    """How many images there are to draw from and to test, and how many pixels (numbers) each has.

    shared: 1 where both are the same images, so that those drawn are not tested; else 0.
    """

    training: int
    tested: int
    pixels: int
    classes: int
    shared: int


@dataclass(frozen=True, repr=False)
class ImageSet:
    """Images and where they lie; equal where their files are, however the folder is named.

    name: `digits`, or the folder as it was typed. digest: of the files (`Layout.digest`, `taken`).
    """

    name: str = field(compare=False)
    digest: str
    layout: Layout | None = field(compare=False)

    def __repr__(self) -> str:
        """As `ImageFile` reads it: the same images, or a refusal."""
        return f"{self.name} (digest {self.digest})" if self.digest else self.name

    def taken(self, pool: int) -> ImageSet:
        """The same, known by the bytes of the images that at most `pool` of either part leave.

        Raises `InputError` where they cannot be read.
        """
        if self.layout is None or pool == folders.POOL:  # of which the digest is already
            return self
        try:
            return replace(self, digest=self.layout.digest_of(pool))
        except Misread as misread:
            raise InputError("data", self.name, "a folder of images that can be read", misread.hint) from None

    def sizes(self, pool: int) -> Sizes:
        """How many images at most `pool` of either part leave."""
        if self.layout is None:
            taken = min(pool, 1797)
            return Sizes(taken, taken, 64, 10, 1)
        parts = (min(pool, self.layout.training), min(pool, self.layout.tested))
        return Sizes(*parts, self.layout.pixels, self.layout.classes, 0)


@dataclass(frozen=True)
class ImageFile:
    """Images: the word digits, or a folder. A folder may be followed by its digest, as answers write it."""

    def parse(self, text: str) -> ImageSet:
        matched = WITH_DIGEST.fullmatch(text)
        name, digest = matched.groups() if matched else (text, "")
        found = self._named(name)
        if digest and found.digest != digest:
            hint = f"its files have changed since: their digest is {found.digest}"
            raise Misread(f"{hint}; without (digest ...) the folder is read as it is")
        return found

    def check(self, value: Any) -> ImageSet:
        return value if isinstance(value, ImageSet) else self.parse(str(value))

    def describe(self) -> str:
        return f"{DIGITS}, or a folder that contains {folders.LISTED}"

    def _named(self, name: str) -> ImageSet:
        if name == DIGITS:
            return ImageSet(DIGITS, "", None)
        try:
            layout = folders.found(Path(name))
        except Misread as misread:
            raise Misread("; ".join(filter(None, (misread.hint, did_you_mean(name, [DIGITS]))))) from None
        except (OSError, ValueError) as error:
            raise Misread((getattr(error, "strerror", None) or str(error)).lower()) from None
        return ImageSet(name, layout.digest, layout)
