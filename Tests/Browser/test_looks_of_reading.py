"""The reading list, an article and gists at every width in light and dark mode, and the weight of their pages."""

import re
from urllib.parse import urlencode

import pytest
from alltests import ALL
from chat import meanwhile
from looks import looks_right
from playwright.sync_api import expect
from program import eventually
from reading import empty, open_list, ready, row, select
from reading_sites import FERRY, FRENCH, GAZETTE, GERMAN, IMAGE, MISSING, QUEUE, WALL, WALL_SENTENCE, article, fetched, save
from test_budget import costs_little, heard

LONG = "a-name-that-goes-on-and-on-without-any-blank-" * 5
# Scripts for keys, swipes, checkboxes, highlights and notices load when they are used.
EVERYTHING = {".js": 19_200, ".css": 12_000}


@pytest.fixture(scope="module")
def library(shared_roost, running_simulator):
    """A list with articles in every state: partly read, tagged, failed, a file, and one with a long name."""
    empty(shared_roost)
    wall, ferry, queue, german, french = fetched(shared_roost, WALL, FERRY, QUEUE, GERMAN, FRENCH)
    running_simulator.change_page(f"{GAZETTE}/made/long", title=LONG, text="\n\n".join([f"{LONG} and more. " * 8] * 5))
    long = fetched(shared_roost, f"{GAZETTE}/made/long")[0]
    failed, file = save(shared_roost, MISSING), save(shared_roost, IMAGE)
    eventually("the failure", lambda: article(shared_roost, failed).get("fetchState") == "failed", 40)
    eventually("the file", lambda: article(shared_roost, file).get("fetchState") == "link", 40)
    for number, change in [
        (wall, {"tags": ["harbour", "a tag of forty letters that is very long"], "isFavorite": True, "progress": .4}),
        (ferry, {"category": "Ferries and other ships", "progress": 1}), (german, {"state": "archived"}),
    ]:
        changed = shared_roost.ask("PATCH", f"/api/v1/articles/{number}", change)
        assert changed.status == 200, changed.text
    marked = shared_roost.ask("POST", f"/reading/{wall}/highlights", urlencode({"quote": WALL_SENTENCE, "note": "Like a choir."}))
    assert marked.status == 303, marked.text
    assert shared_roost.ask("POST", f"/api/v1/articles/{wall}/gist", {}).status in (200, 201)
    return shared_roost, {
        "wall": wall, "queue": queue, "french": french, "long": long, "failed": failed, "file": file,
        "gist": gist_of(shared_roost, wall)}


def gist_of(roost, number):
    return eventually("the gist", lambda: article(roost, number).get("gistId"))


def the_list(page, ids):
    page.goto("/reading?list=all")
    expect(row(page, ids["failed"])).to_be_visible()


def a_selection(page, ids):
    page.goto("/reading?list=all")
    row(page, ids["wall"]).get_by_role("checkbox").evaluate("box => box.click()")
    expect(page.locator("#chosen")).to_contain_text("1 selected")


def a_search(page, ids):
    page.goto("/reading?text=harbour&list=all")
    expect(page.locator(".excerpt mark").first).to_be_visible()


def nothing_found(page, ids):
    page.goto("/reading?text=nothing+fits+this")
    expect(page.locator(".empty")).to_be_visible()


def suggested(page, ids):
    page.goto("/reading?list=suggested")
    expect(page.get_by_role("heading", level=1)).to_be_visible()


def an_article(page, ids):
    page.goto(f"/reading/{ids['wall']}")
    expect(page.locator(".body mark.highlight").first).to_be_visible()


def its_tools(page, ids):
    page.goto(f"/reading/{ids['queue']}")
    page.locator("#more-tools summary").click()
    expect(page.locator("#appearance")).to_be_visible()


def a_note(page, ids):
    page.goto(f"/reading/{ids['wall']}")
    ready(page)
    select(page, "When the first autumn storm")
    page.locator(".selection-tools").get_by_role("button", name="Add note").click()
    expect(page.locator("#highlight-form")).to_be_visible()


def a_long_one(page, ids):
    page.goto(f"/reading/{ids['long']}")
    expect(page.locator(".body")).to_be_visible()


def a_failed_one(page, ids):
    page.goto(f"/reading/{ids['failed']}")
    expect(page.locator(".reader .field-error")).to_be_visible()


def a_file(page, ids):
    page.goto(f"/reading/{ids['file']}")
    expect(page.locator(".reader .state")).to_be_visible()


def editing(page, ids):
    page.goto(f"/reading/{ids['wall']}/edit")


def the_gists(page, ids):
    page.goto("/gists")
    expect(page.locator(".gists li").first).to_be_visible()


def a_gist(page, ids):
    page.goto(f"/gists/{ids['gist']}")
    expect(page.locator(".gist-page")).to_be_visible()


def a_new_gist(page, ids):
    page.goto("/gists/new")


def shared(page, ids):
    page.goto("/reading/shared")


def tools(page, ids):
    page.goto("/reading/tools")


def the_window(page, ids):
    page.goto("/reading/save?url=https%3A%2F%2Fexample.org%2F&title=A+page")


def the_keys(page, ids):
    page.goto(f"/reading/{ids['wall']}")
    ready(page)
    page.keyboard.press("?")
    expect(page.locator("#keys")).to_be_visible()


PAGES = [the_list, a_selection, a_search, nothing_found, suggested, an_article, its_tools, a_note, a_long_one, a_failed_one,
         a_file, editing, the_gists, a_gist, a_new_gist, shared, tools, the_window, the_keys]


@pytest.mark.parametrize("prepare", PAGES, ids=lambda each: each.__name__)
def test_reading_pages_fit_and_have_no_accessibility_violations(prepare, library, visit):
    roost, ids = library
    page = open_list(visit, roost, reduced_motion="reduce")
    prepare(page, ids)
    looks_right(page, f"reading-{prepare.__name__}")


@pytest.mark.skipif(not ALL, reason="only with Tests/run --all")
@pytest.mark.parametrize("size", range(1, 8))
def test_every_text_size_and_width_fits_on_a_phone(size, library, visit):
    roost, ids = library
    for width in ("narrow", "normal", "wide"):
        assert roost.ask("POST", "/reading/preferences", f"textSize={size}&width={width}&font=sans").status == 303
        page = open_list(visit, roost, f"/reading/{ids['queue']}", viewport={"width": 320, "height": 640})
        assert page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth") == 0
    assert roost.ask("POST", "/reading/preferences", "textSize=4&width=normal&font=serif").status == 303


@pytest.mark.parametrize("name", ["the_list", "an_article", "the_gists", "a_gist", "tools", "the_window", "shared", "editing"])
def test_a_reading_page_stays_within_its_budget(name, library, visit):
    roost, ids = library
    page = visit(roost, service_workers="block").page("about:blank")
    bodies = heard(page)
    globals()[name](page, ids)
    if name == "the_window":  # a page of its own, with a script of its own
        page.wait_for_load_state("networkidle")
    else:
        expect(page.locator("html")).to_have_class(re.compile("^js( |$)"))
    costs_little(bodies)


def test_a_list_and_an_article_stay_within_the_budget_after_every_kind_of_use(library, visit):
    roost, ids = library
    page = visit(roost, service_workers="block", has_touch=True).page("about:blank")
    bodies = heard(page)
    page.goto(f"{roost.url}/reading?list=all")
    ready(page)
    page.keyboard.press("j")
    row(page, ids["french"]).get_by_role("checkbox").check()
    expect(page.locator("#chosen")).to_contain_text("1 selected")
    row(page, ids["french"]).get_by_role("checkbox").tap()  # by touch too
    row(page, ids["french"]).get_by_role("checkbox").check()
    row(page, ids["french"]).locator("[data-act=favorite]").click()
    expect(page.locator("#notice .notice")).to_be_visible()
    wanted = {"reading-keys", "selection", "touch", "reading-offline", "notices"}
    meanwhile(page, "the scripts", lambda: wanted <= {re.search(r"([\w-]+)\.js$", url)[1] for url in bodies if url.endswith(".js")})
    costs_little(bodies, EVERYTHING)
    page = visit(roost, service_workers="block").page("about:blank")
    bodies = heard(page)
    page.goto(f"{roost.url}/reading/{ids['french']}")
    ready(page)
    page.keyboard.press("j")
    page.keyboard.press("h")
    expect(page.locator(".body mark.highlight").first).to_be_visible()
    costs_little(bodies, EVERYTHING)


def test_a_printed_article_has_only_its_text(library, visit):
    roost, ids = library
    page = open_list(visit, roost, f"/reading/{ids['wall']}")
    page.emulate_media(media="print")
    expect(page.locator(".reader .body")).to_be_visible()
    for name in (".sidebar", "#reader-tools", "#reading-line", ".back-link", ".add-highlight"):
        expect(page.locator(name)).to_be_hidden()
    source = page.locator("a.original")
    printed = source.evaluate("(link) => getComputedStyle(link, '::after').content")
    assert source.get_attribute("href") in printed, printed


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_the_toolbar_stays_in_reach_and_everything_begins_at_the_texts_left_edge(width, library, visit):
    roost, ids = library
    page = visit(roost, viewport={"width": width, "height": 844}).page(f"/reading/{ids['wall']}")
    ready(page)
    edges = page.locator("#reader-tools .back-link a, .reader h1, .reader .body > p:first-of-type, #highlights").evaluate_all(
        "all => all.map((each) => Math.round(each.getBoundingClientRect().left))")
    assert len(edges) >= 4 and len(set(edges)) == 1, edges
    assert page.locator("#reader-tools").bounding_box()["height"] < 64, "the toolbar has two lines"
    page.evaluate("() => scrollTo(0, document.documentElement.scrollHeight)")
    expect(page.locator("#reader-tools").get_by_role("button", name="Archive", exact=True)).to_be_in_viewport(ratio=1)
    expect(page.locator("#reader-tools .back-link a")).to_be_in_viewport(ratio=1)
