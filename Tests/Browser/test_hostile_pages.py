"""Memory use of article extraction for pages made to exhaust it."""

import subprocess
import sys

import pytest
from program import BINARY

PAGE = 5 << 20  # bytes: the largest page that Roost fetches
LIMIT = 200  # MB, of the whole process

SHAPES = {
    "definitions": "<dl><dt>x<dd>y",
    "paragraphs": "<p>x",
    "bold": "<b>",
    "nested": "<div>",
    "links": "<a href=x>y</a> ",
    "cells": "<td>x",
    "tables": "<table><tr><td>x",
    "items": "<ul><li>",
    "breaks": "x<br>",
    "split": "x<i>y</i>",
    "pictures": "<img src=a>",
    "attributes": "<p id=a class=b lang=c dir=d title=e href=f>x",
    "empty": "<p/>",
    "entities": "&amp;",
    "comments": "<!--x-->",
    "lines": "<pre>\n" + "x\n" * 1_000,
    "words": "word ",
    "letters": "x",
    "chinese": "中文。",
    "metas": "<meta name=a content=b>",
    "blocks": "<p>One two three, four five six seven eight nine.",
    "drawing": "<svg><path d=x>",
    "graph": "{},",
    "types": '"a",',
}


def page(name, piece):
    count = PAGE // len(piece.encode())
    if name == "graph":
        return '<script type="application/ld+json">{"@graph":[' + piece * count
    if name == "types":
        return '<script type="application/ld+json">{"@type":[' + piece * count
    return piece * count


def names(kind):
    """A page in which every name is unique."""
    forms = {"elements": "<a{:x}>", "attributes": " a{:x}", "metas": "<meta name={:x} content=y>", "ids": "<p id={:x}>x"}
    pieces, size, number = [], 0, 0
    while size < PAGE - 100:
        piece = forms[kind].format(number)
        if kind == "attributes" and number % 50 == 0:
            piece = ">x<p" + piece
        pieces.append(piece)
        size += len(piece)
        number += 1
    return "<p>" + "".join(pieces)


# A process inherits the peak of the one that starts it. The tests' own peak is too large; this one's is about 10 MB.
MEASURE = """
import resource, subprocess, sys
with open(sys.argv[1]) as given, open(sys.argv[2], "w") as printed:
    ended = subprocess.run(sys.argv[3:], stdin=given, stdout=printed, stderr=subprocess.DEVNULL).returncode
assert ended >= 0, ended  # a signal; a page may well be refused
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def peak(html, tmp_path, command="extract"):
    """Returns the program's peak memory in MB, and its output."""
    source, result = tmp_path / "page.html", tmp_path / "text"
    source.write_text(html)
    measured = subprocess.run(
        [sys.executable, "-c", MEASURE, source, result, BINARY, command], check=True, capture_output=True, text=True)
    return int(measured.stdout) // 1024, result.read_text()


@pytest.mark.parametrize("name", SHAPES)
def test_a_page_that_repeats_one_element_takes_less_than_200_mb(name, tmp_path):
    size, _ = peak(page(name, SHAPES[name])[:PAGE], tmp_path)
    assert size < LIMIT


@pytest.mark.parametrize("kind", ["elements", "attributes", "metas", "ids"])
def test_a_page_of_unique_names_takes_less_than_200_mb(kind, tmp_path):
    size, _ = peak(names(kind), tmp_path)
    assert size < LIMIT


@pytest.mark.parametrize("piece", ["x\n", "x. ", "word ", "One two three four five six seven. ", "a|b\n"])
def test_the_gist_of_a_repetitive_text_takes_less_than_200_mb(piece, tmp_path):
    size, _ = peak(piece * (4_000_000 // len(piece)), tmp_path, "gist")
    assert size < LIMIT


def test_the_beginning_of_an_oversized_page_is_kept(tmp_path):
    html = "<article>" + "<p>The harbour was quiet that morning, and nobody spoke.</p>" * 20 + "<i>x</i>" * 400_000
    size, text = peak(html, tmp_path)
    assert size < LIMIT
    assert text.startswith("The harbour was quiet")
