"""The articles in Sources/roost/roost.docc, and the program's description of its commands."""

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
        """The default and meaning of each flag and option except `--help` and `--version`."""
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
    dump = subprocess.run([BINARY, "--experimental-dump-help"], capture_output=True, text=True, check=True, timeout=30)
    return Command(json.loads(dump.stdout)["command"])


def section(command, settings):
    """The start of a command's section in Commands.md: heading, summary, and a table of its own flags and arguments."""
    own = {**command.positionals, **{flag: cells for flag, cells in command.flags.items() if command.flags[flag] != settings.get(flag)}}
    lines = [f"### {command.heading}", "", command.abstract]
    if own:
        lines += ["", "| argument | default | meaning |", "|---|---|---|"]
        lines += [f"| `{name}` | {f'`{default}`' if default else ''} | {meaning} |" for name, (default, meaning) in own.items()]
    return "\n".join(lines)


def sections(text):
    """The same parts of the article's sections, by heading."""
    found = {}
    for part in re.split(r"^(?=### roost )", text, flags=re.MULTILINE)[1:]:
        blocks = re.split(r"\n##? ", part)[0].strip().split("\n\n")
        taken = blocks[:3] if len(blocks) > 2 and blocks[2].startswith("| argument |") else blocks[:2]
        found[blocks[0].removeprefix("### ")] = "\n\n".join(taken)
    return found
