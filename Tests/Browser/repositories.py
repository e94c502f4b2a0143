"""GitHub's repositories and the bookmarks on them, as the tests of the browser and of the program use them."""

import re

from program import eventually


def page_of(roost, since=0, guest=None):
    """One page of all public repositories, from the JSON interface."""
    answer = roost.get(f"/api/v1/repositories?since={since}", guest=guest)
    assert answer.status == 200, answer.text
    return answer.json


def names(roost, count=1, guest=None):
    """The first names of the list that can be opened."""
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
    """The row of a repository in a list."""
    return page.locator(".list-side li.repo").filter(has=page.locator(f'a.name[href^="/repositories/{name}"]'))


def rows(page):
    return page.locator(".list-side li.repo[data-key]")


def keep(page, name):
    """A row's bookmark button."""
    return row(page, name).locator("[data-act=bookmark]")


def loaded(page, least=100):
    """Waits for so many rows."""
    eventually(f"{least} rows", lambda: rows(page).count() >= least)
    return rows(page).count()


def scroll_to_end(page):
    """Scrolls the list as far as it goes: on wide screens it scrolls by itself."""
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
    """(title, count in its head, rows in it) of every group."""
    return page.locator("details.repo-group").evaluate_all("""(all) => all.map((group) => [
        group.querySelector("h2").firstChild.textContent.trim(),
        Number(group.querySelector(".total").textContent.replaceAll(",", "")),
        group.querySelectorAll("li.repo").length])""")


def asked(simulator, pattern):
    """The requests to GitHub whose path fits."""
    return [request for request in simulator.requests() if re.search(pattern, request["path"])]
