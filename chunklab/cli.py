"""The command line: every command prints a table for people or, with --json, one JSON value."""

from __future__ import annotations

import argparse
import json
import sys
from typing import NoReturn

from chunklab.commands import COMMANDS
from chunklab.commands.meter import metered
from chunklab.errors import ChunklabError


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise ChunklabError(f"{self.prog}: {message}. Run {self.prog} --help.")


def main(arguments: list[str] | None = None) -> int:
    """The exit status: 0, 1 when a check does not hold, 2 for bad input, 130 when stopped by Ctrl-C.

    Bad input is told in one line on standard error.
    """
    try:
        options = _parser().parse_args(arguments)
        with metered(sys.stderr):
            result = options.run(options)
        _print(json.dumps(result, ensure_ascii=False, indent=2) if options.json else options.show(result))
        if "fault" in result:
            raise ChunklabError(result["fault"])
        return options.status(result)
    except ChunklabError as error:
        _complain(str(error), error)
        return 2
    except KeyboardInterrupt as stop:
        _complain("chunklab: stopped.", stop)
        return 130
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except OSError as error:
        _complain(f"chunklab: {error}.", error)
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = _Parser(
        prog="chunklab", description="Cut documents into chunks for retrieval, and measure the cuts."
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    for command in COMMANDS:
        command.add(commands)
    for each in commands.choices.values():
        each.add_argument("--json", action="store_true", help="print JSON")
        if each.get_default("status") is None:
            each.set_defaults(status=lambda result: 0)
    return parser


def _complain(message: str, error: BaseException) -> None:
    """One line on standard error: the message, then what is said of the work that was done before."""
    print(" ".join(" ".join([message, *getattr(error, "__notes__", ())]).split()), file=sys.stderr)


def _print(text: str) -> None:
    sys.stdout.buffer.write(text.encode("utf-8", "replace") + b"\n")
    sys.stdout.buffer.flush()
