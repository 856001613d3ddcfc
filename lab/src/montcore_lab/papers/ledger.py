# SPDX-License-Identifier: Apache-2.0
"""The measured figures of all committed pages, with digests of their sources and flow."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from datetime import datetime, timezone
from pathlib import Path

from montcore.support.errors import RequestError
from montcore.support.files import locked, write_whole
from montcore.support.paths import REPO_ROOT, cache_dir
from montcore_lab.papers.subject import Figures, Subject

PATH = REPO_ROOT / "docs" / "figures.json"


@dataclass(frozen=True)
class Measurement:
    """Figures of one subject.

    Attributes:
        figures: by name.
        digest: `Subject.digest`, of the sources, at the time of measurement.
        date: UTC date of the measurement.
        flow: `Subject.flow_digest` at the time of measurement.
        design: `Subject.design_digest` at the time of measurement, empty if it is not known.
        seconds: duration of the measurement, 0 if it is not known.
    """

    figures: Figures
    digest: str
    date: str
    flow: str
    design: str = ""
    seconds: float = 0.0


@dataclass
class Ledger:
    """Measurements by the command of their subject."""

    path: Path = field(default_factory=lambda: PATH)
    entries: dict[str, Measurement] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path | None = None) -> "Ledger":
        """Read a ledger, by default the committed one; a missing file is an empty ledger."""
        path = path or PATH
        if not path.is_file():
            return cls(path)
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            return cls(path, {key: Measurement(**item) for key, item in content.items()})
        except (OSError, ValueError, TypeError, AttributeError) as error:
            raise RequestError(f"{path} is not a ledger of measurements: {error}") from None

    def put(self, subject: Subject, figures: Figures, seconds: float = 0.0) -> None:
        """Enter a measurement and write the file, merged with entries that other processes made."""
        date = datetime.now(timezone.utc).date().isoformat()
        digests = subject.digest(), date, subject.flow_digest(), subject.design_digest()
        entry = Measurement(dict(figures), *digests, round(seconds, 1))
        with locked(cache_dir() / f"{self.path.stem}.lock"):
            self.entries = {**self.entries, **Ledger.load(self.path).entries}
            self.entries[subject.command] = entry
            self.save()

    def save(self) -> None:
        """Write the file, a measurement a line, ordered by command.

        Raises:
            RequestError, TransientError: as `write_whole`.
        """
        lines = (
            f"{json.dumps(key)}: {json.dumps(asdict(self.entries[key]))}"
            for key in sorted(self.entries)
        )
        write_whole(self.path, "{\n" + ",\n".join(lines) + "\n}\n")

    def figures(self) -> Mapping[str, Figures]:
        """Return the figures by command."""
        return {command: entry.figures for command, entry in self.entries.items()}

    def stale(self, subjects: Iterable[Subject]) -> list[Subject]:
        """Return the subjects measured with other sources or another flow than the current ones."""
        return [subject for subject in subjects if self.fault(subject)]

    def outdated(self, subjects: Iterable[Subject]) -> frozenset[str]:
        """Return the commands of stale subjects."""
        return frozenset(subject.command for subject in self.stale(subjects))

    def fault(self, subject: Subject) -> str:
        """Return, in a sentence, why an entry is out of date; empty if it is current or missing."""
        entry = self.entries.get(subject.command)
        if entry is None:
            return ""
        if entry.digest != subject.digest():
            return f"measured with earlier sources: {subject.command}"
        if entry.flow != subject.flow_digest():
            return f"measured with an earlier flow: {subject.command}"
        return ""

    def missing(self, subjects: Iterable[Subject]) -> list[Subject]:
        """Return the subjects without measurements."""
        return [subject for subject in subjects if subject.command not in self.entries]

    def lacks(self, subjects: Sequence[Subject]) -> list[str]:
        """Return a sentence for each figure of a page that is missing or out of date."""
        missing = [f"not measured: {subject.command}" for subject in self.missing(subjects)]
        return missing + [fault for subject in subjects if (fault := self.fault(subject))]

    def strays(self, subjects: Iterable[Subject]) -> list[str]:
        """Return the commands of entries that belong to none of the subjects, in order."""
        return sorted(set(self.entries) - {subject.command for subject in subjects})
