"""`roost gist` prints a text's best sentences."""

import subprocess

import pytest
from program import BINARY

TEXT = """The town closed its only bridge on Monday after engineers found cracks in two of the pillars.
The bridge carries nine thousand cars a day, and the ferry that replaces it takes only forty at a time.
"We were surprised by how deep the cracks are," the town's engineer said.
Read more about the bridge.
Repairs of the pillars are to take three weeks, the town said, and the bridge will stay closed until they end.
Dr. Maria Lopez, who runs the clinic on the other bank, said that the ferry was too slow for ambulances.
"""


def gist(*arguments, text=TEXT):
    return subprocess.run([BINARY, "gist", *arguments], input=text.encode(), capture_output=True, timeout=30)


def lines(*arguments, text=TEXT):
    run = gist(*arguments, text=text)
    assert (run.returncode, run.stderr) == (0, b"")
    return run.stdout.decode().splitlines()


def test_a_gist_has_the_requested_number_of_lines_in_their_order():
    found = lines("--sentences", "2")
    assert len(found) == 2
    assert found == [line for line in TEXT.splitlines() if line in found]


def test_the_same_text_gives_the_same_gist_in_each_process():
    assert len({tuple(lines("--sentences", "3")) for _ in range(5)}) == 1


def test_an_empty_text_has_an_empty_gist():
    assert lines(text="") == []


def test_invalid_utf_8_is_accepted():
    run = subprocess.run([BINARY, "gist"], input=b"\xff\xfe\x00" + TEXT.encode(), capture_output=True, timeout=30)
    assert run.returncode == 0
    assert run.stdout


@pytest.mark.parametrize("arguments", [
    ("--sentences", "0"), ("--words", "-1"), ("--sentences", "many"), ("--sentences", "1", "--words", "9"),
    ("--unknown",),
])
def test_an_invalid_option_is_refused_with_a_reason(arguments):
    run = gist(*arguments)
    assert run.returncode == 64
    assert run.stdout == b""
    assert arguments[0].encode() in run.stderr
