# SPDX-License-Identifier: Apache-2.0
"""The code of a Python file apart from its comments and docstrings, to tell whether it changed."""

import ast


def code_of(text: str | bytes) -> str:
    """Return the syntax tree of a Python source as text, without comments and docstrings.

    Raises:
        SyntaxError: the text is not Python.
    """
    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(
            node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef
        ) and (ast.get_docstring(node, clean=False) is not None):
            del node.body[0]
    return ast.dump(tree)
