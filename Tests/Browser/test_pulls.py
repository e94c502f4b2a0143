"""The inbox: pull requests appear and disappear live, and can be snoozed, muted and restored."""

import re

from github import act, agrees, asked, away, first_of, pull, refresh, section, waiting
from playwright.sync_api import expect
from program import eventually
from visit import is_marked, mark

TITLE = "Carry the tens"


def snooze(page, key, until):
    row = pull(page, key)
    row.hover()
    row.get_by_role("link", name="Snooze").click()
    page.get_by_role("button", name=until).click()


def counts(page, roost):
    """Expects Roost's count in the navigation and the same in the title."""
    count = agrees(page, roost)
    if page.url.endswith("/pulls"):
        eventually("the count in the title", lambda: page.title().startswith(f"({waiting(page).text_content()}) Pull requests"))
    return count


def test_a_new_request_appears_in_every_tab_and_updates_the_counts(inbox_of_ada, simulator, visit):
    browser = visit(inbox_of_ada)
    pages = [browser.page("/pulls"), browser.page("/pulls"), visit(inbox_of_ada).page("/pulls"), browser.page("/watchlist")]
    before = max(counts(page, inbox_of_ada) for page in pages)
    for page in pages:
        mark(page)
    for number in range(3):  # more than the simulation removes in the meantime
        simulator.happen(request={"login": "ada", "title": f"One of three: {number}"})
    key, _ = asked(simulator, inbox_of_ada, TITLE)
    for page in pages[:-1]:
        expect(pull(page, key)).to_contain_text(TITLE)
        expect(pull(page, key)).to_contain_text("review requested")
    for page in pages:
        assert counts(page, inbox_of_ada) > before
        assert is_marked(page)


def test_a_merged_pull_request_disappears(inbox_of_ada, simulator, visit):
    key, name = asked(simulator, inbox_of_ada, TITLE)
    page = visit(inbox_of_ada).page("/pulls")
    expect(pull(page, key)).to_be_visible()
    simulator.happen(merge={"pull": name})
    refresh(inbox_of_ada)
    expect(pull(page, key)).to_have_count(0)


def test_a_pull_request_snoozed_until_it_changes_returns_with_a_change(inbox_of_ada, simulator, visit):
    key, name = asked(simulator, inbox_of_ada, TITLE)
    page = visit(inbox_of_ada).page("/pulls")
    expect(pull(page, key)).to_be_visible()
    snooze(page, key, "until it changes")
    expect(page.locator("#notice")).to_contain_text(f"“{TITLE}”: snoozed until it changes.")
    expect(pull(page, key)).to_have_count(0)
    counts(page, inbox_of_ada)
    refresh(inbox_of_ada)
    expect(away(page)).to_contain_text(TITLE)
    simulator.happen(comment={"pull": name})
    refresh(inbox_of_ada)
    expect(pull(page, key)).to_be_visible()
    counts(page, inbox_of_ada)


def test_a_timed_snooze_hides_the_row(inbox_of_ada, visit):
    page = visit(inbox_of_ada).page("/pulls")
    items = section(inbox_of_ada, "turn")
    for item, until, words in zip(items, ["for an hour", "until tomorrow", "for a week"],
                                  ["snoozed, back in", "snoozed, back", "snoozed, back in [67] days"]):
        snooze(page, item["key"], until)
        expect(page.locator("#notice")).to_contain_text(re.compile(rf"“{re.escape(item['title'])}”: {words}"))
        expect(pull(page, item["key"])).to_have_count(0)
    expect(away(page).locator("li", has_text="snoozed until").first).to_be_visible()


def test_a_hidden_row_is_restored_by_undo_and_from_the_panel(inbox_of_ada, visit):
    item = first_of(inbox_of_ada, "turn")
    page, other = (visit(inbox_of_ada).page("/pulls") for _ in range(2))
    row = pull(page, item["key"])
    act(page, item["key"], "Mute")
    expect(page.locator("#notice")).to_contain_text(f"“{item['title']}”: muted.")
    expect(row).to_have_count(0)
    expect(pull(other, item["key"])).to_have_count(0)
    page.get_by_role("button", name="Undo").first.click()
    expect(row).to_be_visible()
    expect(pull(other, item["key"])).to_be_visible()
    act(page, item["key"], "Mute")
    expect(row).to_have_count(0)
    hidden = away(page).locator(f'li[data-key="~{item["key"]}"]')
    expect(hidden).to_contain_text("muted")
    hidden.get_by_role("button", name=f"Restore {item['title']}").click()
    expect(row).to_be_visible()
    expect(hidden).to_have_count(0)


def test_a_hidden_row_stays_in_the_panel_when_its_response_arrives_last(inbox_of_ada, visit):
    item = first_of(inbox_of_ada, "turn")
    page = visit(inbox_of_ada).page("/pulls")
    held = []
    page.route("**/mute", lambda route: held.append((route, route.fetch())))
    act(page, item["key"], "Mute")
    hidden = page.locator(f'#hidden-pulls li[data-key="~{item["key"]}"]')
    expect(hidden).to_have_count(1)
    assert page.locator("#notice").text_content().strip() == ""
    hidden.evaluate("entry => entry.isTheSame = true")  # a poll must not replace the element
    for route, answer in held:
        route.fulfill(response=answer)
    expect(page.locator("#notice")).to_contain_text(f"“{item['title']}”: muted.")
    assert hidden.evaluate("entry => entry.isTheSame")
    page.get_by_role("button", name="Undo").first.click()
    expect(pull(page, item["key"])).to_be_visible()
