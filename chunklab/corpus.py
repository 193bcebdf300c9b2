"""A corpus: a folder of documents and, beside them, questions with the places that answer them."""

from __future__ import annotations

import dataclasses
import hashlib
import os
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from chunklab.anchor import find_quote
from chunklab.errors import CorpusError, IntakeError, shown
from chunklab.intake import MEDIA_TYPES, read_bytes
from chunklab.questions import QUESTIONS, parse_questions
from chunklab.types import Document, Evidence, Question

SUFFIXES = tuple(each for each in MEDIA_TYPES if each not in (".jsonl", ".ndjson"))
NOT_DOCUMENTS = ("source.md", "readme.md")


@dataclass(frozen=True)
class Corpus:
    """Documents in the order of their ids, and questions whose evidence lies in them.

    `notices` are sentences about links and questions; each document carries its own.
    """

    name: str
    documents: tuple[Document, ...]
    questions: tuple[Question, ...] = ()
    notices: tuple[str, ...] = ()

    @cached_property
    def digest(self) -> str:
        """SHA-256 of everything an evaluation reads, in hexadecimal."""
        facts = [f"{each.id} {each.media_type} {each.digest}" for each in self.documents]
        facts += [repr(question) for question in self.questions]
        return hashlib.sha256("\n".join(facts).encode("utf-8", "surrogatepass")).hexdigest()


def load_corpus(folder: str | os.PathLike[str]) -> Corpus:
    """The corpus in a folder and the folders below it; document ids are relative POSIX paths.

    Hidden files, links that lead out of the folder, and README.md and SOURCE.md beside questions.jsonl
    are left out. Raises CorpusError, in one line, for anything that cannot be used.
    """
    try:
        root = Path(folder).resolve()
        what = "" if root.is_dir() else "which is a file" if root.exists() else "which does not exist"
    except (OSError, ValueError, RuntimeError):
        what = "which is no usable path"
    if what:
        raise CorpusError(f"corpus: must be a folder, got {shown(str(folder))}, {what}. Check the path.")
    name = _printable(root.name or str(root))
    paths, notices = _files(root)
    documents = tuple(_document(id, path) for id, path in paths.items() if id != QUESTIONS)
    if not documents:
        raise CorpusError(
            f"corpus {name}: must hold at least one file of a known ending (.txt, .md, .html, .py, …) "
            "besides README.md and SOURCE.md, got none. Put a document into the folder."
        )
    questions: tuple[Question, ...] = ()
    if QUESTIONS in paths:
        questions, about = parse_questions(_utf8(_bytes(QUESTIONS, paths[QUESTIONS])), documents)
        notices += about
    return Corpus(name, documents, questions, notices)


def join_corpora(name: str, corpora: Iterable[Corpus]) -> Corpus:
    """All documents and questions of several corpora as one; raises CorpusError when an id comes twice."""
    corpora = tuple(corpora)
    documents = tuple(each for corpus in corpora for each in corpus.documents)
    questions = tuple(each for corpus in corpora for each in corpus.questions)
    for records in (documents, questions):
        seen: set[str] = set()
        for each in records:
            if each.id in seen:
                raise CorpusError(f"corpus {name}: ids must differ, got {shown(each.id)} twice. Rename one.")
            seen.add(each.id)
    return Corpus(name, documents, questions, tuple(each for corpus in corpora for each in corpus.notices))


def with_copies(corpus: Corpus) -> Corpus:
    """The corpus with every verbatim copy of an evidence text as an alternative of it, and a notice that says so.

    A copy is the same characters anywhere in the documents, not inside a longer word. Copies that overlap
    other evidence of the same question are left out: those are parts of their own.
    """
    texts = {each.id: each.text for each in corpus.documents}
    quotes = {part: texts[part.document_id][part.span.start : part.span.end] for part in _parts(corpus)}
    copies: dict[str, list[Evidence]] = {quote: [] for quote in quotes.values()}
    for document in corpus.documents:
        for quote in copies:
            if quote in document.text:
                found = find_quote(document.text, quote, whole_words=True)
                copies[quote] += [Evidence(document.id, span) for span in found]
    questions, added, parts = [], 0, 0
    for question in corpus.questions:
        taken = [place for part in question.evidence for place in part.places]
        evidence = []
        for part in question.evidence:
            new = [each for each in copies[quotes[part]] if not any(_overlap(each, other) for other in taken)]
            evidence.append(dataclasses.replace(part, alternatives=(*part.alternatives, *new)))
            added, parts = added + len(new), parts + bool(new)
        questions.append(dataclasses.replace(question, evidence=tuple(evidence)))
    if not added:
        return corpus
    notice = (
        f"{parts} of {len(list(_parts(corpus)))} evidence texts stand elsewhere too, word for word: any of "
        f"{added} copies counts as well."
    )
    return dataclasses.replace(corpus, questions=tuple(questions), notices=(*corpus.notices, notice))


def _parts(corpus: Corpus) -> Iterable[Evidence]:
    return (part for question in corpus.questions for part in question.evidence)


def _overlap(one: Evidence, other: Evidence) -> bool:
    return one.document_id == other.document_id and one.span.overlaps(other.span)


def _files(root: Path) -> tuple[dict[str, Path], tuple[str, ...]]:
    """Documents and questions by relative POSIX path, sorted, and notices about links left out."""
    found: dict[str, Path] = {}
    notices = []
    for folder, folders, names in os.walk(root, onerror=_unreadable):
        folders[:] = [each for each in folders if not each.startswith(".")]
        links = [Path(folder, each) for each in folders if os.path.islink(Path(folder, each))]
        notices += [f"{_id(root, each)} is a link to a folder and was not followed." for each in links]
        for name in names:
            path = Path(folder, name)
            id = _id(root, path)
            document = name.lower().endswith(SUFFIXES) and id.lower() not in NOT_DOCUMENTS
            if name.startswith(".") or not (document or id == QUESTIONS):
                continue
            if not Path(os.path.realpath(path)).is_relative_to(root):
                notices.append(f"{id} is a link that leads out of the folder and was left out.")
            elif os.path.isfile(path) or not os.path.exists(path):
                found[id] = path
    return dict(sorted(found.items())), tuple(sorted(notices))


def _document(id: str, path: Path) -> Document:
    try:
        return dataclasses.replace(read_bytes(id, _bytes(id, path)), id=id)
    except IntakeError as error:
        raise CorpusError(f"{id}: {error}" if "/" in id else str(error)) from error


def _bytes(id: str, path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise CorpusError(f"{id}: must be readable, got {shown(error.strerror)}. Check the file.") from error


def _unreadable(error: OSError) -> None:
    what = f"corpus: folder {shown(error.filename)}"
    raise CorpusError(f"{what} must be readable, got {shown(error.strerror)}. Check its rights.")


def _utf8(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        got = f"byte {data[error.start : error.start + 1]!r}"
        raise CorpusError(f"{QUESTIONS} line {line}: must be UTF-8, got {got}. Save it as UTF-8.") from None


def _id(root: Path, path: Path) -> str:
    return _printable(path.relative_to(root).as_posix())


def _printable(path: str) -> str:
    decoded = path.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return "".join(each if each.isprintable() else "\ufffd" for each in decoded)
