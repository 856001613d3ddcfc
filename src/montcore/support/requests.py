# SPDX-License-Identifier: Apache-2.0
"""Checks the arguments of public functions against their annotations, before any work."""

import functools
import inspect
import math
import operator
import types
from collections.abc import Callable, Iterable
from typing import Annotated, Any, TypeVar, Union, get_args, get_origin, get_type_hints

from pydantic import BeforeValidator, Field, InstanceOf, Strict, TypeAdapter, ValidationError

from montcore.support.errors import RequestError

T = TypeVar("T")

#: A whole number of at least 0, and of at least 1.
Natural = Annotated[int, Field(ge=0)]
Positive = Annotated[int, Field(ge=1)]
Processes = Annotated[int, Field(ge=1, le=1024)]

_ANNOTATED: Any = Annotated  # of types that are known at run time only
_LIST: Any = list
_INSTANCE: Any = InstanceOf
_CONTAINERS = (list, tuple, dict, set, frozenset)


def _whole(value: object) -> int:
    """Return an integer of any kind, for instance of NumPy, as one of Python."""
    if isinstance(value, bool):
        raise ValueError("it must be a number")
    try:
        return operator.index(value)  # type: ignore[arg-type]
    except TypeError:
        raise ValueError("it must be a whole number") from None


def _number(value: object) -> float:
    if isinstance(value, (bool, str, bytes)):
        raise ValueError("it must be a number")
    try:
        found = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError, OverflowError):
        raise ValueError("it must be a number") from None
    if not math.isfinite(found):
        raise ValueError("it must be a finite number")
    return found


def _items(value: object) -> list[Any]:
    if isinstance(value, (str, bytes)) or not isinstance(value, Iterable):
        raise ValueError("it must be a sequence")
    return list(value)


def _takes(count: int) -> Callable[[object], object]:

    def check(value: object) -> object:
        if not callable(value):
            raise ValueError("it must be a function")
        try:
            inspect.signature(value).bind(*range(count))
        except TypeError:
            raise ValueError(f"it must be a function of {count} arguments") from None
        except ValueError:  # a built-in function without a signature
            pass
        return value

    return check


def _strict(hint: Any) -> Any:
    """Return an annotation for pydantic: no text is a number, and no object is copied."""
    kind: Any = get_origin(hint) or hint
    inner = get_args(hint)
    if kind is Annotated:
        marked = _strict(inner[0]), *inner[1:]
        return _ANNOTATED[marked]
    if kind in (Union, types.UnionType):
        return Union[tuple(_strict(item) for item in inner)]  # noqa: UP007
    if kind is int:
        return Annotated[int, BeforeValidator(_whole)]
    if kind is float:
        return Annotated[float, BeforeValidator(_number)]
    if kind is bool:
        return Annotated[bool, Strict()]
    if kind is Callable and inner and isinstance(inner[0], list):
        return Annotated[Any, BeforeValidator(_takes(len(inner[0])))]
    if kind is Iterable:
        return _ANNOTATED[_LIST[_strict(inner[0])], BeforeValidator(_items)]
    if kind in _CONTAINERS or getattr(kind, "__module__", "") == "collections.abc":
        parts = tuple(item if item is ... else _strict(item) for item in inner)
        return kind[parts] if parts else kind
    simple = kind in (str, bytes, Any, None, type(None)) or not isinstance(kind, type)
    return hint if simple or kind.__module__ == "pathlib" else _INSTANCE[kind]


def checked(item: T) -> T:
    """Make a function, or the construction and methods of a class, refuse wrong arguments.

    The wrapped function receives values of the annotated types. It raises `RequestError` with the
    name of the first argument that does not have its type.
    """
    if isinstance(item, type):
        for name, member in list(vars(item).items()):
            if name.startswith("_") and name != "__init__":
                continue
            if isinstance(member, types.FunctionType):
                setattr(item, name, _wrapped(member))
            elif isinstance(member, classmethod):
                setattr(item, name, classmethod(_wrapped(member.__func__)))
        return item
    function: Any = item
    return _wrapped(function)  # type: ignore[no-any-return]


def _wrapped(function: Callable[..., Any]) -> Any:
    signature = inspect.signature(function)
    name = function.__qualname__.removesuffix(".__init__")

    @functools.cache
    def readers() -> dict[str, TypeAdapter[Any]]:
        hints = get_type_hints(function, include_extras=True)
        hints.pop("return", None)
        return {key: TypeAdapter(_strict(hint)) for key, hint in hints.items()}

    @functools.wraps(function)
    def call(*arguments: Any, **named: Any) -> Any:
        try:
            given = signature.bind(*arguments, **named)
        except TypeError as error:
            raise RequestError(f"{name}: {error}") from None
        for key, value in given.arguments.items():
            reader = readers().get(key)
            if reader is None or value is signature.parameters[key].default:
                continue
            try:
                given.arguments[key] = reader.validate_python(value)
            except ValidationError as error:
                why = error.errors(include_url=False)[0]["msg"].replace("Input", "it", 1)
                raise RequestError(
                    f"{name}: {key} cannot be {_short(value)}: {why.removeprefix('Value error, ')}"
                ) from None
        return function(*given.args, **given.kwargs)

    return call


def _short(value: object) -> str:
    """Return a value in a few words; one that may be a secret is not shown."""
    text = repr(value)
    plain = value is None or isinstance(value, (str, int, float))
    return text if plain and len(text) <= 20 else f"a value of the type {type(value).__name__}"
