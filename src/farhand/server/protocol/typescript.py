"""Generate the page's TypeScript types from the messages, so that page and server agree.

`python -m farhand.server.protocol.typescript` prints the file; `make wire` writes it into the page's sources.
"""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, get_args

import msgspec
from msgspec import inspect

from farhand.server.protocol import messages
from farhand.server.protocol.permissions import STAFF
from farhand.types.events.declaration import EVENTS
from farhand.types.events.rights import GRANTS, Grant, Right
from farhand.voice.vocabulary import COMMANDS, CONFIRMATIONS

__all__ = ["WIRE_LENGTH", "types_text", "wire", "wire_text"]

WIRE_LENGTH = 12
ROOTS = (("FromPage", messages.FromPage), ("ToPage", messages.ToPage))


def types_text() -> str:
    """Return every message, and every struct in one, as a TypeScript interface."""
    sent: dict[str, inspect.StructType] = {}
    _gather(inspect.type_info(messages.FromPage), sent)
    structs = dict(sent)
    _gather(inspect.type_info(messages.ToPage), structs)
    parts = [_interface(info, by_page=name in sent) for name, info in sorted(structs.items())]
    for name, root in ROOTS:
        parts.append(f"export type {name} = {_text(inspect.type_info(root))};\n")
    return "\n".join(parts)


@lru_cache
def wire() -> str:
    """Return the identifier of this version of the messages; pages of another version are refused."""
    return hashlib.sha256(types_text().encode()).hexdigest()[:WIRE_LENGTH]


def wire_text() -> str:
    """Return the whole generated file."""
    return (
        "// Made from src/farhand/server/protocol/messages.py by `make wire`; do not edit.\n\n"
        "/** Identifies this version of the messages. */\n"
        f'export const WIRE = "{wire()}";\n'
        "/** Bytes of one body's pose: x, y, z as float32, then quaternion w, x, y, z as int16 of 1/32767. */\n"
        f"export const POSE_ROW = {messages.POSE_ROW};\n"
        "/** The phrases that are understood while the talk key is held. */\n"
        f"export const PHRASES: readonly string[] = {msgspec.json.encode(COMMANDS).decode()};\n"
        "/** The confirming phrase of each phrase that starts a motion. */\n"
        "export const CONFIRMATIONS: Readonly<Record<string, string>> ="
        f" {msgspec.json.encode(CONFIRMATIONS).decode()};\n"
        f"{_rights_text()}\n"
        f"{types_text()}"
    )


def _rights_text() -> str:
    """Return the roles, their grants, and each event's right and time-out."""
    grants = [f"  {role}: {_record(rights)},\n" for role, rights in GRANTS.items()]
    events = [f"  {d.name}: {_record({'right': d.right, 'timeOut': d.time_out})},\n" for d in EVENTS.values()]
    return (
        f"export type Role = {' | '.join(_quoted(role) for role in GRANTS)};\n"
        f"export type Right = {' | '.join(_quoted(right) for right in get_args(Right))};\n"
        f"export type Grant = {' | '.join(_quoted(grant) for grant in get_args(Grant))};\n"
        "/** The grant of each right to each role: with or without control, in control only, or never. */\n"
        f"export const GRANTS: Record<Role, Record<Right, Grant>> = {{\n{''.join(grants)}}};\n"
        "/** Roles that may send others away and cannot be sent away. */\n"
        f"export const STAFF: readonly Role[] = [{', '.join(_quoted(role) for role in GRANTS if role in STAFF)}];\n"
        "/** The right that each event needs, and its time-out in seconds. */\n"
        'export const EVENTS: Record<Command["event"]["type"], { right: Right; timeOut: number }> = {\n'
        f"{''.join(events)}}};\n"
    )


def _quoted(text: str) -> str:
    return f'"{text}"'


def _record(values: Mapping[Any, str | float]) -> str:
    pairs = [f"{key}: {_quoted(value) if isinstance(value, str) else f'{value:g}'}" for key, value in values.items()]
    return f"{{ {', '.join(pairs)} }}"


def _gather(info: inspect.Type, found: dict[str, inspect.StructType]) -> None:
    if isinstance(info, inspect.StructType) and info.cls.__name__ not in found:
        found[info.cls.__name__] = info
        for field in info.fields:
            _gather(field.type, found)
    for child in _children(info):
        _gather(child, found)


def _children(info: inspect.Type) -> tuple[inspect.Type, ...]:
    if isinstance(info, inspect.UnionType):
        return info.types
    if isinstance(info, inspect.VarTupleType | inspect.ListType | inspect.FrozenSetType):
        return (info.item_type,)
    if isinstance(info, inspect.TupleType):
        return info.item_types
    if isinstance(info, inspect.DictType):
        return (info.value_type,)
    if isinstance(info, inspect.Metadata):
        return (info.type,)
    return ()


def _interface(info: inspect.StructType, *, by_page: bool) -> str:
    """Return a struct as an interface; the page may omit fields with a default, the server sends all fields."""
    partial = by_page or info.cls.__struct_config__.omit_defaults
    lines = [_comment(info.cls), f"export interface {info.cls.__name__} {{"]
    if info.tag_field:
        lines.append(f'  {info.tag_field}: "{info.tag}";')
    said = _arguments(info.cls.__doc__ or "")
    for field in info.fields:
        if field.encode_name in said:
            lines.append(f"  /** {said[field.encode_name]} */")
        optional = "?" if partial and not field.required else ""
        lines.append(f"  {field.encode_name}{optional}: {_text(field.type)};")
    return "\n".join([*lines, "}", ""])


def _comment(cls: Any) -> str:
    return f"/** {(cls.__doc__ or '').strip().splitlines()[0]} */"


def _arguments(doc: str) -> dict[str, str]:
    """Return the text about each argument in a docstring."""
    said: dict[str, str] = {}
    name = ""
    for line in doc.partition("Args:")[2].splitlines():
        indent, text = len(line) - len(line.lstrip()), line.strip()
        if not text:
            continue
        if indent == 8:
            name, _, rest = text.partition(":")
            said[name] = rest.strip()
        elif name:
            said[name] += f" {text}"
    return said


def _text(info: inspect.Type) -> str:
    if isinstance(info, inspect.Metadata):
        return _text(info.type)
    if isinstance(info, inspect.StructType):
        return info.cls.__name__
    if isinstance(info, inspect.UnionType):
        return " | ".join(_text(t) for t in info.types)
    if isinstance(info, inspect.VarTupleType | inspect.ListType | inspect.FrozenSetType):
        inner = _text(info.item_type)
        return f"({inner})[]" if " " in inner else f"{inner}[]"
    if isinstance(info, inspect.TupleType):
        return f"[{', '.join(_text(t) for t in info.item_types)}]"
    if isinstance(info, inspect.DictType):
        return f"Record<string, {_text(info.value_type)}>"
    if isinstance(info, inspect.LiteralType):
        return " | ".join(msgspec.json.encode(v).decode() for v in sorted(info.values, key=str))
    simple: dict[type[inspect.Type], str] = {
        inspect.IntType: "number",
        inspect.FloatType: "number",
        inspect.StrType: "string",
        inspect.BoolType: "boolean",
        inspect.BytesType: "Uint8Array",
        inspect.NoneType: "null",
        inspect.AnyType: "unknown",
    }
    return simple[type(info)]


if __name__ == "__main__":
    sys.stdout.write(wire_text())
