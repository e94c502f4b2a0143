"""The explorer during GitHub outages."""

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
