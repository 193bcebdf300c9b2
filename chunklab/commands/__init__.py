"""The commands of the command line, in the order in which help lists them.

Each module has `add(commands)`, which declares its arguments, `run(options)`, which gives plain values for
JSON, and `show(result)`, the same for people. What is heavy is imported by `run`.
"""

from chunklab.commands import advise, cache, chunk, compare, diff, evaluate, lint, strategies, sweep

COMMANDS = (strategies, chunk, lint, advise, diff, evaluate, compare, sweep, cache)
