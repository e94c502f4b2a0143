"""The inbox under a finger: rows drawn aside are done, snoozed or muted, and the list is pulled down."""

import pytest
from finger import PHONE, Finger
from github import keys, pull, section
from playwright.sync_api import expect
from program import eventually


@pytest.fixture
def page(inbox_of_ada, visit):
    page = visit(inbox_of_ada, **PHONE).page("/pulls")
    expect(page.locator("li.pull").nth(2)).to_be_visible()
    return page


def lay_on(finger, target, share):
    """On a row, so far from its left edge."""
    box = target.bounding_box()
    finger.down(box["x"] + box["width"] * share, box["y"] + box["height"] / 2)


# From where on the row, how far, and what it says before and after the middle of the way.
WAYS = {
    "Done": (0.2, [(60, "Done", False), (120, "Done", True)], "done, returns when it’s your turn again"),
    "Mute": (0.9, [(-60, "Snooze", False), (-120, "Snooze", True), (-100, "Mute", True)], "muted"),
}


@pytest.mark.parametrize("name", WAYS)
def test_a_row_drawn_aside_is_put_away_and_undo_brings_it_back(name, page, inbox_of_ada):
    begin, ways, words = WAYS[name]
    key = keys(page)[1]
    target = pull(page, key)
    finger = Finger(page)
    finger.warm()
    lay_on(finger, target, begin)
    for way, said, is_ready in ways:
        finger.move(x=way)
        expect(target).to_have_attribute("data-swipe", said)
        eventually("what letting go does", lambda: ("ready" in target.get_attribute("class")) is is_ready)  # noqa: B023
    finger.up()
    expect(target).to_have_count(0)
    expect(page.locator("#notice")).to_contain_text(words)
    assert key not in [item["key"] for item in section(inbox_of_ada, "turn")]
    page.locator("#notice").get_by_role("button", name="Undo").first.click()
    expect(target).to_be_visible()
    assert len(page.context.pages) == 1, "the row was opened"


def test_a_row_drawn_to_the_left_asks_for_how_long_it_sleeps(page, inbox_of_ada):
    key = keys(page)[1]
    target = pull(page, key)
    finger = Finger(page)
    finger.warm()
    lay_on(finger, target, 0.7)
    finger.move(x=-180)
    expect(target).to_have_attribute("data-swipe", "Snooze")
    finger.up()
    button = page.get_by_role("button", name="for a week")
    expect(button).to_be_in_viewport(ratio=1)
    button.click()
    expect(target).to_have_count(0)
    expect(page.locator("#notice")).to_contain_text("snoozed, back in")


def test_a_short_way_does_nothing(page, inbox_of_ada):
    key = keys(page)[1]
    finger = Finger(page)
    finger.warm()
    for begin, way in [(0.3, 60), (0.8, -60)]:
        lay_on(finger, pull(page, key), begin)
        finger.move(x=way)
        eventually("the row in the hand", lambda: "swiped" in pull(page, key).get_attribute("class"))
        finger.up()
        eventually("the row at rest", lambda: "swiped" not in pull(page, key).get_attribute("class"))
    expect(page.locator("#notice")).to_be_empty()
    assert key in [item["key"] for item in section(inbox_of_ada, "turn")]


def test_the_very_first_touch_may_pull_the_inbox_down(page):
    finger = Finger(page)
    with page.expect_response(lambda response: response.url.endswith("/touch.js")):
        lay_on(finger, page.locator("li.pull").first, 0.5)
    eventually("the hint", lambda: finger.move(y=3, steps=1) or page.locator(".pull-hint").count())
    finger.move(y=220, steps=20)
    expect(page.locator(".pull-hint")).to_have_text("Let go to ask GitHub again")
    with page.expect_request(lambda request: request.url.endswith("/pulls/refresh")):
        finger.up()
    expect(page.locator(".pull-hint")).to_have_count(0)
