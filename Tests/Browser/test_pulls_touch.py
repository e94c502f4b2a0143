"""The inbox by touch: swiped rows are done, snoozed or muted."""

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
    """Touches a row at this fraction of its width."""
    box = target.bounding_box()
    finger.down(box["x"] + box["width"] * share, box["y"] + box["height"] / 2)


# Where the swipe starts on the row, how far it goes, and the label before and after half the way.
WAYS = {
    "Done": (0.2, [(60, "Done", False), (120, "Done", True)], "done, returns when it’s your turn again"),
    "Mute": (0.9, [(-60, "Snooze", False), (-120, "Snooze", True), (-100, "Mute", True)], "muted"),
}


@pytest.mark.parametrize("name", WAYS)
def test_a_swiped_row_is_hidden_and_undo_restores_it(name, page, inbox_of_ada):
    begin, ways, words = WAYS[name]
    key = keys(page)[1]
    target = pull(page, key)
    finger = Finger(page)
    finger.warm()
    lay_on(finger, target, begin)
    for way, said, is_ready in ways:
        finger.move(x=way)
        expect(target).to_have_attribute("data-swipe", said)
        eventually("the state of the swipe", lambda: ("ready" in target.get_attribute("class")) is is_ready)  # noqa: B023
    finger.up()
    expect(target).to_have_count(0)
    expect(page.locator("#notice")).to_contain_text(words)
    assert key not in [item["key"] for item in section(inbox_of_ada, "turn")]
    page.locator("#notice").get_by_role("button", name="Undo").first.click()
    expect(target).to_be_visible()
    assert len(page.context.pages) == 1, "the row was opened"


def test_a_row_swiped_left_asks_how_long_to_snooze(page, inbox_of_ada):
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
