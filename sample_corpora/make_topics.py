"""Writes the documents and questions of the corpus topics: `python make_topics.py [--seed 42] [--into FOLDER]`.

Ten topics of one paragraph each are drawn into 40 documents of two or three, so it is known by
construction which documents answer a question, and where.
"""

from __future__ import annotations

import argparse
import json
import random
from pathlib import Path

DOCUMENTS = 40

TOPICS = {
    "bread": (
        "A sourdough starter is a jar of flour and water in which wild yeast and lactic acid bacteria live "
        "side by side. On the kitchen counter it has to be fed twice a day, while in a cold larder one "
        "meal a week will do. The acid it makes holds back mould in the finished loaf and gives the crumb "
        "its tang."
    ),
    "glacier": (
        "Snow that outlasts many summers is pressed into ice so dense that it looks blue. The ice creeps "
        "downhill under its own weight, faster along the middle of the valley than beside the rock walls. "
        "Where it melts it drops a ridge of rubble called a moraine, which shows how far the tongue once "
        "reached."
    ),
    "bees": (
        "A honeybee back from a rich patch of clover runs a figure of eight on the comb. The slant of her "
        "run gives the direction as seen from the sun, and how long she waggles gives the distance. In "
        "winter the whole colony hangs in a tight ball and shivers its wing muscles to keep the queen "
        "warm."
    ),
    "tide mill": (
        "A tide mill shuts its gates at high water and holds the sea in a pond behind a dam. Once the ebb "
        "has dropped far enough, the miller lets the pond out under a wheel and grinds for about five "
        "hours. Because the tides come some fifty minutes later each day, his shift wanders right round "
        "the clock."
    ),
    "violin": (
        "The belly of a violin is carved from spruce and its back from maple, each about three millimetres "
        "thick. Inside, near one foot of the bridge, stands a loose spruce dowel, the sound post, which "
        "carries the vibration from front to back. Push it aside by a hair's breadth and the instrument "
        "turns dull or shrill."
    ),
    "railway": (
        "On a single-track line a driver may enter a section only with its token in the cab. The token is "
        "a metal staff kept in a pair of machines, one at either end, which release no more than one at a "
        "time. Two trains can therefore not meet head-on between stations, even if every lamp has gone "
        "out."
    ),
    "coffee": (
        "Green coffee beans smell of hay until the drum of the roaster brings them close to two hundred "
        "degrees. Then they crack like popcorn, and from that noise on the operator counts the seconds. A "
        "light roast is tipped out soon after, while a dark one waits for a second, softer crackle and "
        "comes out oily."
    ),
    "reef": (
        "A coral reef is the work of polyps, most no bigger than a pea, that lay down limestone beneath "
        "themselves. They live mainly on sugar from algae lodged in their own tissue. If the water stays a "
        "degree or two too warm for some weeks, the polyps throw their lodgers out, turn white, and may "
        "starve."
    ),
    "type": (
        "Metal type is cast from lead, tin and antimony, an alloy that hardly shrinks as it sets. The "
        "compositor picks letter after letter from a wooden case and lines them up upside down in a stick "
        "held in the left hand. When the edition has been run off, every piece is cleaned and dropped back "
        "into its own box."
    ),
    "qanat": (
        "A qanat leads groundwater to a desert village through a tunnel that slopes gently for many "
        "kilometres. Shafts sunk every few dozen paces give the diggers air and let them haul up the "
        "spoil. Nothing has to be pumped, and so deep below the ground the sun takes hardly a drop."
    ),
}

# kind, topic, text
QUESTIONS = (
    (
        "fact",
        "bread",
        "How often must a baker give the starter fresh flour if it stands at room temperature?",
    ),
    ("fact", "glacier", "What in the landscape tells hikers how much of a valley was filled with ice?"),
    ("fact", "bees", "How does a forager tell her nest mates the way to a patch of flowers?"),
    ("cause", "tide mill", "Why could the man at the sea dam not start work at the same hour every day?"),
    ("fact", "violin", "Which hidden part of a string instrument spoils its tone when it slips?"),
    ("cause", "railway", "What keeps trains from colliding where both directions share one pair of rails?"),
    ("fact", "coffee", "What does one listen for to know that a batch of beans will soon be done?"),
    ("cause", "reef", "What makes tropical coral lose its colour?"),
    ("fact", "type", "What happens to the metal letters once a book has been printed?"),
    ("fact", "qanat", "How can a village in a dry land be supplied from far away without machines?"),
    ("fact", "bees", "By what means do the insects of a hive live through frost?"),
    ("fact", "coffee", "How do strongly roasted beans look different from mildly roasted ones?"),
)


def files(seed: int = 42) -> dict[str, str]:
    """File name -> text: the documents, then questions.jsonl; the same seed gives the same files."""
    draw = random.Random(seed)
    names = list(TOPICS)
    made = {}
    for number in range(DOCUMENTS):
        drawn = draw.sample(names, draw.randrange(2, 4))
        made[f"doc{number:02d}.txt"] = "\n\n".join(TOPICS[name] for name in drawn) + "\n"
    lines = []
    for number, (kind, topic, text) in enumerate(QUESTIONS, 1):
        quote = TOPICS[topic]
        evidence = [
            {"document": name, "start": start, "end": start + len(quote), "quote": quote}
            for name, document in made.items()
            if (start := document.find(quote)) >= 0
        ]
        record = {"id": f"t{number:02d}", "kind": kind, "text": text, "evidence": evidence}
        lines.append(json.dumps(record) + "\n")
    return made | {"questions.jsonl": "".join(lines)}


if __name__ == "__main__":
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--seed", type=int, default=42)
    options.add_argument("--into", type=Path, default=Path(__file__).parent / "topics")
    chosen = options.parse_args()
    chosen.into.mkdir(parents=True, exist_ok=True)
    for name, text in files(chosen.seed).items():
        (chosen.into / name).write_bytes(text.encode("utf-8"))
