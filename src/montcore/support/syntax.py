# SPDX-License-Identifier: Apache-2.0
"""The code of a Python file apart from its comments, docstrings and imports."""

import re

_TOKEN = re.compile(
    r'(?P<string>"""[\s\S]*?"""|\'\'\'[\s\S]*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\')'
    r"|(?P<comment>#[^\n]*)"
)
_IMPORT = re.compile(r"^ *(?:from [\w.]+ )?import (?:\([^)]*\)|[^\n]*)\n", re.MULTILINE)


def code_of(text: str) -> str:
    """Return a Python source without comments, docstrings, imports and empty lines.

    It tells whether the code changed, on every version of Python alike: syntax trees differ.
    """
    kept, end = "", 0
    for found in _TOKEN.finditer(text):
        kept += text[end : found.start()]
        end = found.end()
        # A docstring begins a line behind a colon, or the file.
        begins = not kept.rpartition("\n")[2].strip() and kept.rstrip()[-1:] in ("", ":")
        documents = begins and found[0].startswith('"""')
        if found["string"] and not documents:
            kept += found[0]
    kept = _IMPORT.sub("", kept + text[end:])
    return "\n".join(line.rstrip() for line in kept.splitlines() if line.strip())
