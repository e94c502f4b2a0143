"""What a reader of the inbox sees while GitHub does not answer as it should."""

import re

import pytest
from github import asked, connect, fails, inbox, keys, pull, refresh, section, try_again, waiting
from playwright.sync_api import expect
from program import eventually

DOWN = "GitHub is temporarily unavailable. Please try again later."
ODD = "Received unexpected response from GitHub."
CUT = "GitHub's answer was cut off."
LATER = "Try again in a few moments."
LIMIT = "GitHub rate limit exceeded. Resets at"
REST = 40_000  # milliseconds: Roost rests after a refresh, up to half a minute where the machine was slow at it


def trouble(page, message, suggestion):
    """What is wrong is said in the mission's words, with the age of what is shown; the rows are still there."""
    box = page.locator(".error")
    expect(box).to_have_count(1, timeout=REST)
    expect(box).to_contain_text(f"ada at github.com: {message}")
    expect(box).to_contain_text(suggestion)
    expect(box).to_contain_text("What you see from there is from")
    expect(page.locator(".source-line .freshness-stale")).to_contain_text("Out of date · updated")
    return box


@pytest.mark.parametrize("fault, message, suggestion", [
    ("500", DOWN, LATER),
    ("503-html", DOWN, LATER),
    ("reset", CUT, LATER),
    ("truncated", ODD, LATER),
    ("github-403", "GitHub refused access to this.", "Check what the token may read."),
])
def test_a_fault_leaves_the_rows_and_try_again_ends_it(fault, message, suggestion, inbox_of_ada, simulator, visit):
    page = visit(inbox_of_ada).page("/pulls")
    before = keys(page)
    assert len(before) > 20
    simulator.spoil(fault)
    fails(inbox_of_ada)
    box = trouble(page, message, suggestion)
    assert keys(page) == before
    title = simulator.happen(request={"login": "ada", "title": "Came in the dark"})["pull"]["key"]
    simulator.ask("DELETE", "/_simulator/faults")
    box.get_by_role("button", name="Try again").click()
    expect(box).to_have_count(0, timeout=REST)
    expect(page.locator(".source-line .freshness-live")).to_be_visible()
    expect(pull(page, f"github.com/{title.replace('#', '/')}")).to_be_visible()


def test_try_again_says_that_it_is_being_tried(make_roost, simulator, visit):
    roost = make_roost(interval=3600)
    connect(roost)
    page = visit(roost).page("/pulls")
    expect(page.locator("li.pull").first).to_be_visible()
    simulator.spoil("500")
    fails(roost)
    box = trouble(page, DOWN, LATER)
    simulator.ask("DELETE", "/_simulator/faults")
    simulator.spoil("hang")
    box.get_by_role("button", name="Try again").click()
    expect(box.get_by_role("button")).to_have_text("Trying…")
    simulator.ask("DELETE", "/_simulator/faults")
    expect(box).to_have_count(0, timeout=REST)


@pytest.mark.parametrize("fault", ["github-primary:1200", "github-secondary:90", "graphql-limit:1200"])
def test_a_limit_is_named_with_its_end_and_github_is_left_alone(fault, make_roost, simulator, visit):
    roost = make_roost(interval=3600)
    connect(roost)
    page = visit(roost).page("/pulls")
    expect(page.locator("li.pull").first).to_be_visible()
    before = keys(page)
    simulator.spoil(fault)
    try_again(roost)
    box = trouble(page, LIMIT, "Wait for the rate limit to reset.")
    expect(box).to_contain_text(re.compile(r"Resets at \d{1,2} [A-Z][a-z]{2} 20\d\d, \d\d:\d\d\. Wait"))
    reset = page.evaluate("() => new Date(document.querySelector('.error time').dateTime) - Date.now()") / 1_000
    assert 80 < reset < int(fault.partition(":")[2]) + 30
    number = len(simulator.requests())
    box.get_by_role("button", name="Try again").click()
    expect(page.locator("#notice")).to_contain_text("GitHub rate limit exceeded. Resets at")
    assert len(simulator.requests()) == number
    assert keys(page) == before


def test_a_revoked_token_empties_the_inbox_and_a_new_one_fills_it(make_roost, simulator, visit):
    roost = make_roost(interval=3600)
    connect(roost)
    page = visit(roost).page("/pulls")
    expect(page.locator("li.pull").first).to_be_visible()
    simulator.happen(revoke={"login": "ada"})
    fails(roost)
    expect(page.locator(".error")).to_contain_text("Your session has expired. Please log in again.")
    expect(page.locator("li.pull")).to_have_count(0)
    expect(waiting(page)).to_have_text("")
    page.locator(".error").get_by_role("link", name="Connect GitHub").click()
    expect(page.locator("li.account")).to_contain_text("Your session has expired. Please log in again.")
    expect(page.locator("li.account")).to_contain_text("Connect it again in one of the ways below")
    simulator.clear()
    connect(roost)
    expect(page.locator("li.account .tag")).to_have_text("connected")
    page.goto("/pulls")
    expect(page.locator("li.pull").first).to_be_visible()
    expect(page.locator(".error")).to_have_count(0)


def test_without_graphql_there_is_less_detail_and_the_page_says_so(make_roost, simulator, visit):
    simulator.spoil("graphql-missing")
    roost = make_roost(interval=3600)
    connect(roost)
    page = visit(roost).page("/pulls")
    expect(page.locator(".lists > .message")).to_contain_text(
        "GitHub answers only simple searches: no checks, reviews, sizes or threads are shown.")
    assert len(keys(page)) > 20
    expect(page.locator("li.pull .files")).to_have_count(0)
    expect(page.locator(".error")).to_have_count(0)
    key, _ = asked(simulator, roost, "Found by the plain search")
    expect(pull(page, key)).to_be_visible()


def test_some_that_are_kept_back_do_not_keep_back_the_others(make_roost, simulator, visit):
    # One of its own: the waits that GitHub asked the shared one for are not over.
    roost = make_roost(interval=3600)
    connect(roost)
    page = visit(roost).page("/pulls")
    whole = len(section(roost, "turn"))
    simulator.spoil("graphql-partial")
    refresh(roost)
    eventually("fewer rows", lambda: 5 < len(keys(page, "turn")) < whole)
    assert inbox(roost)["sources"][0]["state"] == "loaded"
    simulator.ask("DELETE", "/_simulator/faults")
    refresh(roost)
    eventually("all rows", lambda: len(keys(page, "turn")) > whole - 5)


def test_pictures_come_from_roost_alone_and_outlive_github(make_roost, simulator, visit):
    roost = make_roost(interval=3600)
    connect(roost)
    browser = visit(roost)
    page = browser.page("/pulls")
    pictures = page.locator("li.pull img.avatar, li.pull .avatar img")
    expect(pictures.first).to_be_visible()
    address = pictures.first.get_attribute("src")
    assert address.startswith("/pictures/")
    eventually("the picture, drawn", lambda: pictures.first.evaluate("image => image.complete && image.naturalWidth > 0"))
    page.close()
    simulator.spoil("reset")
    roost.stop()
    roost.start()
    answer = roost.get(address)
    assert answer.status == 200 and answer.headers["Content-Type"] == "image/png" and len(answer.body) > 100
    page = visit(roost).page("/pulls")
    expect(page.locator(".error")).to_contain_text(CUT)
