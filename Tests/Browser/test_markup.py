"""The HTML of every page is valid: elements closed and in place, attributes where they apply, ids unique, labels with fields."""

import importlib.util
from importlib.machinery import SourceFileLoader
from pathlib import Path

import pytest
from markup import faults
from program import NOBODY, Program

# What the demo shows at other addresses than the screenshots.
OTHERS = ["/reading/shared", "/watchlist/files", "/watchlist?group=category", "/watchlist?q=bitcoin", "/repositories/keys",
          "/repositories?since=0", "/chat/search?text=the", "/reading/save?url=https://example.org/", "/display",
          "/settings/components"]
GUESTS = ["/login", "/join", "/reset/no-such-link", "/join/0000-0000-0000-0000"]


@pytest.fixture(scope="module")
def demo():
    demo = Program("demo", "--listen", "127.0.0.1:0", "--assets", ".").start()
    yield demo
    demo.stop()


def pages(demo):
    """The addresses of the screenshots, which no test module may import: its file has no ending."""
    path = Path(__file__).with_name("screenshots")
    loader = SourceFileLoader("screenshots", str(path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("screenshots", loader))
    loader.exec_module(module)
    found = module.all_pages(demo)
    edits = [found[name] + "/edit" for name in ("article", "gist")]
    return [*found.values(), *edits, f"{found['conversation']}/details", *OTHERS]


def test_every_page_of_the_demo_is_valid(demo):
    addresses = pages(demo)
    assert len(addresses) > 40
    found = {}
    for address in addresses:
        answer = demo.get(address, guest=NOBODY)
        if address == "/repositories":  # leads to the first list
            answer = demo.get(answer.headers["Location"], guest=NOBODY)
        assert answer.status == (404 if address == "/nothing-here" else 200), address
        found[address] = faults(answer.text)
    assert {address: each for address, each in found.items() if each} == {}


@pytest.mark.parametrize("path", GUESTS)
def test_every_page_before_signing_in_is_valid(path, shared_roost):
    text = shared_roost.get(path, guest=NOBODY).text
    assert "<h1" in text
    assert faults(text) == []


@pytest.mark.parametrize(("text", "fault"), [
    ("<p>One<div>two</div></p>", "<div> ends the <p>"),
    ("<div><span></div>", "</div> closes <span>"),
    ("<section>", "<section> is not closed"),
    ("<i id=a></i><b id=a></b>", "the id a is on <i> and on <b>"),
    ("<svg><circle></circle></svg>", "<circle> has no r"),
    ("<input type=number maxlength=3>", '<input type="number"> has maxlength'),
    ("<input type=checkbox autocomplete=off>", '<input type="checkbox"> has autocomplete'),
    ("<label for=nothing>Name</label>", "names no element"),
    ("<label>Name</label>", "a label has no field"),
    ("<ul><p>One</p></ul>", "<p> is a child of <ul>"),
    ("<a href=x><button>y</button></a>", "<button> is in <a>"),
    ("<form><form></form></form>", "a form is in a form"),
    ("<img src=x>", "<img> has no alt"),
    ("<td align=left></td>", "<td> has align"),
    ("<p a=1 a=2>One</p>", "<p> has a twice"),
])
def test_each_fault_is_found(text, fault):
    assert any(fault in each for each in faults(text)), faults(text)


@pytest.mark.parametrize("text", [
    "<!doctype html><p>One<br>two</p><ul><li><p>three</p></li></ul>",
    "<label>Name <input name=a></label><label for=b>B</label><select id=b><option>c</option></select>",
    '<svg><circle r="2"/></svg><input type=number min=1><input maxlength=3 list=d><datalist id=d></datalist>',
    '<div class="readme"><table><tr><td align="left">A README</td></tr></table></div>',
])
def test_valid_html_has_no_faults(text):
    assert faults(text) == []
