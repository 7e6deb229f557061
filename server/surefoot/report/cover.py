"""Keys and passwords in a report are covered, wherever in it they stand."""

from collections.abc import Collection, Iterator
from dataclasses import fields, is_dataclass, replace
from typing import TypeVar, cast

from surefoot.policy.secrets import covered, secrets_in
from surefoot.report.account import Account

T = TypeVar("T")


def safe(account: Account) -> Account:
    """The account, with a star for each byte of what looks like a secret in any of its texts."""
    secrets = frozenset[str]().union(*(secrets_in(text) for text in dict.fromkeys(_texts(account))))
    return _covered(account, secrets) if secrets else account


def _texts(held: object) -> Iterator[str]:
    if isinstance(held, str):
        yield held
    elif isinstance(held, tuple):
        for each in cast(tuple[object, ...], held):
            yield from _texts(each)
    elif is_dataclass(held):
        for field in fields(held):
            yield from _texts(getattr(held, field.name))


def _covered(held: T, secrets: Collection[str]) -> T:
    if type(held) is str:
        return cast(T, covered(held, secrets))
    if isinstance(held, tuple):
        return cast(T, tuple(_covered(each, secrets) for each in cast(tuple[object, ...], held)))
    if is_dataclass(held) and not isinstance(held, type):
        return replace(held, **{f.name: _covered(getattr(held, f.name), secrets) for f in fields(held)})
    return held
