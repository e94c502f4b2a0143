"""Page weight: at most 15 KB of scripts and 12 KB of styles, compressed as Roost compresses them."""

import gzip
import re

import pytest
from github import first_of
from playwright.sync_api import expect
from program import NOBODY, eventually
from repositories import bookmark, names, row

BUDGETS = {".js": 15_000, ".css": 12_000}


@pytest.mark.parametrize("path", ["/", "/watchlist", "/watchlist/settings", "/coins/bitcoin", "/alerts", "/displays",
                                  "/settings", "/members/invitations", "/login", "/pulls",
                                  "/pulls/sections", "/settings/github", "/repositories?since=0", "/repositories?trending=week",
                                  "/repositories/nobody/has-this-one", "/repositories/keys", "/bookmarks", "/bookmarks/import",
                                  "/reading", "/reading/tools", "/gists", "/today", "/settings/home", "/settings/formats", "/settings/data",
                                  "/search"])
def test_a_page_stays_within_its_budget(path, shared_roost, visit):
    page = visit(shared_roost, NOBODY if path == "/login" else None, service_workers="block").page("about:blank")
    bodies = heard(page)
    page.goto(shared_roost.url + path)
    expect(page.locator("html")).to_have_class(re.compile("^js( |$)"))
    costs_little(bodies)


def heard(page):
    """Collects the page's responses from now on, by address."""
    bodies = {}
    page.on("response", lambda response: bodies.__setitem__(response.url, response))
    return bodies


def costs_little(bodies, budgets=BUDGETS):
    for ending, budget in budgets.items():
        sizes = {url: len(gzip.compress(bodies[url].body(), 6)) for url in list(bodies) if url.endswith(ending)}
        assert sizes and sum(sizes.values()) < budget, sizes


@pytest.mark.parametrize("rest", ["", "/files"])
def test_a_pull_request_stays_within_its_budget_after_keys(rest, inbox_of_ada, visit):
    key = first_of(inbox_of_ada, "turn")["key"]
    page = visit(inbox_of_ada, service_workers="block").page("about:blank")
    bodies = heard(page)
    page.goto(inbox_of_ada.url + "/pulls/" + key.split("/", 1)[1] + rest)
    expect(page.locator(".file, .entry").first).to_be_visible()
    page.keyboard.press("]")
    page.wait_for_function("() => performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/pull-moves.js'))")
    costs_little(bodies)


@pytest.mark.parametrize("path", ["/repositories?since=0", "/bookmarks"])
def test_a_list_stays_within_its_budget_after_keys_touches_and_details(path, shared_roost, visit):
    """Keys, touches, details and checkboxes each load another script."""
    name = names(shared_roost)[0]
    bookmark(shared_roost, name)
    page = visit(shared_roost, has_touch=True).page("about:blank")
    bodies = heard(page)
    page.goto(shared_roost.url + path)
    wanted = ["keyboard", "touch", "detail-pane"]
    page.keyboard.press("j")
    row(page, name).locator("a.name").tap()
    expect(page.locator(".detail-side h2")).to_have_text(name)
    if path == "/bookmarks":
        wanted.append("selection")
        row(page, name).get_by_role("checkbox").check()
        expect(page.locator("#chosen")).to_contain_text("1 selected")

    def loaded():
        page.wait_for_timeout(20)  # for events of responses
        return {re.search(r"([\w-]+)\.js$", url)[1] for url in list(bodies) if url.endswith(".js")}

    eventually(f"the scripts {wanted}", lambda: loaded() >= set(wanted))
    costs_little(bodies)
