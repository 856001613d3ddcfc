# SPDX-License-Identifier: Apache-2.0
"""The two ways in which a montcore command can end badly, and their exit statuses."""


class RequestError(Exception):
    """The request was wrong (exit status 2); the message is one clear sentence for a person."""


class CheckFailedError(Exception):
    """A check failed (exit status 1): a wrong product, a tool that crashed, a bound not met."""
