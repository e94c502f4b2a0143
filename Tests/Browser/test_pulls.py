"""The inbox: what waits for its reader on GitHub comes by itself, and is put away until it matters again."""

import re

import pytest
from github import act, asked, away, has_title, pull, refresh, section, waiting
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
    """The figure in the navigation and in the tab's title is what Roost counts; it moves with the simulated world."""
    count = str(len(section(roost, "turn")))
    expect(waiting(page)).to_have_text(count)
    if page.url.endswith("/pulls"):
        has_title(page, count)
    return int(count)


def test_a_new_request_appears_by_itself_in_every_tab_with_the_figures(inbox_of_ada, simulator, visit):
    browser = visit(inbox_of_ada)
    pages = [browser.page("/pulls"), browser.page("/pulls"), visit(inbox_of_ada).page("/pulls"), browser.page("/watchlist")]
    before = max(counts(page, inbox_of_ada) for page in pages)
    for page in pages:
        mark(page)
    for number in range(3):  # more than the world takes away by itself meanwhile
        simulator.happen(request={"login": "ada", "title": f"One of three: {number}"})
    key, _ = asked(simulator, inbox_of_ada, TITLE)
    for page in pages[:-1]:
        expect(pull(page, key)).to_contain_text(TITLE)
        expect(pull(page, key)).to_contain_text("review requested")
    for page in pages:
        assert counts(page, inbox_of_ada) > before
        assert is_marked(page)


def test_a_merged_one_goes_by_itself(inbox_of_ada, simulator, visit):
    key, name = asked(simulator, inbox_of_ada, TITLE)
    page = visit(inbox_of_ada).page("/pulls")
    expect(pull(page, key)).to_be_visible()
    simulator.happen(merge={"pull": name})
    refresh(inbox_of_ada)
    expect(pull(page, key)).to_have_count(0)


@pytest.mark.parametrize("happens", ["comment", "push"])
def test_snoozed_until_it_changes_it_returns_with_a_change(happens, inbox_of_ada, simulator, visit):
    key, name = asked(simulator, inbox_of_ada, TITLE)
    page = visit(inbox_of_ada).page("/pulls")
    expect(pull(page, key)).to_be_visible()
    snooze(page, key, "until it changes")
    expect(page.locator("#notice")).to_contain_text(f"“{TITLE}”: snoozed until it changes.")
    expect(pull(page, key)).to_have_count(0)
    counts(page, inbox_of_ada)
    refresh(inbox_of_ada)
    expect(away(page)).to_contain_text(TITLE)
    simulator.happen(**{happens: {"pull": name}})
    refresh(inbox_of_ada)
    expect(pull(page, key)).to_be_visible()
    counts(page, inbox_of_ada)


def test_a_snooze_for_a_time_puts_it_away(inbox_of_ada, visit):
    page = visit(inbox_of_ada).page("/pulls")
    items = section(inbox_of_ada, "turn")
    for item, until, words in zip(items, ["for an hour", "until tomorrow", "for a week"],
                                  ["snoozed, back in", "snoozed, back", "snoozed, back in [67] days"]):
        snooze(page, item["key"], until)
        expect(page.locator("#notice")).to_contain_text(re.compile(rf"“{re.escape(item['title'])}”: {words}"))
        expect(pull(page, item["key"])).to_have_count(0)
    expect(away(page).locator("li", has_text="snoozed until").first).to_be_visible()


@pytest.mark.parametrize("name, words", [("Mute", "muted"), ("Done", "done, returns when it’s your turn again")])
def test_what_is_put_away_comes_back_by_undo_and_from_the_panel(name, words, inbox_of_ada, visit):
    item = section(inbox_of_ada, "turn")[0]
    page, other = (visit(inbox_of_ada).page("/pulls") for _ in range(2))
    row = pull(page, item["key"])
    act(page, item["key"], name)
    expect(page.locator("#notice")).to_contain_text(f"“{item['title']}”: {words}.")
    expect(row).to_have_count(0)
    expect(pull(other, item["key"])).to_have_count(0)
    page.get_by_role("button", name="Undo").first.click()
    expect(row).to_be_visible()
    expect(pull(other, item["key"])).to_be_visible()
    act(page, item["key"], name)
    expect(row).to_have_count(0)
    hidden = away(page).locator(f'li[data-key="~{item["key"]}"]')
    expect(hidden).to_contain_text(words)
    hidden.get_by_role("button", name=f"Bring back {item['title']}").click()
    expect(row).to_be_visible()
    expect(hidden).to_have_count(0)


def test_what_is_put_away_stays_in_the_panel_where_its_answer_comes_last(inbox_of_ada, visit):
    item = section(inbox_of_ada, "turn")[0]
    page = visit(inbox_of_ada).page("/pulls")
    held = []
    page.route("**/mute", lambda route: held.append((route, route.fetch())))
    act(page, item["key"], "Mute")
    hidden = page.locator(f'#hidden-pulls li[data-key="~{item["key"]}"]')
    expect(hidden).to_have_count(1)
    assert page.locator("#notice").text_content().strip() == ""
    hidden.evaluate("entry => entry.isTheSame = true")  # another poll might bring a new one
    for route, answer in held:
        route.fulfill(response=answer)
    expect(page.locator("#notice")).to_contain_text(f"“{item['title']}”: muted.")
    assert hidden.evaluate("entry => entry.isTheSame")
    page.get_by_role("button", name="Undo").first.click()
    expect(pull(page, item["key"])).to_be_visible()


def test_what_is_done_returns_when_it_is_ones_turn_anew(inbox_of_ada, simulator, visit):
    key, name = asked(simulator, inbox_of_ada, TITLE)
    page = visit(inbox_of_ada).page("/pulls")
    act(page, key, "Done")
    expect(pull(page, key)).to_have_count(0)
    simulator.happen(push={"pull": name})
    refresh(inbox_of_ada)
    expect(pull(page, key)).to_be_visible()


def test_marks_outlive_a_restart(inbox_of_ada, visit):
    item = section(inbox_of_ada, "turn")[0]
    page = visit(inbox_of_ada).page("/pulls")
    act(page, item["key"], "Mute")
    expect(pull(page, item["key"])).to_have_count(0)
    page.close()
    inbox_of_ada.stop()
    inbox_of_ada.start()
    eventually("the inbox again", lambda: section(inbox_of_ada, "turn"))
    page = visit(inbox_of_ada).page("/pulls")
    expect(page.locator("li.pull").first).to_be_visible()
    expect(pull(page, item["key"])).to_have_count(0)
    expect(away(page)).to_contain_text(item["title"])
