# SPDX-License-Identifier: Apache-2.0
"""Checks of plain text: licence lines, machine paths and hosts, dead links, clocks, waivers."""

import re
from collections.abc import Callable, Iterable
from functools import partial
from itertools import pairwise
from pathlib import Path

from montcore.support.paths import REPO_ROOT
from montcore_lab.checkout.files import name, repository_files, systemverilog_files, with_suffix
from montcore_lab.lint.check import Check

_SPDX = "SPDX-License-Identifier: Apache-2.0"
_SOURCE_SUFFIXES = (
    *(".py", ".sv", ".svh", ".v", ".c", ".h", ".cpp", ".hpp", ".S", ".ld"),
    *(".sh", ".tcl", ".abc", ".ini", ".core", ".rdl", ".yml", ".yaml"),
)
_SPDX_WITHIN_LINES = 5

# Written so that the patterns do not match themselves.
# The folder of temporary files is the same on every machine, unlike what lies in it.
_MACHINE_PATH = re.compile(
    r"(?<![\w.$~})/-])/(?:(?:work|root|home|var/tmp)(?:/\w|\b(?![\w./-]))|tmp/\w)"
)
_REGISTRY_HOST = re.compile(
    r"\b(?:pypi|pythonhosted|npmjs|crates|debian|ubuntu|docker|maven|golang)\."
    r"(?:org|io|com|net|apache)\b(?=[/:]|$)",
    re.IGNORECASE | re.MULTILINE,
)
_LINK = re.compile(r"!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)|(?:src|href)=\"([^\"]+)\"")
_CODE = re.compile(r"^```.*?^```|`[^`\n]*`", re.DOTALL | re.MULTILINE)
_CODE_SPAN = re.compile(r"`([^`\n]+)`")
_FILE = re.compile(r"(?<![\w./<>*-])(?:hw|src|sw|tests|tools|vectors)/[\w/.-]+\.\w+")
#: The page that may name files that no longer exist.
_HISTORY = "CHANGELOG.md"
_CODE_SUFFIXES = (".py", ".c", ".h", ".cpp", ".hpp")
#: Clocks that an administrator or a time server sets, and waits that use one unless they are told
#: otherwise; character classes keep the pattern from matching itself.
_WALL_CLOCK = re.compile(
    r"\btime[.]time[(]|gettime[o]fday|CLOCK_REAL[T]IME|system_[c]lock|pthread_\w+_timed(?:lock|wait)"
)
_LINT_OFF = re.compile(r"verilator\s+lint_(off|on)\b[ \t]*(\w*)(.*)")


def _read(path: Path) -> str | None:
    """Return the text of a file, or None if it is binary."""
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return None


def licence_findings(path: Path, text: str) -> list[str]:
    """Return a finding if a source does not open with the licence line."""
    if _SPDX in "\n".join(text.splitlines()[:_SPDX_WITHIN_LINES]) or not text.strip():
        return []
    return [f"{name(path)}:1: no line '{_SPDX}' near the top"]


def place_findings(path: Path, text: str) -> list[str]:
    """Return a finding for each machine-specific path and each package registry's host."""
    found = []
    for number, line in enumerate(text.splitlines(), start=1):
        if match := _MACHINE_PATH.search(line):
            found.append(f"{name(path)}:{number}: names a path of one machine: {match.group()}")
        if match := _REGISTRY_HOST.search(line):
            found.append(f"{name(path)}:{number}: names a package registry: {match.group()}")
    return found


def link_findings(path: Path, text: str) -> list[str]:
    """Return a finding for each relative link of a Markdown file whose target does not exist.

    Links of the site lead to other pages of the site, which its build checks.
    """
    found: list[str] = []
    if path.is_relative_to(REPO_ROOT / "docs" / "site"):
        return found
    for match in _LINK.finditer(_CODE.sub("", text)):
        target = (match.group(1) or match.group(2)).split("#")[0]
        if not target or re.match(r"[a-z][a-z0-9+.-]*:", target):
            continue
        if not (path.parent / target).exists():
            found.append(f"{name(path)}: the link {target} has no target")
    return found


def file_findings(path: Path, text: str) -> list[str]:
    """Return a finding for each file of the checkout that a page names and that does not exist."""
    return [
        f"{name(path)}: there is no file {file}"
        for span in _CODE_SPAN.findall("" if path.name == _HISTORY else text)
        for file in _FILE.findall(span)
        if not (REPO_ROOT / file).exists()
    ]


def clock_findings(path: Path, text: str) -> list[str]:
    """Return a finding for each use of the wall clock, which limits of time must not depend on."""
    return [
        f"{name(path)}:{number}: {match.group()} is of the wall clock: use the monotonic one"
        for number, line in enumerate(text.splitlines(), start=1)
        if (match := _WALL_CLOCK.search(line))
    ]


def waiver_findings(path: Path, text: str) -> list[str]:
    """Return a finding for each Verilator waiver that is blanket, unexplained or left open.

    A waiver names one rule, gives its reason after it or in a comment line above, and ends with
    lint_on: ``/* verilator lint_off UNUSEDSIGNAL */  // bit 0 is always 0``.
    """
    found = []
    still_off: dict[str, int] = {}
    lines = [line.strip() for line in text.splitlines()]
    for number, (before, line) in enumerate(pairwise(["", *lines]), start=1):
        match = _LINT_OFF.search(line)
        if match is None:
            continue
        switch, rule, reason = match.group(1), match.group(2), match.group(3)
        where = f"{name(path)}:{number}:"
        if not rule:
            found.append(f"{where} lint_{switch} without a rule is a blanket waiver")
        elif switch == "on":
            still_off.pop(rule, None)
        else:
            still_off[rule] = number
            # Older Verilators ignore a line comment that has more than the directive, so that the
            # reason may be above it. Another directive is no reason.
            if before.startswith("//") and not _LINT_OFF.search(before):
                reason += before
            if not re.search(r"\w+\W+\w+", reason.replace("*/", "")):
                found.append(f"{where} lint_off {rule} without a reason")
    for rule, number in still_off.items():
        found.append(f"{name(path)}:{number}: lint_off {rule} is never switched on again")
    return found


def _over(
    rule: str,
    subject: str,
    files: Callable[[], Iterable[Path]],
    findings: Callable[[Path, str], list[str]],
) -> Check:
    """Return the check that looks for findings in each of some files, except binary ones."""

    def all_findings() -> list[str]:
        texts = ((path, _read(path)) for path in files())
        return [item for path, text in texts if text is not None for item in findings(path, text)]

    return Check(rule, subject, all_findings)


def checks() -> list[Check]:
    """Return the text checks, each over all files that it concerns."""
    pages = partial(with_suffix, ".md")
    code = partial(with_suffix, *_CODE_SUFFIXES)
    sources = partial(with_suffix, *_SOURCE_SUFFIXES)
    return [
        _over("licence line", "all sources", sources, licence_findings),
        _over("machine paths and hosts", "all files", repository_files, place_findings),
        _over("links", "all Markdown files", pages, link_findings),
        _over("named files", "all Markdown files", pages, file_findings),
        _over("clocks", "all Python, C and C++ sources", code, clock_findings),
        _over("waivers", "all SystemVerilog files", systemverilog_files, waiver_findings),
    ]
