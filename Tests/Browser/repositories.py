"""Repositories and bookmarks for the tests."""

import re

from program import eventually


def page_of(roost, since=0, guest=None):
    """One page of all public repositories from the API."""
    answer = roost.get(f"/api/v1/repositories?since={since}", guest=guest)
    assert answer.status == 200, answer.text
    return answer.json


def names(roost, count=1, guest=None):
    """The first names of the list."""
    return [item["fullName"] for item in page_of(roost, guest=guest)["items"]][:count]


def bookmark(roost, *full_names, guest=None, **more):
    for name in full_names:
        made = roost.ask("POST", "/api/v1/bookmarks", {"fullName": name, **more}, guest=guest)
        assert made.status in (200, 201), made.text


def bookmarks(roost, guest=None):
    answer = roost.get("/api/v1/bookmarks", guest=guest)
    assert answer.status == 200, answer.text
    return answer.json["items"]


def row(page, name):
    return page.locator(".list-side li.repo").filter(has=page.locator(f'a.name[href^="/repositories/{name}"]'))


def rows(page):
    return page.locator(".list-side li.repo[data-key]")


def keep(page, name):
    return row(page, name).locator("[data-act=bookmark]")


def loaded(page, least=100):
    """Waits for at least this many rows; returns their count."""
    eventually(f"{least} rows", lambda: rows(page).count() >= least)
    return rows(page).count()


def scroll_to_end(page):
    """Scrolls to the end of the list, which on wide screens scrolls separately from the page."""
    page.evaluate("""() => {
        const side = document.querySelector(".list-side");
        side.scrollTop = side.scrollHeight;
        scrollTo(0, document.body.scrollHeight);
    }""")


def group_by(page, words):
    page.locator("#view > summary").click()
    page.locator("#view").get_by_role("button", name=words, exact=True).click()
    page.keyboard.press("Escape")


def groups(page):
    """(title, count in the heading, number of rows) of every group."""
    return page.locator("details.repo-group").evaluate_all("""(all) => all.map((group) => [
        group.querySelector("h2").firstChild.textContent.trim(),
        Number(group.querySelector(".total").textContent.replaceAll(",", "")),
        group.querySelectorAll("li.repo").length])""")


def asked(simulator, pattern):
    """The requests to GitHub whose path matches the pattern."""
    return [request for request in simulator.requests() if re.search(pattern, request["path"])]
