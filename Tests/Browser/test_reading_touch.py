"""The reading list and an article by touch."""

import pytest
from chat import meanwhile
from finger import PHONE, Finger
from playwright.sync_api import expect
from program import eventually
from reading import empty, highlights, is_so, open_article, open_list, row, rows, select, undo
from reading_sites import FERRY, QUEUE, WALL, WALL_SENTENCE, fetched
from visit import overflow


@pytest.fixture
def library(shared_roost, simulator):
    empty(shared_roost)
    return shared_roost


def lay_on(finger, target):
    """Touches a row left of its middle, with room on both sides."""
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    finger.down(box["x"] + box["width"] * .45, box["y"] + 24)


def test_swiping_a_row_left_archives_it_and_right_stars_it(library, visit):
    numbers = fetched(library, WALL, FERRY, QUEUE)
    page = open_list(visit, library, **PHONE)
    expect(rows(page)).to_have_count(3)
    finger = Finger(page)
    finger.warm()
    lay_on(finger, row(page, numbers[0]))
    finger.move(x=60)
    expect(row(page, numbers[0])).to_have_attribute("data-swipe", "Add star")
    finger.move(x=120)
    eventually("a swipe that is ready to release", lambda: "ready" in row(page, numbers[0]).get_attribute("class"))
    finger.up()
    expect(row(page, numbers[0]).locator("[data-act=favorite]")).to_have_attribute("aria-pressed", "true")
    is_so(library, numbers[0], "a favourite", isFavorite=True)
    lay_on(finger, row(page, numbers[1]))
    finger.move(x=-60)
    expect(row(page, numbers[1])).to_have_attribute("data-swipe", "Archive")
    finger.move(x=-110)
    finger.up()
    expect(row(page, numbers[1])).to_be_hidden()
    is_so(library, numbers[1], "archived", state="archived")
    undo(page, "Archived.")
    expect(row(page, numbers[1])).to_be_visible()
    assert "/reading/" not in page.url, "the row was opened"


def test_a_touch_selection_is_highlighted_with_the_button_below_it(library, visit):
    number = fetched(library, WALL)[0]
    page = open_article(visit, library, number, **PHONE)
    select(page, WALL_SENTENCE)
    page.evaluate("() => getSelection().anchorNode.parentElement.scrollIntoView({ block: 'center' })")
    tools = page.locator(".selection-tools")
    expect(tools).to_be_in_viewport(ratio=1)
    below = page.evaluate("() => getSelection().getRangeAt(0).getBoundingClientRect().bottom")
    assert tools.bounding_box()["y"] >= below
    tools.get_by_role("button", name="Highlight").tap()
    meanwhile(page, "the highlight", lambda: [each["quote"] for each in highlights(library, number)] == [WALL_SENTENCE])
    expect(page.locator(".body mark.highlight").first).to_be_visible()


@pytest.mark.parametrize("width", [320, 390])
def test_on_a_phone_nothing_scrolls_sideways_and_every_button_is_reachable(width, library, visit):
    number = fetched(library, QUEUE)[0]
    page = open_article(visit, library, number, **{**PHONE, "viewport": {"width": width, "height": 844}})
    assert overflow(page)[0] == 0
    page.locator("#more-tools summary").tap()
    box = page.locator("#more-tools .panel").bounding_box()
    assert 0 <= box["x"] and box["x"] + box["width"] <= width, box
    for button in page.locator("#reader-tools button:visible").all():
        assert button.bounding_box()["height"] >= 40 or "subtle" in button.get_attribute("class")
