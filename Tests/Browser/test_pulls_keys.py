"""The inbox by the keyboard alone, and without scripts."""

import re

import pytest
from accounts import fill
from github import keys, pull, section, waiting
from playwright.sync_api import expect
from program import eventually
from test_keyboard import FOCUS


@pytest.fixture
def page(inbox_of_ada, simulator, visit):
    return visit(inbox_of_ada, elsewhere=simulator.github_url).page("/pulls")


def current(page):
    """The row that has the focus."""
    return page.evaluate("() => document.activeElement.closest('.pull')?.dataset.key")


def is_seen(page):
    focus = page.evaluate(FOCUS)
    return focus["outline"] and focus["inside"] and focus["seen"]


def test_j_and_k_go_from_row_to_row_and_o_opens_one_on_github(page, simulator):
    rows = keys(page)
    for key in rows[:3]:
        page.keyboard.press("j")
        assert current(page) == key and is_seen(page)
    page.keyboard.press("k")
    assert current(page) == rows[1]
    with page.context.expect_page() as opened:
        page.keyboard.press("o")
    _, owner, name, number = rows[1].split("/")
    expect(opened.value).to_have_url(f"{simulator.github_url}/{owner}/{name}/pull/{number}")
    assert opened.value.evaluate("() => opener") is None
    for _ in rows:
        page.keyboard.press("j")
    assert current(page) == rows[-1] and is_seen(page)


@pytest.mark.parametrize("press, words", [
    (["m"], "muted"), (["e"], "done"), (["s", "Enter"], "snoozed until it changes")])
def test_the_focus_goes_on_to_the_next_row_after_an_act(press, words, page, inbox_of_ada):
    rows = keys(page)
    page.keyboard.press("j")
    page.keyboard.press("j")
    for key in press:
        page.keyboard.press(key)
    expect(pull(page, rows[1])).to_have_count(0)
    expect(page.locator("#notice")).to_contain_text(words)
    eventually("the next row", lambda: current(page) == rows[2])
    assert is_seen(page)
    page.keyboard.press("j")
    assert current(page) == rows[3]


def test_the_snooze_menu_is_left_with_escape(page):
    page.keyboard.press("j")
    page.keyboard.press("s")
    expect(page.get_by_role("button", name="until it changes")).to_be_focused()
    assert is_seen(page)
    page.keyboard.press("Tab")
    expect(page.get_by_role("button", name="for an hour")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="until it changes")).to_be_hidden()
    assert current(page) == keys(page)[0]
    eventually("the row to be seen", lambda: is_seen(page))


def test_r_asks_again_and_the_question_mark_lists_the_keys(page, inbox_of_ada, simulator):
    asked = len(simulator.requests())
    page.keyboard.press("r")
    eventually("GitHub asked again", lambda: len(simulator.requests()) > asked)
    page.keyboard.press("?")
    dialog = page.get_by_role("dialog", name="Keys")
    expect(dialog).to_contain_text("mark it done")
    page.keyboard.press("m")  # nothing is acted upon behind it
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    expect(page.locator("#notice")).not_to_contain_text("muted")


def test_no_key_acts_while_one_types(page, inbox_of_ada):
    before = len(inbox_of_ada.get("/api/v1/pulls").json["sections"][0]["items"])
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()
    page.keyboard.type("jkosme?r")
    expect(page.get_by_role("searchbox")).to_have_value("jkosme?r")
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert len(page.context.pages) == 1 and page.locator("#hidden-pulls").count() == page.locator("#hidden-pulls:not([open])").count()
    page.get_by_role("searchbox").fill("")
    eventually("every row", lambda: len(keys(page)) >= before)
    page.get_by_role("searchbox").focus()
    page.keyboard.press("Escape")
    assert current(page) == keys(page)[0]
    page.keyboard.press("Control+e")
    expect(pull(page, keys(page)[0])).to_be_visible()
    page.locator("#view summary").click()
    page.get_by_role("combobox", name="Author", exact=True).press("m")  # whose name begins so
    page.evaluate("() => fetch('/healthz').then(() => true)")
    expect(page.locator("#notice")).not_to_contain_text("muted")


def test_everything_can_be_done_without_scripts(inbox_of_ada, visit):
    page = visit(inbox_of_ada, java_script_enabled=False).page("/pulls")
    count = int(waiting(page).text_content())
    assert page.title().startswith(f"({count}) Pull requests")
    first, second, third = section(inbox_of_ada, "turn")[:3]
    for item, name, words in [(first, "Mute", "muted"), (second, "Done", "done, returns when it’s your turn again")]:
        row = pull(page, item["key"])
        row.hover()
        row.get_by_role("button", name=re.compile(f"^{name}")).click()
        expect(page.locator("#notice")).to_contain_text(f"“{item['title']}”: {words}.")
        expect(row).to_have_count(0)
        page.get_by_role("button", name="Undo").first.click()
        expect(page.locator("#notice")).to_contain_text("is back.")
        expect(row).to_be_visible()
    row = pull(page, third["key"])
    row.hover()
    row.get_by_role("link", name="Snooze").click()
    expect(page.get_by_role("main")).to_contain_text(third["title"])
    page.get_by_role("button", name="for a week").click()
    expect(page.locator("#notice")).to_contain_text(re.compile("snoozed, back in [67] days"))  # till eight in the morning
    page.locator("#hidden-pulls summary").click()
    page.get_by_role("button", name=f"Bring back {third['title']}").first.click()
    expect(row).to_be_visible()
    page.get_by_role("searchbox").fill(first["title"])
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"\?text="))
    assert first["key"] in keys(page)
    page.get_by_role("link", name="Show all").click()
    expect(page).to_have_url(re.compile("/pulls$"))
    for name, wish in [("Smallest", "size"), ("Longest wait", "age")]:
        page.locator("#view summary").click()
        page.get_by_role("button", name=name).click()
        assert inbox_of_ada.get("/pulls").text.count(f'value="{wish}" aria-pressed="true"') == 1
    page.locator("#view summary").click()
    page.get_by_role("link", name="Keys").click()
    expect(page.locator("main")).to_contain_text("without them each row’s own buttons do the same")
    page.goto("/pulls/sections")
    fill(page, amberHours="2", redHours="1").get_by_role("button", name="Save").click()
    expect(page.locator("#waits-redHours-error, #redHours-error")).to_contain_text("Must be between the amber threshold")
