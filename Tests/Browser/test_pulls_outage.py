"""The inbox during GitHub outages."""

import re

from github import connect, fails, keys, pull, try_again
from playwright.sync_api import expect

LIMIT = "GitHub rate limit exceeded. Resets at"
REST = 40_000  # milliseconds: Roost rests after a refresh, for up to half a minute on a slow machine


def trouble(page, message, suggestion):
    """Expects the mission's error message and the age of the rows, which are still shown."""
    box = page.locator(".error")
    expect(box).to_have_count(1, timeout=REST)
    expect(box).to_contain_text(f"ada at github.com: {message}")
    expect(box).to_contain_text(suggestion)
    expect(box).to_contain_text("Last updated")
    expect(page.locator(".source-line .freshness-stale")).to_contain_text("Out of date · updated")
    return box


def test_a_fault_keeps_the_rows_and_try_again_recovers(make_roost, simulator, visit):
    roost = make_roost(interval=3600)  # not shared: the other test counts requests
    connect(roost)
    page = visit(roost).page("/pulls")
    before = keys(page)
    assert len(before) > 20
    simulator.spoil("500")
    fails(roost)
    box = trouble(page, "GitHub is temporarily unavailable. Please try again later.", "Try again in a few moments.")
    assert keys(page) == before
    title = simulator.happen(request={"login": "ada", "title": "Came in the dark"})["pull"]["key"]
    simulator.ask("DELETE", "/_simulator/faults")
    box.get_by_role("button", name="Try again").click()
    expect(box).to_have_count(0, timeout=REST)
    expect(page.locator(".source-line .freshness-live")).to_be_visible()
    expect(pull(page, f"github.com/{title.replace('#', '/')}")).to_be_visible()


def test_a_rate_limit_is_shown_with_its_end_and_stops_requests(make_roost, simulator, visit):
    roost = make_roost(interval=3600)
    connect(roost)

    def asked():
        return [request for request in simulator.requests() if request.get("login") == "ada"]

    page = visit(roost).page("/pulls")
    expect(page.locator("li.pull").first).to_be_visible()
    before = keys(page)
    simulator.spoil("github-primary:1200")
    try_again(roost)
    box = trouble(page, LIMIT, "Wait for the rate limit to reset.")
    expect(box).to_contain_text(re.compile(r"Resets at \d{1,2} [A-Z][a-z]{2} 20\d\d, \d\d:\d\d\. Wait"))
    reset = page.evaluate("() => new Date(document.querySelector('.error time').dateTime) - Date.now()") / 1_000
    assert 80 < reset < 1_230
    number = len(asked())
    box.get_by_role("button", name="Try again").click()
    expect(page.locator("#notice")).to_contain_text("GitHub rate limit exceeded. Resets at")
    assert len(asked()) == number
    assert keys(page) == before
