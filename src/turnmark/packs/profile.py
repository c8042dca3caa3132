"""The vocabulary of user profiles: how risk levels, horizons, limits and asset classes are said."""

from __future__ import annotations

import functools

import msgspec

from turnmark.packs.loading import digest, parse, shipped


class Level(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """One value of a field.

    ``says`` states it by itself (稳健型), ``marked`` beside a marker of the field (medium); ``near`` says part of it,
    ``serves`` is what an answer says that attends to it, ``tells`` are patterns (packs/rules.py) of everyday words by
    which users say it of themselves.
    """

    says: list[str] = []
    marked: list[str] = []
    near: list[str] = []
    serves: list[str] = []
    tells: list[str] = []


class LevelField(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A field with named values.

    ``markers`` name the field (风险承受能力), ``loose`` ones name that of products too (风险等级).
    """

    markers: list[str]
    loose: list[str] = []
    values: dict[str, Level]


class Horizon(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Investment horizons: bounds of each value in months, and the coarse words that stand for it."""

    markers: list[str]
    plans: list[str]
    unrelated: list[str]
    bounds: dict[str, list[float]]
    words: dict[str, list[str]]


class Limit(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A constraint with or without a number.

    ``target`` are words by which a constraint is known to be of this kind; ``about`` what it is about in a text;
    ``core`` are those of them that an answer must name, ``also`` words that touch the constraint without its number;
    ``stance`` is whether it keeps the user away from that or asks for it, ``unit`` the unit of its number.
    """

    target: list[str]
    about: list[str]
    stance: str = "against"
    unit: str = ""
    core: list[str] = []
    also: list[str] = []


class Family(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """An asset class or product family: other names, members, and the wider classes that only partly name it."""

    names: list[str]
    members: list[str] = []
    wider: list[str] = []


class Attribution(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """How a reply says something of this user, and what only looks like it.

    ``user`` names the user (您); ``aside`` names the user but says nothing of him (建议您). ``product`` are nouns that
    make a level theirs (稳健型基金); ``advice`` stands between the user and a value in advice (您不要用杠杆).
    ``against`` and ``rule`` tell what the user keeps away from (您不碰, 您的底线), ``wanting`` what the user likes,
    ``limit`` that a number is a limit of the user's, ``plans`` that a stretch of time is (三年后买房).
    """

    user: list[str] = []
    aside: list[str] = []
    product: list[str] = []
    advice: list[str] = []
    against: list[str] = []
    rule: list[str] = []
    wanting: list[str] = []
    limit: list[str] = []
    plans: list[str] = []


class SpokenWords(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """Words of the user's own turns.

    ``others`` name somebody else, whose value it then is (my brother), unless one of ``own`` follows; ``past`` before
    a value and ``ended`` behind it tell that it is over; ``needs`` speak of when the money is needed, by which a
    duration is the horizon, unless one of ``unrelated`` stands beside it; ``soon`` is within a month. ``accepting``
    tell that the user would take what a constraint rules out, ``refusing`` that he would not, ``setting`` that he sets
    an amount; ``telling`` that he knows nothing of a thing or has not tried it, which rules out nothing.
    """

    others: list[str] = []
    own: list[str] = []
    past: list[str] = []
    ended: list[str] = []
    needs: list[str] = []
    unrelated: list[str] = []
    soon: list[str] = []
    accepting: list[str] = []
    refusing: list[str] = []
    setting: list[str] = []
    telling: list[str] = []


class Canonical(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """One constraint in its canonical spelling, ``{}`` for its number; ``words`` are how it is known."""

    form: str
    words: list[str]


class ProfilePack(msgspec.Struct, kw_only=True, forbid_unknown_fields=True):
    """A file of profile vocabulary in one language.

    ``suits`` stands before a level that a product is meant for (适合风险偏好保守的), which says nothing of the user.
    ``topics`` are wide classes that a user can prefer by name (债券, ETF), each with its other names; nothing is one of
    their members. ``labels`` are the names that a record of a user gives its fields: ``risk``, ``horizon``,
    ``liquidity``,
    ``constraints``, ``preferences``, ``avoided``, ``loss``; those listed as ``loose`` too count only in a record, not
    where somebody speaks.
    """

    pack: str
    version: str
    language: str
    jurisdiction: str = ""
    source: str = ""
    effective: str = ""
    reviewer: str = ""
    owner: list[str] = []
    address: list[str] = []
    speaker: list[str] = []
    bounding: list[str] = []
    tolerance: list[str] = []
    others: list[str] = []
    suits: list[str] = []
    towards: list[str] = []
    rejecting: list[str] = []
    wanting: list[str] = []
    filler: list[str] = []
    common: list[str] = []
    labels: dict[str, list[str]] = {}
    risk: LevelField
    liquidity: LevelField
    horizon: Horizon
    limits: dict[str, Limit] = {}
    topics: dict[str, list[str]] = {}
    families: dict[str, Family] = {}
    spoken: SpokenWords = msgspec.field(default_factory=SpokenWords)
    attribution: Attribution = msgspec.field(default_factory=Attribution)
    canonical: dict[str, Canonical] = {}


@functools.cache
def profile_pack(language: str = "zh") -> tuple[ProfilePack, dict[str, str]]:
    """The shipped vocabulary of a language, and ``{pack@version: digest}``.

    Raises: PackError when the file is wrong.
    """
    name = f"finance/profile.{language}.yaml"
    raw = shipped(name)
    pack = parse(raw, f"turnmark:{name}", ProfilePack)
    return pack, {f"{pack.pack}@{pack.version}": digest(raw)}
