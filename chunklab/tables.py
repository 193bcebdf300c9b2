"""The command line's results as plain text for people."""

from __future__ import annotations

from typing import Any

from chunklab.params import literal


def strategies(result: dict[str, Any]) -> str:
    """Each family's components with their parameters, ranges and defaults."""
    lines = []
    for family, known in result.items():
        lines.append(f"{family}")
        for each in known:
            lines += ["", f"  {each['name']}: {each['label']}. {each['assumes']} {each['fails']}".rstrip()]
            lines += [
                f"    {param['name']} = {literal(param['default'])}  {_range(param)}"
                for param in each["params"]
            ]
        lines.append("")
    return "\n".join(lines).rstrip()


def _range(param: dict[str, Any]) -> str:
    if "choices" in param:
        return f"({' | '.join(param['choices'])}) {param['help']}"
    if "low" in param:
        return f"({param['low']:g} to {param['high']:g}) {param['help']}"
    return param["help"]


def chunks(result: dict[str, Any]) -> str:
    """One line a chunk under a line of totals."""
    report = result["report"]
    lines = [
        f"{result['document']['id']}: {report['count']} chunks by {result['recipe']}",
        *(f"note: {each}" for each in report["notices"]),
    ]
    if not report["count"]:
        return "\n".join(lines)
    lines += [
        f"{report['unit']}: median {report['median']:g}, longest {report['max']}; overlap asked "
        f"{report['overlap_asked']}, got {report['overlap_mean']:.1f} characters; +{report['duplication']:.1%} text",
        "",
        f"{'#':>5} {'start':>8} {'end':>8} {'chars':>6} {'tokens':>6}  {'cut':<16} text",
    ]
    for each in result["chunks"]:
        path = " > ".join(each["headings"])
        words = " ".join(each["text"].split())
        shown = "".join(
            char if char.isprintable() else "?" for char in (f"[{path}] " if path else "") + words
        )
        lines.append(
            f"{each['index'] + 1:>5} {each['start']:>8} {each['end']:>8} {each['characters']:>6} "
            f"{each['tokens']:>6}  {each['cut'][:16]:<16} {shown[:60]}"
        )
    return "\n".join(lines)


def evaluation(result: dict[str, Any]) -> str:
    """One line a recipe, one column a metric."""
    names = list(result["results"][0]["metrics"])
    lines = [
        f"{result['corpus']}: {result['questions']} questions on {result['documents']} documents",
        *(f"note: {each}" for each in result["notices"]),
    ]
    for each in result["results"]:
        lines += ["", f"{each['recipe']}  {each['chunks']} chunks, {each['embedder']}, {each['retriever']}"]
        for name in names:
            mean = each["metrics"][name]["mean"]
            lines.append(f"  {name:<22} {'none' if mean is None else format(mean, '.3f')}")
        for row in each.get("per_question", []):
            values = ", ".join(
                f"{key} {value}" for key, value in row.items() if key != "id" and value not in (None, "")
            )
            lines.append(f"    {row['id']}: {values}")
    return "\n".join(lines)


def problems(result: dict[str, Any]) -> str:
    """A paragraph for each finding: how often, what, the first place, what to do and the recipe."""
    lines = [
        f"{result['document']}: {result['chunks']} chunks by {result['recipe']}, "
        f"{len(result['problems'])} kinds of problem",
        *(f"note: {each}" for each in result["notices"]),
    ]
    for each in result["problems"]:
        first = f", first at {each['places'][0]['start']}" if each["places"] else ""
        lines += ["", f"{each['kind']}: {each['count']}{first}", f"  {each['what']}", f"  {each['remedy']}"]
        lines += [f"  try: {each['fix']}"] if each["fix"] else []
    return "\n".join(lines)


def advice(result: dict[str, Any]) -> str:
    """The recipe, the three properties and the reasons."""
    structure = ", ".join(f"{count} {name}" for name, count in result["structure"].items()) or "none found"
    return "\n".join(
        [
            f"{result['document']}: {result['recipe']}",
            "",
            f"kind: {result['kind']}",
            f"mean paragraph: {result['mean_paragraph']:,.0f} characters",
            f"structure: {structure}",
            *(f"- {each}" for each in result["reasons"]),
        ]
    )
