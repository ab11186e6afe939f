"""The one spelling in which words are compared, and the scripts that are written without blanks."""

import unicodedata

from storyheat.core.text.simplified import simplified

# What is written without blanks, as in a class of a pattern: letters only, since the index knows no others.
EAST = "ぁ-ゖゝ-ゟァ-ヺー-ヿ々〇㐀-䶿一-鿿\uf900-\ufaff가-힯\U00020000-\U000323af"


def folded(text: str) -> str:
    """A text in the one spelling in which words are compared."""
    return simplified(unicodedata.normalize("NFKC", text)).casefold()
