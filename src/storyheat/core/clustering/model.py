"""The nouns of clustering: the item as the clusterer sees it, its decision, and every number that tunes it."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta

from storyheat.core.clustering.index import IndexParams
from storyheat.core.clustering.score import DORMANT_WEIGHTS, TITLE_WEIGHTS, UNTIMED_WEIGHTS, WEIGHTS
from storyheat.core.clustering.semantic_weights import SemanticParams
from storyheat.core.clustering.state import StateParams
from storyheat.core.clustering.vectors import WeightParams
from storyheat.core.model import Role
from storyheat.core.text.names import NO_NAMES_KNOWN, Names

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ClusterParams:
    """Every number that tunes clustering, with its unit and where it comes from; and the names it knows."""

    weigh: WeightParams = field(default_factory=WeightParams)
    state: StateParams = field(default_factory=StateParams)
    index: IndexParams = field(default_factory=IndexParams)
    weights: tuple[float, ...] = WEIGHTS  # logistic, in the order of FEATURES; scripts/train_cluster.py
    title_weights: tuple[float, ...] = TITLE_WEIGHTS  # the same for items without a lead
    untimed_weights: tuple[float, ...] = UNTIMED_WEIGHTS  # the same in streams without times
    dormant_weights: tuple[float, ...] = DORMANT_WEIGHTS  # for closed stories, which only items with a lead can wake
    names: Names = NO_NAMES_KNOWN  # that ship, and the operator's: see storyheat.background
    semantic: SemanticParams = field(default_factory=SemanticParams)
    threshold: float = 0.0  # z from which an item joins; scripts/train_cluster.py moves the bias to fit it
    close_look: int = 4  # candidates fully scored, for speed; all 8 would lift the ceiling by < .004 F1 (titles .01)
    sentence_mention: float = 0.30  # cosine of the best sentence from which a story is mentioned; prototype
    mention_z: float = 0.0  # z without what punishes several topics, from which a story is mentioned; as joining
    roundup_mention_z: float = -1.0  # the same for round-ups, which spread over many topics; seed story
    exclusive_stories: float = 4.0  # a name in more stories is not exclusive; prototype
    exclusive_share: float = 2e-5  # nor is one that ordinary texts have; prototype

    def weights_for(self, lead_chars: int, *, timed: bool = True, dormant: bool = False) -> tuple[float, ...]:
        """The weights for an item with a lead of this length, and an open story or a dormant one."""
        if dormant:
            return self.dormant_weights
        if lead_chars:
            return self.weights
        return self.title_weights if timed else self.untimed_weights


@dataclass(frozen=True, slots=True)
class Doc:
    """What the clusterer sees of one item. `at` is aware; None: the stream has no times."""

    id: str
    at: datetime | None
    title: str
    text: str
    source: str = ""  # an owner or source id; "" is unknown
    digest: bool = False  # from a source whose items are collections
    language: str | None = None
    url: str | None = None
    links: tuple[str, ...] = ()  # addresses that its text links to, as far as the text itself does not show them

    def seconds(self) -> int | None:
        """`at` as whole seconds since 1970 UTC."""
        return None if self.at is None else (self.at - _EPOCH) // timedelta(seconds=1)


@dataclass(frozen=True, slots=True)
class Mention:
    """A story that an item touches without being about it."""

    story: str
    cosine: float  # of the item's best sentence with the story
    z: float  # score without what punishes several topics
    cosine_limit: float  # from which cosine on an item mentions a story, whatever its score
    z_limit: float  # from which score on, whatever its sentences


@dataclass(frozen=True, slots=True)
class Placement:
    """One decision. `because` is a record for `explain`: features, z, threshold, the nearest and the runner-up."""

    item: str
    story: str | None  # joined or founded; None: only a mention
    founded: bool
    role: Role  # REPORT or MENTION; copies are found by identity of text, elsewhere
    mentions: tuple[Mention, ...]
    because: dict[str, object]
