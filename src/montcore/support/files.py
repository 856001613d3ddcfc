# SPDX-License-Identifier: Apache-2.0
"""Files that are complete, or as they were before."""

import os
import threading
from pathlib import Path

from montcore.support.errors import storage_error


def write_whole(path: Path, text: str) -> None:
    """Write a file so that a kill, a crash or a full disk leaves the old content.

    Raises:
        TransientError: no space is left.
        RequestError: the file cannot be written.
    """
    path = path.resolve()  # the target of a link is replaced, not the link
    partial = path.with_name(f".{path.name}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.exists() and not path.is_file():  # a device or a pipe is not replaced
            path.write_text(text, encoding="utf-8")
            return
        try:
            with partial.open("w", encoding="utf-8", newline="") as stream:
                stream.write(text)
                stream.flush()
                os.fsync(stream.fileno())
            partial.replace(path)
        except BaseException:
            partial.unlink(missing_ok=True)
            raise
    except OSError as error:
        error.filename = str(path)
        raise storage_error(error, path.parent) from None
