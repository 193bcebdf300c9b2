"""Cases about exported files: NotBuilt while chunklab writes none."""

from __future__ import annotations

from tests.case_model import Case, NotBuilt, Result


def exported(case: Case) -> Result:
    """The export of a case's chunks."""
    raise NotBuilt(f"export of {case.params.get('export', 'a file')}")
