"""Walls in browsers from 2018 to 2020, and when their script does not run."""

import re

import esprima
import pytest
from playwright.sync_api import Error, expect
from program import NOBODY, eventually
from test_wall import MANY, cell, figure, set_up, shown
from visit import is_marked, mark

# Ways in which the script can fail.
FAILURES = {
    "syntax": lambda route: route.fulfill(content_type="text/javascript", body="const prices = ;"),
    "error": lambda route: route.fulfill(content_type="text/javascript", body="throw new Error('old');"),
    "missing": lambda route: route.fulfill(status=404, body="Nothing here"),
    "blocked": lambda route: route.abort(),
}
# Newer functions that Safari 12 and Chrome 63 lack.
LATER = {
    "fromEntries", "flat", "flatMap", "matchAll", "replaceAll", "replaceChildren", "at", "structuredClone", "allSettled",
    "any", "trimStart", "trimEnd", "toggleAttribute", "queueMicrotask", "globalThis", "canParse", "hasOwn", "findLast",
    "getAnimations", "randomUUID", "ResizeObserver", "requestIdleCallback",
}
WITHOUT_LATER = """
    for (const name of ["AbortController", "AbortSignal", "Highlight", "ResizeObserver"]) delete window[name];
    delete CSS.highlights;
    delete Object.fromEntries;
    for (const name of ["flat", "flatMap", "at", "findLast"]) delete Array.prototype[name];
    for (const name of ["replaceAll", "matchAll", "at"]) delete String.prototype[name];
"""


def nodes(value):
    if isinstance(value, list):
        for each in value:
            yield from nodes(each)
    elif hasattr(value, "type"):
        yield value
        for each in vars(value).values():
            yield from nodes(each)


def later(script):
    """Lists what in a script is newer than ES2017; the parser raises for newer syntax."""
    found = []
    for node in nodes(esprima.parseScript(script)):
        if node.type in ("ObjectExpression", "ObjectPattern"):
            found += ["an object's rest" for each in node.properties if each.type in ("SpreadElement", "RestElement")]
        if node.type == "Import":
            found.append("import()")
        if node.type == "Literal" and getattr(node, "regex", None):
            if set(node.regex.flags) - set("gimuy") or re.search(r"\(\?<|\\p\{", node.regex.pattern):
                found.append(node.regex.pattern)
        if node.type == "MemberExpression" and not node.computed and node.property.name in LATER:
            found.append(node.property.name)
        if node.type == "NewExpression" and node.callee.type == "Identifier" and node.callee.name in LATER:
            found.append(node.callee.name)
    return found


def script(roost, path):
    page = roost.get(path, guest=NOBODY).text
    return re.search(r'<script src="([^"]+/js/[\w-]+\.js)"></script>', page)[1]


@pytest.fixture
def wall(calm_roost):
    """A wall with two pages of six seconds each."""
    calm_roost.priced(*MANY[:10])
    link = calm_roost.display("Wall")
    set_up(calm_roost, "Wall", 6)
    return link


def is_amber(page):
    """Whether the dot has the warning colour."""
    return page.locator(".age .dot").evaluate("""dot => {
        const probe = document.body.appendChild(document.createElement("i"));
        probe.style.color = "var(--attention)";
        const amber = getComputedStyle(probe).color;
        probe.remove();
        return getComputedStyle(dot).backgroundColor === amber;
    }""")


def unless_loading(look):
    """The result of `look` on a page that reloads itself, or None during a reload."""
    try:
        return look()
    except Error:
        return None


@pytest.mark.parametrize("later_code", [
    "class A { #x = 1; }", "class A { x = 1; }", "a ?? b", "a?.b", "try { f(); } catch { g(); }", "({ ...a })",
    "const { a, ...b } = c", "async function* f() {}", "a ||= b", "/(?<n>a)/", "/(?<=a)b/", "/a/s", "1_000", "10n",
    "import('x')", "[1].flat()", "new ResizeObserver(f)"])
def test_the_syntax_check_finds_newer_code(later_code):
    try:
        assert later(later_code)
    except esprima.Error:
        pass


def test_the_scripts_of_screens_are_es2017(calm_roost):
    for path in (calm_roost.display("Wall"), "/display"):
        source = calm_roost.get(script(calm_roost, path), guest=NOBODY).text
        assert later(source) == [], path
        assert "async " in source and len(source) > 3_000


@pytest.mark.parametrize("failure", FAILURES)
def test_a_wall_whose_script_fails_says_so_rotates_its_pages_and_recovers(failure, wall, calm_roost, visit):
    browser = visit(calm_roost, NOBODY)
    page = browser.context.new_page()
    page.route("**/js/display.js", FAILURES[failure])
    page.goto(wall)
    first = shown(page)
    assert is_amber(page)
    expect(page.locator("#banner")).to_have_text("Not updating live. This screen reloads every 6 seconds.")
    expect(page.locator("#banner")).to_be_visible()
    expect(page).to_have_url(re.compile(r"\?page=2$"), timeout=30_000)
    eventually("the other coins", lambda: unless_loading(lambda: shown(page) not in ([], first)))
    expect(page).to_have_url(re.compile(r"\?page=1$"), timeout=30_000)
    page.unroute("**/js/display.js")
    expect(page.locator("html")).not_to_have_class(re.compile(r"\bstill\b"), timeout=30_000)
    expect(page.locator("#banner")).to_be_empty()
    browser.offences.clear()


def test_a_wall_whose_script_runs_is_not_reloaded_and_shows_no_warning(wall, calm_roost, visit):
    page = visit(calm_roost, NOBODY).page(wall)
    expect(page.locator("html")).not_to_have_class(re.compile(r"\bstill\b"))
    mark(page)
    assert page.locator("meta[http-equiv]").count() == 0
    assert not is_amber(page)
    turns = [shown(page)]

    def look():
        if turns[-1] != shown(page):
            turns.append(shown(page))
        return len(turns) == 4

    eventually("three turned pages", look, 40)
    assert is_marked(page)
    expect(page.locator("#banner")).to_be_empty()


def test_without_scripts_a_wall_says_so_and_rotates_its_pages(wall, calm_roost, visit):
    page = visit(calm_roost, NOBODY, java_script_enabled=False).page(wall)
    first = page.locator("section.page:not([hidden]) .cell h2").all_text_contents()
    expect(page.locator("#banner")).to_be_visible()
    expect(page.locator("#banner")).to_contain_text("This screen reloads every 6 seconds.")
    expect(page).to_have_url(re.compile(r"\?page=2$"), timeout=30_000)
    assert page.locator("section.page:not([hidden]) .cell h2").all_text_contents() != first


@pytest.mark.parametrize("failure", FAILURES)
def test_a_screen_whose_script_fails_can_be_paired(failure, calm_roost, visit):
    browser = visit(calm_roost, NOBODY)
    screen = browser.context.new_page()
    screen.route("**/js/*.js", FAILURES[failure])
    screen.goto("/display")
    code = screen.locator(".pair-code").text_content()
    page = visit(calm_roost).page("/displays")
    page.get_by_label("Code").fill(code)
    page.locator("#pair-name").fill("Kitchen")
    page.get_by_role("button", name="Pair").click()
    expect(screen.locator("#screen")).to_be_visible(timeout=30_000)
    # The paired wall has a broken script too, whose error may come late.
    screen.close()
    browser.offences.clear()


def test_prices_arrive_in_a_browser_without_later_functions(roost, visit):
    roost.priced("bitcoin")
    browser = visit(roost, NOBODY)
    browser.context.add_init_script(WITHOUT_LATER)
    page = browser.page(roost.display())
    assert page.evaluate("typeof AbortController") == "undefined"
    mark(page)
    before = figure(page, "bitcoin")
    eventually("a new price", lambda: figure(page, "bitcoin") != before)
    assert is_marked(page)
    expect(page.locator("#banner")).to_be_empty()


@pytest.mark.parametrize(("width", "height"), [(1280, 720), (1024, 768), (1080, 1920)])
def test_a_wall_is_readable_without_container_queries_gaps_and_max(width, height, calm_roost, visit):
    calm_roost.priced(*MANY[:8])
    link = calm_roost.display("Wall")
    style = calm_roost.get(re.search(r'href="([^"]+wall\.css)"', calm_roost.get(link).text)[1]).text
    # Browsers drop unknown properties; renaming these imitates a browser that lacks them.
    old = re.sub(r"(?<![\w-])(container-type|container|gap|inset|font-size-adjust|translate)(?=\s*:)", r"-later-\1", style)
    old = re.sub(r"(?<![\w-])(min|max)\(", r"-later-\1(", old).replace("@container", "@-later-container")
    old = old.replace("cqw", "later").replace("cqh", "later").replace(":has(", ":later(")
    browser = visit(calm_roost, NOBODY, viewport={"width": width, "height": height})
    page = browser.context.new_page()
    page.route("**/css/wall.css", lambda route: route.fulfill(content_type="text/css", body=old))
    page.goto(link)
    expect(cell(page, "bitcoin")).to_be_visible()
    boxes = page.locator("section.page:not([hidden]) .cell").evaluate_all(
        "cells => cells.map((cell) => cell.getBoundingClientRect().toJSON())")
    assert len(boxes) == 8
    for box in boxes:
        assert box["left"] >= 0 and box["top"] >= 0 and box["right"] <= width and box["bottom"] <= height, box
    for one in boxes:
        for other in boxes:
            apart = one is other or one["right"] <= other["left"] or other["right"] <= one["left"] \
                or one["bottom"] <= other["top"] or other["bottom"] <= one["top"]
            assert apart, (one, other)
    size = "element => parseFloat(getComputedStyle(element).fontSize)"
    assert cell(page, "bitcoin").locator(".figure").evaluate(size) >= 16
    assert page.locator(".clock").evaluate(size) >= 16
