"""The reading list and its page under a finger."""

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
    """On the left of a row, from where there is room to both sides."""
    target.scroll_into_view_if_needed()
    box = target.bounding_box()
    finger.down(box["x"] + box["width"] * .45, box["y"] + 24)


def test_a_row_drawn_to_the_left_is_archived_and_to_the_right_a_favourite(library, visit):
    numbers = fetched(library, WALL, FERRY, QUEUE)
    page = open_list(visit, library, **PHONE)
    expect(rows(page)).to_have_count(3)
    finger = Finger(page)
    finger.warm()
    lay_on(finger, row(page, numbers[0]))
    finger.move(x=60)
    expect(row(page, numbers[0])).to_have_attribute("data-swipe", "Favourite")
    finger.move(x=120)
    eventually("to be let go", lambda: "ready" in row(page, numbers[0]).get_attribute("class"))
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


def test_a_short_way_does_nothing(library, visit):
    number = fetched(library, WALL)[0]
    page = open_list(visit, library, **PHONE)
    finger = Finger(page)
    finger.warm()
    lay_on(finger, row(page, number))
    finger.move(x=-90)
    expect(row(page, number)).to_have_attribute("data-swipe", "Archive")
    finger.up()
    expect(row(page, number)).to_be_visible()
    assert "swiped" not in row(page, number).get_attribute("class")
    is_so(library, number, "as it was", state="unread", isFavorite=False)


def test_what_a_finger_selects_is_highlighted_with_the_button_below_it(library, visit):
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
def test_a_phone_reads_without_scrolling_sideways_and_reaches_every_button(width, library, visit):
    number = fetched(library, QUEUE)[0]
    page = open_article(visit, library, number, **{**PHONE, "viewport": {"width": width, "height": 844}})
    assert overflow(page)[0] == 0
    page.locator("#more-tools summary").tap()
    box = page.locator("#more-tools .panel").bounding_box()
    assert 0 <= box["x"] and box["x"] + box["width"] <= width, box
    for button in page.locator("#reader-tools button:visible").all():
        assert button.bounding_box()["height"] >= 40 or "subtle" in button.get_attribute("class")
