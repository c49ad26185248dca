"""Passwords: kept as argon2id hashes, with a check that takes as long for an unknown name as for a wrong password."""

from functools import cache

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from assent.errors import InputError

SHORTEST = 10


@cache
def _hasher() -> PasswordHasher:
    return PasswordHasher()


@cache
def _nobody() -> str:
    """A hash to compare with when the name is unknown, so that the time taken tells nothing."""
    return _hasher().hash("the password of nobody")


def hashed(password: str) -> str:
    """The argon2id hash of a new password; refuses a short one."""
    if len(password) < SHORTEST:
        raise InputError(f"the password has {len(password)} characters", hint=f"use {SHORTEST} or more")
    return _hasher().hash(password)


def is_right(stored: str | None, password: str) -> bool:
    """Whether the password belongs to the stored hash (None: no such researcher)."""
    try:
        return _hasher().verify(stored or _nobody(), password) and stored is not None
    except (VerificationError, InvalidHashError):
        return False
