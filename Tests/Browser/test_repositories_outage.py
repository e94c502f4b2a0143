"""What a reader of the explorer sees while GitHub does not answer as it should."""

import re

import pytest
from github import connect
from playwright.sync_api import expect
from program import eventually
from repositories import bookmark, loaded, names, page_of, row, rows, scroll_to_end
from visit import is_marked, mark

DOWN = "GitHub is temporarily unavailable. Please try again later."
CUT = "GitHub's answer was cut off."
ODD = "Received unexpected response from GitHub."


@pytest.fixture
def explorer(make_roost):
    roost = make_roost(interval=3600)
    connect(roost)
    return roost


def listed(page):
    return rows(page).evaluate_all("rows => rows.map((row) => row.dataset.key)")


@pytest.mark.parametrize("fault, message", [("500", DOWN), ("503-html", DOWN), ("reset", CUT), ("truncated", ODD)])
def test_the_next_page_fails_and_what_is_loaded_stays(fault, message, explorer, simulator, visit):
    page = visit(explorer).page("/repositories?since=0")
    assert loaded(page) == 100
    before = listed(page)
    mark(page)
    simulator.spoil(fault)
    scroll_to_end(page)
    box = page.locator(".list-side .error")
    expect(box).to_contain_text(message)
    expect(box).to_contain_text("What is loaded stays.")
    # Where it concerns: behind the last row.
    assert box.evaluate("box => box.compareDocumentPosition([...document.querySelectorAll('.list-side li.repo')].at(-1)) & 2")
    assert listed(page) == before
    simulator.ask("DELETE", "/_simulator/faults")
    box.get_by_role("button", name="Try again").click()
    expect(box).to_have_count(0)
    assert loaded(page, 200) == 200
    assert listed(page)[:100] == before and is_marked(page)


def test_try_again_says_that_it_is_being_tried(explorer, simulator, visit):
    simulator.spoil("500")
    page = visit(explorer).page("/repositories?since=0")
    box = page.locator(".list-side .error")
    expect(box).to_contain_text(DOWN)
    simulator.ask("DELETE", "/_simulator/faults")
    simulator.spoil("hang")
    box.get_by_role("button", name="Try again").click()
    expect(box.get_by_role("button")).to_have_text("Trying…")
    simulator.ask("DELETE", "/_simulator/faults")
    expect(box).to_have_count(0, timeout=40_000)


def test_it_comes_back_by_itself(explorer, simulator, visit):
    simulator.spoil("500")
    page = visit(explorer).page("/repositories?since=0")
    expect(page.locator(".list-side .error")).to_contain_text(DOWN)
    expect(rows(page)).to_have_count(0)
    mark(page)
    simulator.ask("DELETE", "/_simulator/faults")
    eventually("the list by itself", lambda: rows(page).count() == 100, 40)
    expect(page.locator(".list-side .error")).to_have_count(0)
    assert is_marked(page)


def test_details_fail_beside_a_list_that_works(explorer, simulator, visit):
    page = visit(explorer).page("/repositories?since=0")
    loaded(page)
    name = names(explorer, 60)[59]
    simulator.spoil("500", "/repos/")
    row(page, name).locator("a.name").click()
    box = page.locator(".detail-side .error").first
    expect(box).to_contain_text(DOWN)
    expect(page.locator(".detail-side h2")).to_have_text(name)
    expect(page.locator(".list-side .error")).to_have_count(0)
    simulator.ask("DELETE", "/_simulator/faults")
    box.get_by_role("button", name="Try again").click()
    expect(page.locator(".detail-side .counts dd").first).not_to_be_empty()
    expect(page.locator(".readme, .no-readme")).to_be_visible()
    expect(page.locator(".detail-side .error")).to_have_count(0)


@pytest.mark.parametrize("fault", ["github-primary:1200", "github-secondary:90"])
def test_a_limit_says_when_it_ends_and_github_is_left_alone(fault, make_roost, simulator, visit):
    roost = make_roost(interval=3600)
    page = visit(roost).page("/repositories?since=0")
    loaded(page)
    simulator.spoil(fault)
    scroll_to_end(page)
    box = page.locator(".list-side .error")
    expect(box).to_contain_text(re.compile(r"Resets at \d{1,2} [A-Z][a-z]{2} 20\d\d, \d\d:\d\d\."))
    reset = page.evaluate("() => new Date(document.querySelector('.error time').dateTime) - Date.now()") / 1_000
    assert 60 < reset < int(fault.partition(":")[2]) + 30
    simulator.ask("DELETE", "/_simulator/faults")
    number = len(simulator.requests())
    box.get_by_role("button", name="Try again").click()
    expect(page.locator("#notice")).to_contain_text("GitHub cannot be asked again just yet")
    assert [request["path"] for request in simulator.requests()[number:]] == []
    assert len(listed(page)) == 100


def test_a_search_that_fails_keeps_its_words_and_is_tried_again(explorer, simulator, visit):
    simulator.spoil("500", "/search/repositories")
    page = visit(explorer).page("/repositories?q=parser")
    box = page.locator(".list-side .error")
    expect(box).to_contain_text(DOWN)
    expect(page.locator("#q")).to_have_value("parser")
    simulator.ask("DELETE", "/_simulator/faults")
    box.get_by_role("button", name="Try again").click()
    eventually("what was found", lambda: rows(page).count() > 0)
    expect(box).to_have_count(0)


def test_while_github_is_away_one_bookmarks_tags_and_removes_what_is_known(explorer, simulator, visit):
    first, second = names(explorer, 2)
    bookmark(explorer, first)
    simulator.spoil("reset")
    page = visit(explorer).page("/repositories?since=0")
    loaded(page)
    row(page, second).locator("[data-act=bookmark]").click()
    expect(row(page, second).locator("[data-act=bookmark]")).to_have_attribute("aria-pressed", "true")
    page.goto("/bookmarks")
    expect(rows(page)).to_have_count(2)
    row(page, first).locator("[data-act=bookmark]").click()
    expect(rows(page)).to_have_count(1)


def test_the_json_interface_says_it_too(explorer, simulator):
    page_of(explorer)
    simulator.spoil("500")
    answer = explorer.get("/api/v1/repositories?since=3000")
    assert answer.status in (502, 503), answer.text
    assert "GitHub" in answer.json["error"]["message"], answer.text
    assert explorer.get("/api/v1/repositories").status == 200
