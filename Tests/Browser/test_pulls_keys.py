"""The inbox with the keyboard alone."""

import pytest
from github import keys, pull
from playwright.sync_api import expect
from program import eventually
from test_keyboard import FOCUS
from visit import freeze


@pytest.fixture
def page(inbox_of_ada, simulator, visit):
    browser = visit(inbox_of_ada, elsewhere=simulator.github_url, service_workers="block")
    freeze(browser.context)
    return browser.page("/pulls")


def current(page):
    return page.evaluate("() => document.activeElement.closest('.pull')?.dataset.key")


def is_seen(page):
    focus = page.evaluate(FOCUS)
    return focus["outline"] and focus["inside"] and focus["seen"]


def test_j_and_k_move_between_rows_and_o_opens_one_on_github(page, simulator):
    rows = keys(page)
    for key in rows[:3]:
        page.keyboard.press("j")
        # The first key loads the code for keys.
        eventually("the row", lambda: current(page) == key)  # noqa: B023
        assert is_seen(page)
    page.keyboard.press("k")
    assert current(page) == rows[1]
    with page.context.expect_page() as opened:
        page.keyboard.press("o")
    _, owner, name, number = rows[1].split("/")
    expect(opened.value).to_have_url(f"{simulator.github_url}/{owner}/{name}/pull/{number}")
    assert opened.value.evaluate("() => opener") is None
    for _ in rows:
        page.keyboard.press("j")
    assert current(page) == rows[-1]
    eventually("the last row in view", lambda: is_seen(page))


@pytest.mark.parametrize("press, words", [
    (["m"], "muted"), (["e"], "done"), (["s", "Enter"], "snoozed until it changes")])
def test_the_focus_moves_to_the_next_row_after_an_action(press, words, page, inbox_of_ada):
    rows = keys(page)
    page.keyboard.press("j")
    page.keyboard.press("j")
    for key in press:
        if key == "Enter":  # The menu's script is loaded with its first use.
            expect(page.get_by_role("button", name="until it changes")).to_be_focused()
        page.keyboard.press(key)
    expect(pull(page, rows[1])).to_have_count(0)
    expect(page.locator("#notice")).to_contain_text(words)
    eventually("the next row", lambda: current(page) == rows[2])
    assert is_seen(page)
    page.keyboard.press("j")
    assert current(page) == rows[3]


def test_escape_closes_the_snooze_menu(page):
    page.keyboard.press("j")
    page.keyboard.press("s")
    expect(page.get_by_role("button", name="until it changes")).to_be_focused()
    assert is_seen(page)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="for an hour")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="until it changes")).to_be_hidden()
    assert current(page) == keys(page)[0]
    eventually("a visible row", lambda: is_seen(page))


def test_r_refreshes(page, simulator):
    asked = len(simulator.requests())
    # Roost does not request again what is less than a few seconds old.
    eventually("GitHub asked again", lambda: page.keyboard.press("r") or len(simulator.requests()) > asked, every=0.5)


def test_escape_leaves_the_search_and_keys_do_nothing_in_a_menu_of_choices(page):
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.press("Escape")
    assert current(page) == keys(page)[0]
    page.locator("#view summary").click()
    page.get_by_role("combobox", name="Author", exact=True).press("m")  # a name starts with this letter
    page.evaluate("() => fetch('/healthz').then(() => true)")
    expect(page.locator("#notice")).not_to_contain_text("muted")
