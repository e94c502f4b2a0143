"""A window of 3840 by 2160 pixels: pages are larger, use the width, and menus open where they belong."""

import pytest
from playwright.sync_api import expect
from program import NOBODY, Program

SIZE = {"width": 3840, "height": 2160}
RIGHT_EDGE = """() => Math.max(...[...document.querySelectorAll("main .panel")].filter((panel) => panel.checkVisibility())
    .map((panel) => panel.getBoundingClientRect().right))"""


@pytest.fixture(scope="module")
def demo():
    demo = Program("demo", "--listen", "127.0.0.1:0", "--assets", ".").start()
    yield demo
    demo.stop()


def opened(demo, visit, path):
    return visit(demo, NOBODY, viewport=SIZE, service_workers="block").page(path)


@pytest.mark.parametrize(
    "path", ["/", "/pulls", "/bookmarks", "/watchlist", "/coins/bitcoin", "/reading", "/gists", "/settings/security"])
def test_lists_figures_and_settings_use_the_width(path, demo, visit):
    page = opened(demo, visit, path)
    page.wait_for_function(f"({RIGHT_EDGE})() > innerWidth * .7")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_titles_are_at_one_place_and_text_is_larger(demo, visit):
    page = opened(demo, visit, "/")
    places = {}
    for path in ("/", "/pulls", "/bookmarks", "/watchlist", "/reading", "/chat", "/displays", "/settings"):
        page.goto(demo.url + path)
        box = page.locator("h1").bounding_box()
        places[path] = (round(box["x"]), round(box["y"]))
        assert box["height"] > 40, path
    assert len(set(places.values())) == 1, places


def test_what_is_as_high_as_the_window_still_is(demo, visit):
    page = opened(demo, visit, "/chat")
    for part in (".sidebar", ".chat"):
        box = page.locator(part).bounding_box()
        assert abs(box["y"]) <= 1 and abs(box["height"] - SIZE["height"]) <= 1, (part, box)
    page.goto(demo.url + "/bookmarks")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_an_article_is_in_the_middle(demo, visit):
    page = opened(demo, visit, "/reading")
    page.locator(".article .name").first.click()
    text = page.locator(".reader").bounding_box()
    main = page.locator("main").bounding_box()
    assert abs(text["x"] - main["x"] - (main["x"] + main["width"] - text["x"] - text["width"])) < 4


def test_a_menu_opens_below_its_link(demo, visit):
    page = opened(demo, visit, "/pulls")
    row = page.locator(".pull").nth(3)
    row.hover()
    link = row.get_by_role("link", name="Snooze")
    menu = page.locator(".snooze-menu:popover-open")
    link.click()
    expect(menu).to_be_visible()
    below, above = menu.bounding_box(), link.bounding_box()
    assert abs(below["x"] + below["width"] - above["x"] - above["width"]) <= 2, (below, above)
    assert 0 <= below["y"] - above["y"] - above["height"] < 12, (below, above)
