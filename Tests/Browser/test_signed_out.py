"""Pages whose session ended elsewhere: they say so, offer to sign in, stop polling, and keep typed text."""

import re

from playwright.sync_api import expect
from visit import order, row

SIGN_IN = re.compile(r"^/login\?next=%2Fwatchlist")
# Requests that need a session; files under /static do not.
ASKED = re.compile(r"/(changes|watchlist|displays|api)\b")


def end_session(page, path):
    """Answers these addresses as without a session from now on; returns the growing list of requests."""
    asked = []

    def refuse(route):
        asked.append(route.request.url)
        route.fulfill(status=401, content_type="text/html", body="<title>Sign in</title>")

    page.route(path, refuse)
    return asked


def told(page):
    expect(page.locator("#banner")).to_contain_text("You are signed out.")
    expect(page.locator("#banner").get_by_role("link", name="Sign in")).to_have_attribute("href", SIGN_IN)


def test_a_refused_poll_is_reported_and_polling_stops(roost, visit):
    roost.priced("bitcoin")
    page = visit(roost).page("/watchlist")
    expect(row(page, "bitcoin")).to_be_visible()
    asked = end_session(page, ASKED)
    told(page)
    page.wait_for_timeout(500)  # for requests that were in progress at the first refusal
    count = len(asked)
    page.wait_for_timeout(4_000)  # a page retries within 2.5 seconds after a first failure
    assert len(asked) == count, asked
    expect(row(page, "bitcoin")).to_be_visible()


def test_a_refused_form_keeps_its_text(calm_roost, visit):
    calm_roost.priced("bitcoin", "solana")
    page = visit(calm_roost).page("/watchlist")
    box = page.get_by_role("combobox")
    box.fill("half a na")
    end_session(page, re.compile(r"/watchlist/\S*/remove"))
    row(page, "solana").hover()
    page.get_by_role("button", name="Remove Solana").click()
    told(page)
    expect(box).to_have_value("half a na")
    assert set(order(page)) == {"bitcoin", "solana"}
    expect(page.locator("#notice")).to_be_empty()


def test_a_refused_search_says_that_the_user_is_signed_out(calm_roost, visit):
    page = visit(calm_roost).page("/watchlist")
    end_session(page, re.compile("/api/"))
    page.get_by_role("combobox").press_sequentially("bit")
    told(page)
    expect(page.locator("#coin-options")).to_be_hidden()
    expect(page.get_by_role("combobox")).to_have_value("bit")


def test_every_tab_detects_the_ended_session(roost, visit):
    roost.priced("bitcoin")
    tabs = visit(roost)
    first, second = tabs.page("/watchlist"), tabs.page("/watchlist")
    tabs.context.route(ASKED, lambda route: route.fulfill(status=401, body=""))
    for page in (first, second):
        told(page)
