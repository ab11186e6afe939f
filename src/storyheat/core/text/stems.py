"""The stem of an English word, so that `resigns`, `resigned` and `resignation` are one term."""

import re

_VOWEL = re.compile(r"[aeiouy]")
_LONG_WORD = 4  # letters; shorter words stay as they are
_LEAST_STEM = 4  # letters that a longer ending must leave

# Endings that make another kind of word; the first that fits is cut or put into another form.
_ENDINGS = (
    ("ational", "at"), ("ization", "iz"), ("isation", "iz"), ("fulness", ""), ("iveness", ""), ("ously", ""),
    ("ally", ""), ("ation", ""), ("ition", ""), ("ment", ""), ("ness", ""), ("ance", ""), ("ence", ""), ("able", ""),
    ("ible", ""), ("ator", ""), ("tion", "t"), ("sion", "s"), ("ious", ""), ("ous", ""), ("ive", ""), ("ity", ""),
    ("ist", ""), ("ism", ""), ("ian", ""), ("ese", ""), ("ish", ""), ("ly", ""), ("al", ""), ("er", ""), ("or", ""),
    ("ic", ""), ("ate", ""),
)  # fmt: skip

# Forms that no ending leads to, of words that news is made of; the first one stands for all.
_FAMILIES = """
    shoot shot shots shooting shootings shooter shooters shoots
    kill killed killer killers killing killings kills
    die dead died dies death deaths dying
    wound wounded wounding wounds
    injure injured injures injury injuries
    win won wins winner winners winning
    fall fell falls fallen falling
    rise rose rises risen rising
    strike struck strikes striking
    buy bought buys buying buyer buyers
    sell sold sells selling sale sales
    sue sued sues suing lawsuit lawsuits
    leave left leaves leaving
    steal stole stolen steals stealing theft
    hold held holds holding
    meet met meets meeting meetings
    lose lost loses losing loss losses
    find found finds finding
    fight fought fights fighting
    send sent sends sending
    lead led leads leading
    build built builds building
    beat beaten beats beating
    choose chose chosen chooses choosing choice
    flee fled flees fleeing
    break broke broken breaks breaking
    begin began begun begins beginning
    drive drove driven drives driving
    fly flew flown flies flying flight flights
    grow grew grown grows growing growth
    speak spoke spoken speaks speaking speech speeches
    pay paid pays paying payment payments
    attack attacked attacks attacking attacker attackers
    elect elected elects electing election elections electoral
    acquire acquired acquires acquiring acquisition acquisitions
    decide decided decides deciding decision decisions
    invade invaded invades invading invasion
    explode exploded explodes exploding explosion explosions
    nominate nominated nominates nominating nomination nominations nominee nominees
    approve approved approves approving approval
    refuse refused refuses refusing refusal
    propose proposed proposes proposing proposal proposals
    argue argued argues arguing argument arguments
    survive survived survives surviving survivor survivors
    apologise apologised apologises apology apologies apologize apologized apologizes
"""
_ANY_ENDING = tuple([ending for ending, _ in _ENDINGS])  # asked for at once, since most words have none
_FORMS = {form: family.split()[0] for family in _FAMILIES.strip().splitlines() for form in family.split()}


def stem(word: str) -> str:
    """The stem of a lower-case word; words that are not plain English letters, and short ones, stay as they are."""
    if word in _FORMS:
        return _FORMS[word]
    if not word.isascii() or len(word) < _LONG_WORD:
        return word
    word = _without_inflection(word)
    for ending, left in _ENDINGS if word.endswith(_ANY_ENDING) else ():
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST_STEM:
            word = word[: -len(ending)] + left
            break
    if word.endswith("y") and len(word) > _LONG_WORD:
        word = word[:-1] + "i"
    return word[:-1] if word.endswith("e") and len(word) > _LONG_WORD else word


def _without_inflection(word: str) -> str:
    """Without plural, -ing and -ed."""
    if word.endswith("ies") and len(word) > len("ties"):
        word = word[:-3] + "y"
    elif word.endswith(("sses", "shes", "ches", "xes", "zes")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    for ending in ("ing", "ed"):
        rest = word[: -len(ending)]
        if word.endswith(ending) and len(rest) > 2 and _VOWEL.search(rest):
            if rest.endswith(("at", "iz")):
                return rest + "e"
            return rest[:-1] if rest[-1] == rest[-2] and rest[-1] not in "lsz" else rest
    return word
