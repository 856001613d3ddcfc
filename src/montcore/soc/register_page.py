# SPDX-License-Identifier: Apache-2.0
"""The register map for other tools, and as one page of HTML without scripts.

PeakRDL's own pages include 8 MB of fonts and scripts under other licences, which
a bundle should not redistribute. This page has the same contents.
"""

from collections.abc import Iterator
from html import escape
from typing import Any

from montcore.soc.registers import RegisterField, compiled, fields, ip_xact, sentence, svd

_STYLE = """body{font:16px/1.5 sans-serif;max-width:60em;margin:2em auto;padding:0 1em}
table{border-collapse:collapse;width:100%}td,th{border:1px solid #bbb;padding:.3em .6em;
text-align:left;vertical-align:top}th{background:#eee}code{background:#f4f4f4}"""


def _access(item: RegisterField) -> str:
    if item.kind == "event":
        return "read, write 1 clears"
    return " ".join(w for w, does in (("read", item.readable), ("write", item.writable)) if does)


def _row(cells: Iterator[str] | list[str], kind: str = "td") -> str:
    return "<tr>" + "".join(f"<{kind}>{cell}</{kind}>" for cell in cells) + "</tr>"


def _text(node: Any) -> str:
    return escape(sentence(node))


def descriptions() -> dict[str, str]:
    """Return the register map by name of the file: IP-XACT, CMSIS-SVD, HTML.

    Bundles and releases have them.
    """
    root = compiled()
    found = {"xml": ip_xact(root), "svd": svd(root), "html": page(root)}
    return {f"montcore_pka.{kind}": text for kind, text in found.items()}


def page(root: Any) -> str:
    """Return the page of a compiled description."""
    items = fields(root)
    block = root.top.get_child_by_name("registers")
    nodes = list(block.registers())
    lines = [
        "<!DOCTYPE html>",
        '<html lang="en"><head><meta charset="utf-8"><title>montcore_pka</title>',
        f"<style>{_STYLE}</style></head><body>",
        "<!-- SPDX-License-Identifier: Apache-2.0 -->",
        "<h1>montcore_pka: register map</h1>",
        f"<p>{_text(root.top)}</p>",
        "<table>",
        _row(["address", "name", "contents"], "th"),
    ]
    for node in nodes:
        name = node.inst_name
        link = f'<a href="#{name}">{name}</a>'
        address = f"<code>0x{node.absolute_address:04x}</code>"
        lines.append(_row([address, link, _text(node)]))
    for name in ("operands", "key"):
        node = root.top.get_child_by_name(name)
        address = f"<code>0x{node.absolute_address:04x}</code>"
        size = 4 * int(node.get_property("mementries"))
        can = "read, write" if node.is_sw_readable else "write"
        lines.append(_row([address, name, f"{_text(node)} {size} bytes, {can}."]))
    lines.append("</table>")
    for node in nodes:
        own = [item for item in items if item.register == node.inst_name]
        lines += [
            f'<h2 id="{node.inst_name}">{node.inst_name}, '
            f"<code>0x{node.absolute_address:04x}</code></h2>",
            f"<p>{_text(node)}</p>",
            "<table>",
            _row(["bits", "name", "access", "after reset", "meaning"], "th"),
        ]
        for item in own:
            high = item.low + item.width - 1
            bits = f"{high}:{item.low}" if high > item.low else str(high)
            reset = "" if item.kind == "input" else f"0x{item.reset:x}"
            lines.append(_row([bits, item.name, _access(item), reset, escape(item.text)]))
        lines.append("</table>")
    return "\n".join([*lines, "</body></html>"]) + "\n"
