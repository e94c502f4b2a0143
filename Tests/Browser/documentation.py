"""The articles in Sources/roost/roost.docc, and what the program says of its own commands."""

import json
import re
import subprocess

from program import BINARY, ROOT

ARTICLES = ROOT / "Sources" / "roost" / "roost.docc"


def article(name):
    return (ARTICLES / f"{name}.md").read_text()


def articles():
    return {path.stem: path.read_text() for path in sorted(ARTICLES.glob("*.md"))}


class Command:
    """A command as swift-argument-parser dumps it: `roost user add NAME`."""

    def __init__(self, dumped, parents=()):
        self.words = (*parents, dumped["commandName"])
        self.abstract = dumped.get("abstract", "")
        self.arguments = dumped.get("arguments", [])
        self.commands = [Command(inner, self.words) for inner in dumped.get("subcommands", [])
                         if inner["commandName"] != "help"]

    @property
    def leaves(self):
        return [leaf for inner in self.commands for leaf in inner.leaves] if self.commands else [self]

    @property
    def heading(self):
        return " ".join([*self.words, *(argument["valueName"].upper() for argument in self.arguments
                                        if argument["kind"] == "positional")])

    @property
    def flags(self):
        """Of each flag and option, but `--help` and `--version`: default and meaning."""
        return {self.__name(argument): (argument.get("defaultValue", ""), argument["abstract"]) for argument in self.arguments
                if argument["kind"] != "positional" and self.__name(argument) not in ("--help", "--version")}

    @property
    def positionals(self):
        return {argument["valueName"].upper(): ("", argument["abstract"]) for argument in self.arguments
                if argument["kind"] == "positional"}

    @staticmethod
    def __name(argument):
        return "--" + next(name["name"] for name in argument["names"] if name["kind"] == "long")


def program():
    """`roost` with all its commands."""
    dump = subprocess.run([BINARY, "--experimental-dump-help"], capture_output=True, text=True, check=True, timeout=30)
    return Command(json.loads(dump.stdout)["command"])


def section(command, settings):
    """What Commands.md says first of a command: heading, summary, and a table of what it takes beside the settings."""
    own = {**command.positionals, **{flag: cells for flag, cells in command.flags.items() if command.flags[flag] != settings.get(flag)}}
    lines = [f"### {command.heading}", "", command.abstract]
    if own:
        lines += ["", "| argument | default | meaning |", "|---|---|---|"]
        lines += [f"| `{name}` | {f'`{default}`' if default else ''} | {meaning} |" for name, (default, meaning) in own.items()]
    return "\n".join(lines)


def sections(text):
    """The same as the article has it, by heading."""
    found = {}
    for part in re.split(r"^(?=### roost )", text, flags=re.MULTILINE)[1:]:
        blocks = re.split(r"\n##? ", part)[0].strip().split("\n\n")
        taken = blocks[:3] if len(blocks) > 2 and blocks[2].startswith("| argument |") else blocks[:2]
        found[blocks[0].removeprefix("### ")] = "\n\n".join(taken)
    return found
