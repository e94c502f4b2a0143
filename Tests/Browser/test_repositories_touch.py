"""Lists of repositories by touch: swiping, pulling down, and scrolling."""

import pytest
from finger import PHONE, Finger
from playwright.sync_api import expect
from program import eventually
from repositories import asked, bookmark, bookmarks, keep, loaded, names, row, rows

@pytest.fixture
def explorer(shared_inbox, simulator):
    """Shared by all tests of this file; removes every bookmark afterwards."""
    yield shared_inbox
    for item in bookmarks(shared_inbox):
        assert shared_inbox.ask("DELETE", f"/api/v1/bookmarks/{item['fullName']}").status == 204


@pytest.fixture
def page(explorer, visit):
    page = visit(explorer, **PHONE).page("/repositories?since=0")
    loaded(page)
    return page


def test_the_first_touch_can_be_a_swipe(page, explorer):
    name = names(explorer, 2)[1]
    finger = Finger(page)
    with page.expect_response(lambda response: response.url.endswith("/touch.js")):
        finger.lay_on(row(page, name))
    # A real swipe takes longer than loading the script.
    eventually("a row that follows the finger", lambda: finger.move(x=-2, steps=1) or row(page, name).get_attribute("data-swipe"))
    finger.move(x=-180)
    finger.up()
    expect(keep(page, name)).to_have_attribute("aria-pressed", "true")


def test_the_first_touch_can_pull_the_list_down(page):
    finger = Finger(page)
    with page.expect_response(lambda response: response.url.endswith("/touch.js")):
        finger.lay_on(rows(page).nth(1))
    eventually("the hint", lambda: finger.move(y=3, steps=1) or page.locator(".pull-hint").count())
    finger.move(y=220, steps=20)
    expect(page.locator(".pull-hint")).to_have_text("Release to refresh")
    finger.up()
    expect(page.locator(".pull-hint")).to_have_count(0)


@pytest.mark.parametrize("width", [320, 390])
@pytest.mark.parametrize("path", ["/repositories?since=0", "/bookmarks", "/pulls"])
def test_the_menu_stays_inside_a_phones_width(path, width, explorer, visit):
    bookmark(explorer, *names(explorer))
    page = visit(explorer, **PHONE).page(path)
    page.set_viewport_size({"width": width, "height": 844})
    page.locator("#view > summary").tap()
    panel = page.locator("#view > .panel")
    expect(panel).to_be_visible()
    box = panel.bounding_box()
    assert 0 <= box["x"] and box["x"] + box["width"] <= width, box


def test_swiping_a_row_left_toggles_its_bookmark(page, explorer):
    name = names(explorer, 4)[3]
    finger = Finger(page)
    finger.warm()
    target = row(page, name)
    for words, pressed in [("Bookmark", "true"), ("Remove bookmark", "false")]:
        finger.lay_on(target)
        finger.move(x=-60)
        expect(target).to_have_attribute("data-swipe", words)
        assert "ready" not in target.get_attribute("class")
        finger.move(x=-120)
        eventually("a swipe that is ready to release", lambda: "ready" in target.get_attribute("class"))
        finger.up()
        expect(keep(page, name)).to_have_attribute("aria-pressed", pressed)
        assert "swiped" not in target.get_attribute("class") and not target.evaluate("row => row.style.transform")
    assert bookmarks(explorer) == []
    assert "/repositories/" not in page.url, "the row was opened"


def test_a_short_or_reversed_swipe_does_nothing(page, explorer):
    name = names(explorer, 4)[3]
    finger = Finger(page)
    finger.warm()
    for ways in [(-90,), (-200, 190)]:
        finger.lay_on(row(page, name))
        for way in ways:
            finger.move(x=way)
        expect(row(page, name)).to_have_attribute("data-swipe", "Bookmark")
        finger.up()
        assert "swiped" not in row(page, name).get_attribute("class")
    expect(keep(page, name)).to_have_attribute("aria-pressed", "false")
    assert bookmarks(explorer) == []


def test_in_the_bookmarks_a_swipe_removes_a_row_and_undo_restores_it(explorer, visit):
    bookmark(explorer, *names(explorer, 2))
    page = visit(explorer, **PHONE).page("/bookmarks")
    expect(rows(page)).to_have_count(2)
    name = names(explorer)[0]
    finger = Finger(page)
    finger.warm()
    finger.lay_on(row(page, name))
    finger.move(x=-180)
    expect(row(page, name)).to_have_attribute("data-swipe", "Remove bookmark")
    finger.up()
    expect(row(page, name)).to_have_count(0)
    page.locator("#notice").get_by_role("button", name="Undo").first.click()
    expect(row(page, name)).to_be_visible()


@pytest.mark.parametrize("aside", [0, -60])
def test_vertical_scrolling_does_not_swipe_a_row(aside, page, explorer):
    finger = Finger(page)
    finger.warm()
    finger.lay_on(rows(page).nth(6))
    before = page.evaluate("scrollY")
    finger.move(x=aside / 10, y=-40, steps=4)
    finger.move(x=aside, y=-300)
    eventually("the page scrolled", lambda: page.evaluate("scrollY") > before + 150)
    finger.up()
    assert page.locator(".repo.swiped").count() == 0
    assert bookmarks(explorer) == []


def test_pulling_the_list_down_refreshes_it(page, simulator):
    finger = Finger(page)
    finger.warm()
    number = lambda: len(asked(simulator, r"/repositories"))  # noqa: E731

    def pull(way):
        finger.lay_on(rows(page).nth(1))
        # The first movement loads the script.
        eventually("the hint", lambda: finger.move(y=3, steps=1) or page.locator(".pull-hint").count())
        finger.move(y=way, steps=20)
        return page.locator(".pull-hint")

    before = number()
    expect(pull(60)).to_have_text("Pull down to refresh")
    finger.up()
    expect(page.locator(".pull-hint")).to_have_count(0)
    assert number() == before

    def pulled():
        # Roost does not request again what is less than five seconds old.
        expect(pull(220)).to_have_text("Release to refresh")
        finger.up()
        return number() > before

    eventually("GitHub asked again", pulled, every=0.5)
    expect(page.locator(".pull-hint")).to_have_count(0)


def test_a_scrolled_list_cannot_be_pulled(page):
    finger = Finger(page)
    finger.warm()
    page.evaluate("scrollTo(0, 900)")
    finger.down(195, 300)
    finger.move(y=220, steps=20)
    eventually("the page scrolled back", lambda: page.evaluate("scrollY") < 800)
    assert page.locator(".pull-hint").count() == 0
    finger.up()
