"""Notices are at the edge of the page, one at a time, and disappear on their own."""

import pytest
from github import keys, pull, section
from playwright.sync_api import expect
from program import eventually
from visit import order, row, stop_clock


@pytest.fixture
def inbox(inbox_of_ada, visit):
    """An inbox page and the browser's requests."""
    browser = visit(inbox_of_ada)
    page = browser.page("/pulls")
    expect(page.locator("li.pull").nth(2)).to_be_visible()
    return page, browser.requests


def press(page, key, name="Done"):
    """Clicks a row's button with the mouse; returns the position."""
    target = pull(page, key)
    target.hover()
    box = target.get_by_role("button", name=name, exact=True).bounding_box()
    place = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.click(*place)
    expect(target).to_have_count(0)
    return place


def notices(page):
    return page.locator("#notice .notice")


def test_a_notice_moves_nothing_on_the_page(inbox):
    page, _ = inbox
    top = page.locator(".lists").bounding_box()
    press(page, keys(page)[0])
    expect(notices(page)).to_be_visible()
    below = page.locator(".lists").bounding_box()
    assert (below["x"], below["y"], below["width"]) == (top["x"], top["y"], top["width"])


def test_a_second_click_in_the_same_spot_does_not_hit_another_row(inbox, inbox_of_ada):
    page, requests = inbox
    first, second = keys(page)[:2]
    stop_clock(page)  # a second click is ignored for two seconds
    place = press(page, first)
    assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).closest('.pull')?.dataset.key", place) == second
    page.mouse.click(*place)
    # A request of the second click would be sent before this one is answered.
    page.evaluate("() => fetch('/healthz').then(() => true)")
    assert [url.split("/pulls/")[1] for url in requests if url.endswith("/done")] == [f"{first}/done"]
    expect(pull(page, second)).to_be_visible()
    assert len(page.context.pages) == 1
    assert second in [item["key"] for item in section(inbox_of_ada, "turn")]


def test_a_click_elsewhere_takes_effect_at_once(inbox):
    page, requests = inbox
    first, _, third = keys(page)[:3]
    press(page, first)
    press(page, third)
    assert len([url for url in requests if url.endswith("/done")]) == 2


def test_a_row_is_put_away_while_another_one_waits_for_its_answer(inbox):
    page, _ = inbox
    first, _, third = keys(page)[:3]
    held = []
    page.route(f"**/pulls/{first}/done", lambda route: held.append(route))
    pull(page, first).hover()
    pull(page, first).get_by_role("button", name="Done", exact=True).click()
    eventually("the first request", lambda: page.wait_for_timeout(20) or held)
    press(page, third)
    expect(pull(page, first)).to_be_visible()
    held[0].continue_()
    expect(pull(page, first)).to_have_count(0)


# Whether the visible notice covers a row of the page.
COVERS = """() => {
    const box = document.querySelector("#notice .notice").getBoundingClientRect();
    return [...document.querySelectorAll("li.pull")].some((row) => {
        const { left, right, top, bottom } = row.getBoundingClientRect();
        return left < box.right && box.left < right && top < box.bottom && box.top < bottom && bottom < %s;
    });
}"""


@pytest.mark.parametrize(("width", "edge"), [(390, "document.querySelector('.sidebar').getBoundingClientRect().top"),
                                             (1280, "innerHeight"), (1920, "innerHeight")])
def test_a_notice_covers_no_row(width, edge, inbox):
    page, _ = inbox
    page.set_viewport_size({"width": width, "height": 800})
    row = pull(page, keys(page)[0])
    row.locator(".name").focus()
    page.keyboard.press("e")
    expect(notices(page)).to_be_visible()
    assert not page.evaluate(COVERS % edge)


def test_one_notice_is_visible_and_undo_brings_the_older_ones_forward(inbox):
    page, _ = inbox
    first, second, third = keys(page)[:3]
    titles = [pull(page, key).locator(".name").text_content() for key in (first, second, third)]
    visible = page.locator("#notice .notice:visible")
    for key, title in zip((third, second, first), reversed(titles)):
        press(page, key)
        expect(visible).to_contain_text(f"“{title}”: done")
        expect(visible).to_have_count(1)
    expect(visible.get_by_role("button", name="Undo all 3")).to_be_visible()
    visible.get_by_role("button", name="Undo", exact=True).click()
    expect(pull(page, first)).to_be_visible()
    assert second not in keys(page) and third not in keys(page)
    page.locator("#notice").get_by_role("button", name="Close").click()
    expect(notices(page)).to_have_count(0)
    assert second not in keys(page)


def test_several_notices_are_undone_together(inbox):
    page, _ = inbox
    gone = keys(page)[:3]
    for key in reversed(gone):  # a second click in the same spot would be ignored
        press(page, key)
    page.locator("#notice").get_by_role("button", name="Undo all 3").click()
    for key in gone:
        expect(pull(page, key)).to_be_visible()


@pytest.fixture
def clocked(shared_roost, visit):
    """A watchlist with a controlled clock, from which Solana has just been removed."""
    for coin in {"bitcoin", "solana"} - {item["coinId"] for item in shared_roost.items()}:
        shared_roost.watch(coin)
    browser = visit(shared_roost)
    page = browser.page("/watchlist")
    stop_clock(page)
    row(page, "solana").hover()
    with page.expect_response(lambda response: response.url.endswith("/notices.js")):
        row(page, "solana").get_by_role("button", name="Remove").click()
    expect(notices(page)).to_have_attribute("data-owned", "")
    page.mouse.move(5, 5)
    return page


def test_a_notice_disappears_after_ten_seconds_on_screen(clocked):
    clocked.clock.run_for(8_000)
    expect(notices(clocked)).to_be_visible()
    clocked.clock.run_for(3_000)
    expect(notices(clocked)).to_have_count(0)
    assert order(clocked) == ["bitcoin"]


def test_a_notice_stays_while_the_pointer_is_on_it(clocked):
    notices(clocked).hover()
    clocked.clock.run_for(60_000)
    expect(notices(clocked)).to_be_visible()
    clocked.mouse.move(5, 5)
    clocked.clock.run_for(11_000)
    expect(notices(clocked)).to_have_count(0)


def test_time_on_a_hidden_page_does_not_count(clocked):
    clocked.evaluate("() => Object.defineProperty(document, 'hidden', { value: true, configurable: true })")
    clocked.clock.run_for(60_000)
    expect(notices(clocked)).to_be_visible()
    clocked.evaluate("() => delete document.hidden")
    clocked.clock.run_for(11_000)
    expect(notices(clocked)).to_have_count(0)


def test_without_scripts_a_notice_covers_nothing(shared_roost, visit):
    if "solana" not in [item["coinId"] for item in shared_roost.items()]:
        shared_roost.watch("solana")
    page = visit(shared_roost, java_script_enabled=False).page("/watchlist")
    row(page, "solana").hover()
    row(page, "solana").get_by_role("button", name="Remove").click()
    notice = notices(page).bounding_box()
    assert notice["y"] + notice["height"] <= page.locator("h1").bounding_box()["y"]
