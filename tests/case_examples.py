"""For every check that reads chunks: one result for which it holds and one for which it fails."""

from __future__ import annotations

from typing import Any

from tests.case_model import Case, Check, Piece, Result

CASE = Case("example-1", "example", "text", "", {}, ())


def result(facts: dict[str, Any] | None = None, **fields: Any) -> Result:
    """A result with these facts and fields."""
    made = Result(CASE, dict(facts or {}), **fields)
    made.siblings = made.siblings or [made]
    return made


def cut(text: str, /, *spans: tuple[int, int], **changes: Any) -> Result:
    """A result whose chunks are these spans of the text; `changes` belong to the first chunk or are facts."""
    fields = {name: changes.pop(name) for name in list(changes) if name in Piece.__slots__}
    pieces = [Piece(a, b, text[a:b], at, returned=(a, b)) for at, (a, b) in enumerate(spans)]
    for name, value in fields.items():
        setattr(pieces[0], name, value)
    facts = {
        "text": text,
        "pieces": pieces,
        "documents": [(text, pieces)],
        "windows": [p.returned for p in pieces],
    }
    facts["returned_texts"] = [text[slice(*each.returned)] for each in pieces]
    return result(facts | changes)


def runs(*counts: int) -> Result:
    """The first of several runs, with 1, 2, 3 … as the value under test and so many chunks each."""
    made = [cut("abcdef", *[(0, 1)] * count) for count in counts]
    for value, each in enumerate(made, 1):
        each.value, each.siblings = value, made
    return made[0]


AB = "ab cd"
SENTENCES = [(0, "One. "), (5, "Two.")]

# op, its fields, a result that holds, a result that fails
TEXT: list[tuple[str, dict[str, Any], Result, Result]] = [
    ("slice", {}, cut(AB, (0, 5)), cut(AB, (0, 5), text="ab-cd")),
    ("cover", {"ignore": "ws"}, cut(AB, (0, 2), (3, 5)), cut(AB, (0, 2), (4, 5))),
    ("cover", {"ignore": "none"}, cut(AB, (0, 3), (3, 5)), cut(AB, (0, 2), (3, 5))),
    ("monotonic", {}, cut(AB, (0, 2), (1, 5)), cut(AB, (0, 2), (0, 5))),
    ("no_empty", {}, cut(AB, (0, 2)), cut(AB, (0, 2), (2, 3))),
    ("index_contiguous", {}, cut(AB, (0, 2), (2, 5)), cut(AB, (0, 2), (2, 5), index=7)),
    ("spans", {"value": [[0, 2], [3, 5]]}, cut(AB, (0, 2), (3, 5)), cut(AB, (0, 2), (2, 5))),
    ("texts", {"value": ["ab ", "cd"]}, cut(AB, (0, 3), (3, 5)), cut(AB, (0, 2), (3, 5))),
    ("texts_stripped", {"value": ["ab", "cd"]}, cut(AB, (0, 3), (3, 5)), cut(AB, (0, 2), (4, 5))),
    ("starts_stripped", {"value": [0, 3]}, cut(AB, (0, 2), (2, 5)), cut(AB, (0, 2), (4, 5))),
    ("starts_in", {"allowed": [0, 2, 3]}, cut(AB, (0, 2), (2, 5)), cut(AB, (0, 2), (1, 5))),
    ("max_len", {"unit": "char", "le": 3}, cut(AB, (0, 3)), cut(AB, (0, 4))),
    ("max_len", {"unit": "word", "le": 1}, cut(AB, (0, 3)), cut(AB, (0, 4))),
    ("max_len", {"unit": "token:cl100k_base", "le": 2}, cut(AB, (0, 5)), cut(AB * 9, (0, 45))),
    ("max_len_with_prefix", {"unit": "char", "le": 3}, cut(AB, (0, 2), context="x"),
     cut(AB, (0, 2), context="xy")),
    ("oversize_flagged", {}, cut(AB, (0, 5), oversize={"long": [True], "marked": {0}}),
     cut(AB, (0, 5), oversize={"long": [True], "marked": set()})),
    ("boundary_at", {"offsets": [3]}, cut(AB, (0, 3), (3, 5)), cut(AB, (0, 3), (2, 5))),
    ("boundary_not_in", {"offsets": [1, 4]}, cut(AB, (0, 3), (3, 5)), cut(AB, (0, 4), (3, 5))),
    ("boundaries_at_line_starts", {}, cut("a\nb", (0, 2), (2, 3)), cut("a\nb", (0, 1), (1, 3))),
    ("not_split", {"string": "cd"}, cut(AB, (0, 5)), cut(AB, (0, 4), (4, 5))),
    ("not_split_any", {"strings": ["ab", "cd"]}, cut(AB, (0, 5)), cut(AB, (0, 4), (4, 5))),
    ("no_interior", {"string": " "}, cut(AB, (0, 3), (3, 5)), cut(AB, (0, 5))),
    ("present", {"string": "cd"}, cut(AB, (0, 5)), cut(AB, (0, 3))),
    ("absent", {"string": "cd"}, cut(AB, (0, 3)), cut(AB, (0, 5))),
    ("order", {"strings": ["ab", "cd"]}, cut(AB, (0, 3), (3, 5)), cut(AB, (3, 5), (0, 3))),
    ("each_once", {"strings": ["ab"]}, cut(AB, (0, 2), (3, 5)), cut(AB, (0, 2), (0, 5))),
    ("no_chunk_startswith", {"any": [" "]}, cut(AB, (0, 3), (3, 5)), cut(AB, (0, 2), (2, 5))),
    ("no_chunk_contains_all", {"strings": ["ab", "cd"]}, cut(AB, (0, 3), (3, 5)), cut(AB, (0, 5))),
    ("trim_consistent", {}, cut(AB, (0, 2), (3, 5)), cut("a b c", (0, 1), (1, 3))),
]  # fmt: skip

STRUCTURE: list[tuple[str, dict[str, Any], Result, Result]] = [
    ("headings", {"value": [[1, "A", 0]]}, result({"headings": [(1, "A", 0)]}),
     result({"headings": [[1, "A", 1]]})),
    ("heading_path", {"at": "cd", "value": ["A"]}, cut(AB, (3, 5), path=("A",)),
     cut(AB, (3, 5), path=("A", "B"))),
    ("heading_path", {"at": "cd", "value": ["A"]}, cut(AB, (3, 5), path=("A",)),
     cut(AB, (0, 2), path=("A",))),
    ("front_matter", {"span": [0, 2]}, result({"front_matter": (0, 3), "text": "ab\ncd"}),
     result({"front_matter": None, "text": "ab\ncd"})),
    ("sentences", {"value": ["One.", "Two."]}, result({"sentences": ["One. ", "Two."]}),
     result({"sentences": ["One. Two."]})),
    ("sentence_count", {"eq": 2}, result({"sentence_spans": SENTENCES}),
     result({"sentence_spans": SENTENCES[:1]})),
    ("ends_at_sentence_end", {}, cut("One. Two.", (0, 5), sentence_spans=SENTENCES),
     cut("One. Two.", (0, 6), sentence_spans=SENTENCES)),
    ("boundary_sentence", {"index": 1}, cut("One. Two.", (0, 4), (4, 9), sentence_spans=SENTENCES),
     cut("One. Two.", (0, 9), sentence_spans=SENTENCES)),
    ("windows", {"value": [[0, 2]]}, cut(AB, (0, 2), windows=[(0, 3)]), cut(AB, (0, 2), windows=[(0, 4)])),
    ("window_is_slice", {}, cut(AB, (0, 2), windows=[(0, 5)], returned_texts=[AB]),
     cut(AB, (0, 2), windows=[(0, 5)], returned_texts=["ab  cd"])),
    ("children_in_parent", {"map": [0, 0]}, cut(AB, (0, 2), (3, 5), windows=[(0, 5), (0, 5)]),
     cut(AB, (0, 2), (3, 5), windows=[(0, 2), (0, 2)])),
    ("topk_parents_unique", {}, result({"returned_top": [(0, 2), (2, 4)]}),
     result({"returned_top": [(0, 2), (0, 2)]})),
    ("count", {"eq": 2}, cut(AB, (0, 2), (2, 5)), cut(AB, (0, 5))),
    ("count", {"ge": 2}, cut(AB, (0, 2), (2, 5)), cut(AB, (0, 5))),
    ("count", {"le": 1}, cut(AB, (0, 5)), cut(AB, (0, 2), (2, 5))),
    ("count", {"parents": 1, "children": 2}, cut(AB, (0, 2), (3, 5), windows=[(0, 5), (0, 5)]),
     cut(AB, (0, 2), (3, 5))),
    ("per_document", {"value": [[[0, 5]]]}, cut(AB, (0, 5)), cut(AB, (0, 2), (2, 5))),
    ("reported_overlap_is_actual", {}, cut(AB, (0, 3), (2, 5), reported_overlaps=[1]),
     cut(AB, (0, 3), (3, 5), reported_overlaps=[1])),
    ("context_not_in_span", {}, cut(AB, (3, 5), context="ab"), cut(AB, (0, 5), context="ab")),
    ("each_chunk_with", {"string": "cd", "also_has_context": "h"}, cut(AB, (3, 5), context="h"),
     cut(AB, (3, 5))),
    ("embedded_text_startswith", {"value": "From: "}, cut(AB, (0, 5), context="From: "), cut(AB, (0, 5))),
    ("non_increasing", {}, runs(3, 2, 2), runs(2, 3)),
    ("count_at", {"percentile": 2, "eq": 1}, runs(3, 1), runs(3, 2)),
    ("compare", {"strategy": "fixed", "count": 1}, result({"with_changes": lambda changes: cut(AB, (0, 5))}),
     result({"with_changes": lambda changes: cut(AB, (0, 2), (2, 5))})),
    ("any_of", {"checks": [[{"op": "no_empty"}, {"op": "spans", "value": [[0, 5]]}], [{"op": "error"}]]},
     cut(AB, (0, 5)), cut(AB, (0, 2))),
    ("also", {}, result({"further": [[cut(AB, (0, 5))]]}),
     result({"further": [[cut(AB, (0, 5)), cut(AB, (2, 3))]]})),
]  # fmt: skip
for _op, _fields, *_results in STRUCTURE:
    if _op == "also":
        for _result in _results:
            _result.case = Case(
                "example-2", "example", "text", "", {}, (Check(op="no_empty"), Check(op="also"))
            )
