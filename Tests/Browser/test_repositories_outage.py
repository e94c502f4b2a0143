"""The explorer during GitHub outages."""

import re

import pytest
from github import connect
from playwright.sync_api import expect
from repositories import loaded, names, row, rows, scroll_to_end
from visit import is_marked, mark

DOWN = "GitHub is temporarily unavailable. Please try again later."


@pytest.fixture
def explorer(make_roost):
    roost = make_roost(interval=3600)
    connect(roost)
    return roost


def listed(page):
    return rows(page).evaluate_all("rows => rows.map((row) => row.dataset.key)")


def test_a_failed_next_page_keeps_the_loaded_rows(explorer, simulator, visit):
    page = visit(explorer).page("/repositories?since=0")
    assert loaded(page) == 100
    before = listed(page)
    mark(page)
    simulator.spoil("500")
    scroll_to_end(page)
    box = page.locator(".list-side .error")
    expect(box).to_contain_text(DOWN)
    expect(box).to_contain_text("Loaded content is kept.")
    # The error is after the last row.
    assert box.evaluate("box => box.compareDocumentPosition([...document.querySelectorAll('.list-side li.repo')].at(-1)) & 2")
    assert listed(page) == before
    simulator.ask("DELETE", "/_simulator/faults")
    box.get_by_role("button", name="Try again").click()
    expect(box).to_have_count(0)
    assert loaded(page, 200) == 200
    assert listed(page)[:100] == before and is_marked(page)


def test_failed_details_do_not_affect_the_list(explorer, simulator, visit):
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


def test_a_rate_limit_is_shown_with_its_end_and_stops_requests(make_roost, simulator, visit):
    roost = make_roost(interval=3600)
    page = visit(roost).page("/repositories?since=0")
    loaded(page)
    simulator.spoil("github-primary:1200")
    scroll_to_end(page)
    box = page.locator(".list-side .error")
    expect(box).to_contain_text(re.compile(r"Resets at \d{1,2} [A-Z][a-z]{2} 20\d\d, \d\d:\d\d\."))
    reset = page.evaluate("() => new Date(document.querySelector('.error time').dateTime) - Date.now()") / 1_000
    assert 60 < reset < 1_230
    simulator.ask("DELETE", "/_simulator/faults")
    number = len(simulator.requests())
    box.get_by_role("button", name="Try again").click()
    expect(page.locator("#notice")).to_contain_text("Roost cannot ask GitHub again yet")
    assert [request["path"] for request in simulator.requests()[number:]] == []
    assert len(listed(page)) == 100
