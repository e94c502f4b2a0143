"""README.md and the articles in Sources/roost/roost.docc are complete, linked, and match the program."""

import re
import subprocess

import pytest
from documentation import ARTICLES, article, articles, program, section, sections
from program import BINARY, ROOT

README = (ROOT / "README.md").read_text()


@pytest.fixture(scope="module")
def roost():
    return program()


@pytest.fixture(scope="module")
def settings(roost):
    """The flags of the settings, which most commands take."""
    return next(leaf.flags for leaf in roost.leaves if leaf.words == ("roost", "serve"))


def test_the_article_describes_exactly_the_programs_commands(roost, settings):
    expected = {leaf.heading: section(leaf, settings) for leaf in roost.leaves}
    assert sections(article("Commands")) == expected


def test_every_command_that_opens_the_data_takes_all_settings(roost, settings):
    without = {leaf.heading for leaf in roost.leaves if not settings.items() <= leaf.flags.items()}
    assert without == {"roost simulate", "roost gist", "roost extract"}


def test_the_article_lists_every_setting_with_its_default_and_meaning(settings):
    rows = re.findall(r"^\| `(--[a-z-]+)` \| .*? \| .*? \| (.*?) \| (.*) \|$", article("Settings"), re.MULTILINE)
    assert {flag: ("", f"{meaning} (default: {default})") for flag, default, meaning in rows} == settings


def test_command_lines_use_existing_commands_and_flags(roost):
    leaves = {leaf.words: {*leaf.flags, "--help", "--version"} for leaf in roost.leaves}
    groups = {words[:length] for words in leaves for length in range(1, len(words))}
    lines = [(name, line) for name, text in {**articles(), "README": README}.items() for line in command_lines(text)]
    assert len(lines) > 15
    for name, line in lines:
        words = tuple(word for word in line.split(" --")[0].split())
        named = next((words[:length] for length in (3, 2) if words[:length] in leaves), None)
        assert named or words in groups, f"{name}: {line}"
        assert set(re.findall(r"(?<=\s)--[a-z-]+", line)) <= leaves[named or ("roost", "serve")], f"{name}: {line}"


def command_lines(text):
    """Every `roost ...` of an article: commands in code blocks, and inline code."""
    for code in re.findall(r"```sh\n(.*?)```", text, re.DOTALL):
        for line in code.replace("\\\n", " ").splitlines():
            if not line.startswith(("sudo useradd", "sudo install")):
                yield from re.findall(r"^(?:.*[\s/])?(roost(?:\s.*)?)$", line)
    yield from re.findall(r"`(roost(?: [^`]+)?)`", text)


def test_every_article_has_a_title_and_a_summary_and_is_linked_on_the_first_page():
    first = article("roost")
    listed = re.findall(r"^- <doc:(\w+)>$", first, re.MULTILINE)
    assert sorted(listed) == sorted(name for name in articles() if name != "roost")
    for name, text in articles().items():
        assert re.match(r"# .+\n\n[A-Z].*\.\n\n", text), name


def test_the_programs_version_has_a_heading_in_the_changelog_and_notes_for_upgrading():
    version = subprocess.run([BINARY, "--version"], capture_output=True, text=True, check=True, timeout=30).stdout.strip()
    assert re.fullmatch(r"\d+\.\d+\.\d+", version)
    headings = re.findall(r"^## \[(\d[^]]*)\] - \d{4}", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert headings[0] == version
    assert re.findall(r"^### (\S+)$", article("Upgrading"), re.MULTILINE)[0] == version


def test_no_link_is_broken():
    for name, text in articles().items():
        for link in re.findall(r"<doc:([^>]*)>", text):
            assert (ARTICLES / f"{link}.md").exists(), f"{name}: {link}"
    for link in re.findall(r"\]\((?!https?:)([^)#]+)", README):
        assert (ROOT / link).exists(), link


def test_the_readme_is_short_with_a_small_picture_and_links_every_article():
    assert len(README.encode()) < 8_000
    for picture in (ARTICLES / "Resources").iterdir():
        assert picture.suffix == ".png" and picture.stat().st_size < 200_000
    missing = {name for name in articles() if f"(Sources/roost/roost.docc/{name}.md)" not in README}
    assert missing <= {"roost"}


def start_line():
    """The line of README.md that installs the libraries, builds Roost and starts it."""
    lines = [line for code in re.findall(r"```sh\n(.*?)```", README, re.DOTALL) for line in code.splitlines()]
    return next(line for line in lines if "apt-get" in line)


def stub(folder, name, lines):
    path = folder / name
    path.write_text("#!/bin/sh\n" + lines)
    path.chmod(0o755)


@pytest.mark.parametrize("who", ["root without sudo", "a user with sudo", "a user whose sudo is an alias"])
def test_the_start_line_works_when_copied(who, tmp_path):
    """Runs the line with stand-ins for apt-get, sudo and swift that record their arguments."""
    is_root = who == "root without sudo"
    calls = tmp_path / "calls"
    stub(tmp_path, "id", f"echo {0 if is_root else 1000}\n")
    stub(tmp_path, "apt-get", f'[ -n "$AS_ROOT" ] || exit 100\necho "apt-get $*" >> {calls}\n')
    stub(tmp_path, "swift", f'[ -z "$AS_ROOT" ] || [ {int(is_root)} = 1 ] || exit 100\necho "swift $*" >> {calls}\n')
    if not is_root:
        stub(tmp_path, "sudo", 'AS_ROOT=1 exec "$@"\n')
    alias = "shopt -s expand_aliases\nalias sudo='sudo '\n" if "alias" in who else ""
    environment = {"PATH": str(tmp_path), **({"AS_ROOT": "1"} if is_root else {})}
    run = subprocess.run(["/bin/bash", "-c", alias + start_line()], env=environment, capture_output=True, text=True,
                         timeout=30, cwd=tmp_path, check=False)
    assert run.returncode == 0, run.stderr
    update, install, swift = calls.read_text().splitlines()
    assert update == "apt-get update"
    assert install.startswith("apt-get install -y libsqlite3-dev ")
    assert swift == "swift run -c release roost"


def test_the_readme_states_a_builds_cost_before_the_start_line():
    before = README.partition(start_line())[0]
    assert re.search(r"ten minutes on\s+two cores", before.partition("## Start")[2])
    assert "2.5 GB of memory" in before
    assert "sudo apt-get" not in "".join([README, *articles().values()])
