"""Cases about the app: steps on its page, share links, views of a document, exports."""

from __future__ import annotations

from itertools import pairwise
from typing import Any
from urllib.parse import parse_qsl, urlencode

from tests.case_app import App
from tests.case_input import material
from tests.case_model import Case, Later, NotBuilt, NotRun, Result
from tests.case_names import suffix
from tests.case_recipes import recipe_of
from tests.case_run import document_of
from tests.case_steps import Step, steps_of

ADDRESS = "http://localhost:8501/?"


def app_runs(case: Case) -> list[Result]:
    """The results of a case about the app; NotBuilt while it, or the part that is needed, does not exist."""
    params = case.params
    if case.input_kind == "steps":
        return [after_steps(case, steps_of(case.input, params))]
    if "view" in params:
        return views(case)
    action = str(params.get("action", "")).lower()
    if "open" in action and "link" in action:
        return [opened(case, str(material(case)))]
    if "link" in action:
        return [after_steps(case, link_steps(case))]
    from tests.case_exports import exported

    return [exported(case)]


def link_steps(case: Case) -> list[Step]:
    """Settings, where the case has some, and its text, then a link made of both."""
    given = material(case)
    settings = dict(given) if isinstance(given, dict) else {}
    settings |= {
        name: value for name, value in case.params.items() if name not in ("action", "file", "also_run_on")
    }
    steps = [Step("open with", settings=settings)] if settings else []
    if isinstance(given, str):
        steps.append(Step("paste", text=given))
    return [*steps, Step("copy")]


def after_steps(case: Case, steps: list[Step]) -> Result:
    """Does the steps one after the other and keeps what was there before the last of them."""
    app = App()
    seen: dict[str, Any] = {"link": None, "spans": None, "first_text": None}
    for step in steps:
        if step.verb == "copy":
            seen |= {"link": app.query, "spans": app.spans}
        elif step.verb == "open copied":
            app = App(app.query if seen["link"] is None else seen["link"])
        elif step.verb == "open with":
            app = App({"recipe": str(recipe_of(step.settings))})
        else:
            act(app, step)
            if step.verb in ("upload", "paste"):
                seen["first_text"] = app.text
    result = page_result(case, app)
    link = app.query if seen["link"] is None else seen["link"]
    result.facts["url"] = ADDRESS + urlencode(link)
    if seen["first_text"] is not None:
        result.facts["texts_seen"] = Later(lambda: (seen["first_text"], app.text))
    if seen["spans"] is not None:
        result.facts["same_spans"] = Later(lambda: (seen["spans"], app.spans))
    result.facts["roundtrip_equal"] = Later(lambda: (link, App(link).query))
    return result


def act(app: App, step: Step) -> None:
    """One step on the page."""
    if step.verb == "upload":
        app.upload(step.name, step.text.encode())
    elif step.verb == "paste":
        app.paste(step.text)
    elif step.verb == "again":
        app.again()
    elif step.verb == "move" and not step.settings:
        app.set(step.name, int(app.form()[step.name]) + 50)
    else:
        for name in sorted(step.settings, key=lambda each: each != "strategy"):
            app.set("max_size" if name == "size" and "max_size" in app.form() else name, step.settings[name])


def page_result(case: Case, app: App) -> Result:
    """What the page shows now, as facts; a stack trace on it counts as an error of the case."""
    traces = app.tracebacks()
    error = RuntimeError(f"the page shows {traces[0]}") if traces else None
    return Result(
        case,
        {
            "text": Later(lambda: app.text),
            "given_text": case.input,
            "notices": Later(app.messages),
            "page_tracebacks": traces,
            "alive": Later(lambda: not traces and bool(app.spans)),
            "state": Later(lambda: {"file": app.name, **app.used()}),
            "form": Later(app.form),
            "used": Later(app.used),
            "spans_shown": Later(lambda: app.spans),
            "spans_fresh": Later(lambda: _fresh(app)),
            "default_settings": Later(lambda: App().used()),
        },
        error=error,
        settings=dict(case.params),
    )


def _fresh(app: App) -> list[list[int]]:
    from chunklab.chunking import chunk
    from chunklab.intake import from_text

    return chunk(from_text(app.text, id=app.name or "a.txt"), app.query["recipe"]).spans.tolist()


def opened(case: Case, address: str) -> Result:
    """The page after a link was opened."""
    query = dict(parse_qsl(address.partition("?")[2] or address, keep_blank_values=True))
    return page_result(case, App(query))


def views(case: Case) -> list[Result]:
    """The document in a real browser, once per strategy that exists."""
    from tests.case_browser import close_pages, server, show

    server()
    close_pages()
    text = material(case)
    if not isinstance(text, (str, bytes)):
        raise NotRun("only a text can be shown")
    names = case.params.get("strategies") or [case.params.get("strategy")]
    results, missing = [], []
    for name in names:
        settings = {**case.params, **({"strategy": name} if name else {})}
        try:
            recipe = recipe_of(settings)
            document = document_of(text, settings)
        except NotBuilt as error:
            missing.append(str(error))
            continue
        data = text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass")
        query = {"recipe": str(recipe)} if name else {}
        view = show(case.params.get("file") or f"shown.{suffix(settings)}", data, query)
        facts = {"view": view, "text": document.text, "given_text": text, "notices": list(document.notices)}
        facts["alive"] = Later(view.alive)
        facts["overlap_texts"] = Later(lambda document=document, recipe=recipe: overlaps(document, recipe))
        crashed = view.count_on_page("[data-testid=stException]")
        error = RuntimeError("the page shows a stack trace") if crashed else None
        facts["page_tracebacks"] = ["a stack trace"] * crashed
        results.append(Result(case, facts, error=error, settings=settings))
    if not results:
        raise NotBuilt(", ".join(missing))
    for each in results:
        each.missing = ", ".join(missing)
    return results


def overlaps(document: Any, recipe: Any) -> list[str]:
    """The stretches of the document that two chunks or more share."""
    from chunklab.chunking import chunk

    spans = chunk(document, recipe).spans.tolist()
    shared = [(b[0], a[1]) for a, b in pairwise(spans) if b[0] < a[1]]
    joined: list[list[int]] = []
    for start, end in shared:
        if joined and start <= joined[-1][1]:
            joined[-1][1] = max(joined[-1][1], end)
        else:
            joined.append([start, end])
    return [document.text[start:end] for start, end in joined]
