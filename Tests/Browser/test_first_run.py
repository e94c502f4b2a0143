"""The first visitor becomes the owner with the printed setup code."""

import re

from accounts import PASSWORD, person, send
from playwright.sync_api import expect
from program import NOBODY, eventually


def setup_line(roost):
    """The address that Roost prints while it has no owner."""
    return eventually("the line that says where to set it up", lambda: next(
        (found[0] for line in list(roost.lines) if (found := re.search(r"http://\S+/setup\?code=\S+", line))), None))


def test_the_printed_address_leads_to_the_home_page(make_roost, visit):
    roost = make_roost(settled=False)
    browser = visit(roost, NOBODY)
    page = browser.page(setup_line(roost))
    expect(page.get_by_role("heading", level=1)).to_have_text("Set up Roost")
    expect(page.get_by_label("User name")).to_be_focused()
    expect(page.get_by_label("Code")).to_have_count(0)
    send(page, "Create account", username="ada", displayName="Ada Lovelace", password=PASSWORD)
    expect(page).to_have_url(f"{roost.url}/")
    expect(person(page)).to_have_text(re.compile("Ada Lovelace"))
    page.goto("/members")
    expect(page.locator("li.display")).to_have_count(1)
    expect(page.locator("li.display")).to_contain_text("owner")
