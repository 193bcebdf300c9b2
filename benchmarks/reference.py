"""Where chunklab cuts otherwise than an independent program of the same idea, and what that does to the numbers.

python benchmarks/reference.py [--write]; needs ../shared/reference/expected.json beside the repository.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from results import conditions, table, write

from chunklab.chunking import chunk
from tests.reference import EXPECTED, expected, fixture, found, its_measures

SENTENCES = "sentence(size=2000,n=1)"
PARENT = "| itself() | parent(by=section,size=1200)"
WORDPIECES = "unit=tokens,tokenizer=minilm"

CASES = {
    "fills up to the size; there a paragraph stays alone": {
        "recursive000_200": "recursive(size=200,overlap=0,separators=notebook)",
        "recursive000_500": "recursive(size=500,overlap=0,separators=notebook)",
    },
    "fills a chunk again after a long piece": {
        "recursive002_500": "recursive(size=500,overlap=0)",
        "recursive002_800": "recursive(size=800,overlap=0)",
        "latepool_recursive002_500": "recursive(size=500,overlap=0) | late(overlap=64)",
        "lcchar_512_0": "recursive(size=512,overlap=0,separators=['\\n\\n','\\n','. ',' ',''])",
    },
    "overlaps at every joint, not only where a whole piece fits": {
        "lcchar_512_64": "recursive(size=512,overlap=64,separators=['\\n\\n','\\n','. ',' ',''])",
        "lcmd_512_64": "recursive(size=512,overlap=64,separators=markdown)",
        "lccl100k_512_64": "recursive(size=512,overlap=64,unit=tokens)",
        "lccl100k_128_16": "recursive(size=128,overlap=16,unit=tokens)",
    },
    "lines, list items and code end sentences; nothing is over the size": {
        "sentence003_500": "sentence(size=500)",
        "sentence002_500": "sentence(size=500)",
        "sentwin_0": SENTENCES,
        "sentwin_1": f"{SENTENCES} | itself() | window(n=1,of=chunks)",
        "sentwin_2": f"{SENTENCES} | itself() | window(n=2,of=chunks)",
        "sentwin_3": f"{SENTENCES} | itself() | window(n=3,of=chunks)",
    },
    "has other sentences, so other gaps to cut": {
        "semantic000_75": "semantic(percentile=75,buffer=0,size=5000,embedder=minilm)",
        "semantic000_95": "semantic(percentile=95,buffer=0,size=5000,embedder=minilm)",
        "semantic000_99": "semantic(percentile=99,buffer=0,size=5000,embedder=minilm)",
        "semantic003_0.3": "semantic(method=threshold,threshold=0.3,buffer=0,size=5000,embedder=minilm)",
        "semantic004_90": "semantic(percentile=90,buffer=0,size=5000,embedder=minilm)",
        "centroid_0.55_900": "centroid(threshold=0.45,size=900,embedder=minilm)",
        "centroid_0.6_none": "centroid(threshold=0.4,size=5000,embedder=minilm)",
        "centroid_0.3_900": "centroid(threshold=0.7,size=900,embedder=minilm)",
        "centroid_0.3_none": "centroid(threshold=0.7,size=5000,embedder=minilm)",
    },
    "keeps a heading without text with what follows it": {
        "structural002_verbatim": "markdown(max_size=5000)",
        "structural_fence": "markdown(max_size=5000)",
        "structural_path": "markdown(max_size=5000) | headings()",
        "structural_path_nohdronly": "markdown(max_size=5000) | headings()",
        "structural_recursive_500": "markdown(max_size=500)",
    },
    "lets children run on over a parent's edge": {
        "parent_64": f"fixed(size=64,{WORDPIECES}) {PARENT}",
        "parent_32": f"fixed(size=32,{WORDPIECES}) {PARENT}",
    },
    "puts another text before the same paragraphs": {
        "late000_prefix": "paragraph(max_size=1000) | prefix(chars=120)",
        "ctx_paragraph": "paragraph(max_size=1000) | headings()",
    },
    "puts the summary before the same windows, not after": {
        "summary_fixed_500_50": "fixed(size=500,overlap=50) | summary()",
    },
}
"""How ours differs -> its name -> the nearest recipe."""
SHOWN = ("n_chunks", "max_chars", "hit@1", "contain@1", "span_recall@3", "iou@3", "span_recall@1000c")


def rows() -> list[list[str]]:
    """A line for each configuration: its number, then ours."""
    made = []
    for how, cases in CASES.items():
        for name, recipe in cases.items():
            ours = its_measures(*found(fixture(), recipe, chunk, "minilm"))
            theirs = expected()["fixture"]["results"][name]["minilm"]
            pairs = []
            for each in SHOWN:
                form = "d" if each in ("n_chunks", "max_chars") else ".3f"
                mean = ours[each] if form == "d" else ours[each].mean()
                pairs.append(f"{theirs[each]:{form}} / {mean:{form}}")
            made.append([name, f"`{recipe}`", *pairs, how])
    return made


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="put the table into RESULTS.md")
    asked = parser.parse_args()
    if not EXPECTED.is_file():
        parser.error("the reference results are not beside the repository: ../shared/reference/expected.json")
    made = rows()
    words = [[row[0], row[1].replace("|", "\\|"), row[-1], *row[2:-1]] for row in made]
    head = ["its name", "nearest recipe", "what ours does", "chunks", "longest", *SHOWN[2:]]
    text = "\n".join(
        [
            "## Where ours cuts otherwise",
            "",
            conditions("numpy", "torch", "sentence-transformers"),
            "An independent program's configurations on three documents with 24 questions, MiniLM, its number / ours,",
            "in its measures. One question more or less is 0.042. What is not listed here cuts as ours does and gives",
            "the same numbers (tests/test_reference.py).",
            "",
            table(head, words, words=3),
        ]
    )
    print(text)
    if asked.write:
        write("reference", text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
