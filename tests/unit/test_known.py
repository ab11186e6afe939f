"""What was read of one state is read once."""

from collections.abc import Mapping

from storyheat.store.known import Known


def test_an_answer_is_found_once() -> None:
    known, calls = Known(), list[str]()

    def find() -> int:
        calls.append("find")
        return 7

    assert [known.one("seven", find), known.one("seven", find)] == [7, 7]
    assert calls == ["find"]


def test_of_many_only_the_new_are_read_and_nothing_is_an_answer_too() -> None:
    known, calls = Known(), list[list[str]]()

    def lengths(new: list[str]) -> Mapping[str, int]:
        calls.append(new)
        return {one: len(one) for one in new if one != "none"}

    assert known.each("lengths", ["bb", "none", "a"], lengths) == {"bb": 2, "a": 1}
    assert known.each("lengths", ["a", "none", "ccc"], lengths) == {"a": 1, "ccc": 3}
    assert known.each("other", ["a"], lengths) == {"a": 1}
    assert calls == [["bb", "none", "a"], ["ccc"], ["a"]]


def test_too_much_is_let_go() -> None:
    known, calls = Known(most=2), list[str]()
    for key in ("a", "b", "c", "c", "a"):
        known.one(key, lambda key=key: calls.append(key))  # type: ignore[misc]
    assert calls == ["a", "b", "c", "a"]
