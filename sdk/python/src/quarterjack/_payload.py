"""Payloads with a type: dataclasses of the standard library, or models of pydantic where it is installed."""

from __future__ import annotations

import dataclasses
import enum
import types
import typing
from collections.abc import Callable
from datetime import date, datetime
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from .errors import ArgumentError, FatalError

_NAMES: dict[Any, str] = {str: "string", bool: "boolean", int: "integer", float: "number", type(None): "null"}
_FORMATS = {datetime: "date-time", date: "date"}


class _Misfit(Exception):
    def __init__(self, path: str, message: str) -> None:
        super().__init__(f"{path}: {message}" if path else message)


def fitted(kind: Any, payload: Any) -> Any:
    """The payload as ``kind``. Raises a ``FatalError`` that names the fields."""
    if kind is None or kind is Any:
        return payload
    try:
        if hasattr(kind, "model_validate"):
            return kind.model_validate(payload)
        return _fit(kind, payload, "")
    except _Misfit as error:
        raise FatalError(f"the payload is invalid: {error}", reason="bad-payload") from None
    except ValueError as error:  # of pydantic, or of a dataclass that checks itself
        raise FatalError(f"the payload is invalid: {_of_pydantic(error)}", reason="bad-payload") from error


def _of_pydantic(error: Any) -> str:
    if not hasattr(error, "errors"):
        return str(error)
    found = error.errors(include_url=False, include_input=False)
    return "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in found)


def _fit(kind: Any, value: Any, path: str) -> Any:
    if kind is Any or kind is object:
        return value
    if hasattr(kind, "model_validate"):
        return kind.model_validate(value)
    origin, args = get_origin(kind), get_args(kind)
    if origin is typing.Annotated:
        return _fit(args[0], value, path)
    if origin in (Union, types.UnionType):
        return _fit_one(args, value, path)
    if origin is Literal:
        if not any(value == one and type(value) is type(one) for one in args):
            raise _Misfit(path, f"expected one of {', '.join(map(repr, args))}")
        return value
    if kind in (list, dict) or origin in (list, dict, tuple, set):
        return _fit_many(origin or kind, args, value, path)
    if dataclasses.is_dataclass(kind):
        return _fit_fields(kind, value, path)
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return _by(kind, value, path, f"expected one of {', '.join(repr(one.value) for one in kind)}")
    if kind in _FORMATS:
        text = value.replace("Z", "+00:00") if isinstance(value, str) and kind is datetime else value
        return _by(kind.fromisoformat, text, path, f"expected a {_FORMATS[kind]}")
    if kind is float and type(value) is int:
        return float(value)
    if kind is int and type(value) is float and value.is_integer():
        return int(value)
    if type(value) is not kind:
        raise _Misfit(
            path, f"expected {_NAMES.get(kind, kind)}, not {_NAMES.get(type(value), 'another type')}"
        )
    return value


def _fit_one(kinds: tuple[Any, ...], value: Any, path: str) -> Any:
    exact = [one for one in kinds if type(value) is one]
    last: _Misfit | None = None
    for one in exact or kinds:
        try:
            return _fit(one, value, path)
        except _Misfit as error:
            last = error
    raise last or _Misfit(path, "expected nothing")


def _fit_many(kind: Any, args: tuple[Any, ...], value: Any, path: str) -> Any:
    if not isinstance(value, dict if kind is dict else list):
        raise _Misfit(path, "expected an object" if kind is dict else "expected a list")
    inner = args[-1] if kind is dict and args else args[0] if args else Any
    if kind is dict:
        fields = typing.cast("dict[str, Any]", value)
        return {key: _fit(inner, one, _below(path, key)) for key, one in fields.items()}
    return kind(_fit(inner, one, _below(path, index)) for index, one in enumerate(value))


def _fit_fields(kind: Any, value: Any, path: str) -> Any:
    if not isinstance(value, dict):
        raise _Misfit(path, "expected an object")
    hints = get_type_hints(kind, include_extras=True)
    given = {}
    for one in dataclasses.fields(kind):
        if one.init and one.name in value:
            given[one.name] = _fit(hints[one.name], value[one.name], _below(path, one.name))
        elif one.init and _is_required(one):
            raise _Misfit(_below(path, one.name), "is missing")
    return kind(**given)


def _by(convert: Callable[[Any], Any], value: Any, path: str, expected: str) -> Any:
    try:
        return convert(value)
    except (ValueError, TypeError):
        raise _Misfit(path, expected) from None


def _is_required(one: dataclasses.Field[Any]) -> bool:
    return one.default is dataclasses.MISSING and one.default_factory is dataclasses.MISSING


def _below(path: str, name: object) -> str:
    return f"{path}.{name}" if path else str(name)


def schema_of(kind: Any) -> dict[str, Any] | None:
    """The JSON Schema of a payload, by which the server checks it too; None if there is none."""
    if kind is None or kind is Any:
        return None
    if hasattr(kind, "model_json_schema"):
        schema: dict[str, Any] = kind.model_json_schema()
        return schema
    return _schema(kind)


def _schema(kind: Any) -> dict[str, Any]:
    if hasattr(kind, "model_json_schema"):
        raise ArgumentError("payload", kind, "a model of pydantic as a whole, or a dataclass of plain types")
    origin, args = get_origin(kind), get_args(kind)
    if kind is Any or kind is object:
        return {}
    if origin is typing.Annotated:
        return _schema(args[0])
    if origin in (Union, types.UnionType):
        return {"anyOf": [_schema(one) for one in args]}
    if origin is Literal:
        return {"enum": list(args)}
    if origin is dict or kind is dict:
        return {"type": "object", **({"additionalProperties": _schema(args[-1])} if args else {})}
    if kind is list or origin in (list, tuple, set):
        return {"type": "array", **({"items": _schema(args[0])} if args else {})}
    if dataclasses.is_dataclass(kind):
        hints = get_type_hints(kind, include_extras=True)
        fields = [one for one in dataclasses.fields(kind) if one.init]
        properties = {one.name: _schema(hints[one.name]) for one in fields}
        required = [one.name for one in fields if _is_required(one)]
        return {"type": "object", "properties": properties, **({"required": required} if required else {})}
    if isinstance(kind, type) and issubclass(kind, enum.Enum):
        return {"enum": [one.value for one in kind]}
    if kind in _FORMATS:
        return {"type": "string", "format": _FORMATS[kind]}
    if kind in _NAMES:
        return {"type": _NAMES[kind]}
    raise ArgumentError("payload", kind, f"a type that JSON has, not {kind!r}")
