"""What one page loads stays small: under 15 KB of scripts and 12 KB of styles, compressed as Roost compresses them."""

import gzip

import pytest
from playwright.sync_api import expect
from program import NOBODY

BUDGETS = {".js": 15_000, ".css": 12_000}


@pytest.mark.parametrize("path", ["/", "/watchlist", "/displays", "/settings", "/members/invitations", "/login", "/pulls",
                                  "/pulls/sections", "/settings/github"])
def test_a_page_loads_little(path, calm_roost, visit):
    bodies = {}
    page = visit(calm_roost, NOBODY if path == "/login" else None).page("about:blank")
    page.on("response", lambda response: bodies.__setitem__(response.url, response))
    page.goto(calm_roost.url + path)
    expect(page.locator("html")).to_have_class("js")
    for ending, budget in BUDGETS.items():
        sizes = {url: len(gzip.compress(bodies[url].body(), 6)) for url in list(bodies) if url.endswith(ending)}
        assert sizes and sum(sizes.values()) < budget, sizes
