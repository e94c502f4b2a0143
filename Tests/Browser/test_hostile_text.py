"""Strangers' text that would be markup if one character were not escaped stays text in a real browser.

Some programs combine a character with a letter before it (U+0D4E) or a mark after it (U+0301); browsers do not.
"""

import json
from urllib.parse import quote

import pytest
from github import connect, inbox, try_until
from playwright.sync_api import expect
from program import NOBODY, Roost, Simulator, eventually
from repositories import bookmark, names
from visit import idle

# Each would end an attribute and its tag, and start an element that redirects and one that acts for the user.
OUT = "\u0d4e\"\u0301\u0d4e>\u0600<"
TITLE = (
    f"{OUT}meta http-equiv=refresh content=0;url=//evil.example/ x\u0d4e>\u0d4e<button formmethod=post "
    "formaction=/members/2/role name=role value=owner data-act=done probe\u0d4e>")
NAME = f"a {OUT}meta probe http-equiv=refresh content=0;url=//evil.example/\u0d4e>"
FOREIGN = """() => [...document.querySelectorAll("*")].filter((one) => one.localName.includes("probe")
    || one.hasAttribute("probe") || one.localName === "meta" && one.httpEquiv === "refresh"
    || one.getAttribute("formaction")?.startsWith("/members/")).map((one) => one.outerHTML)"""


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A Roost whose upstreams send such text wherever they can; returns it and the paths of its pages."""
    simulator = Simulator("--step", 1).start()
    roost = Roost(simulator, tmp_path_factory.mktemp("hostile") / "data", interval=3600).start()
    try:
        yield roost, paths(simulator, roost)
    finally:
        roost.stop()
        simulator.stop()


def paths(simulator, roost):
    simulator.change(renamed={"bitcoin": NAME})
    roost.priced("bitcoin")
    wall = roost.display(NAME[:40])
    simulator.happen(request={"login": "ada", "title": TITLE, "labels": [NAME]})
    # With an account, Roost requests details of a list's rows automatically, so they must be changed before that.
    name = eventually("a repository", lambda: names(roost))[0]
    escaped = "".join(f"&#{ord(sign)};" for sign in NAME)
    simulator.happen(repository={
        "fullName": name, "description": TITLE, "language": NAME, "topics": [NAME], "homepage": "https://example.org/" + NAME,
        "readme": f'<p>{escaped}<img src="https://example.org/a.png" alt="{escaped}"></p>'})
    connect(roost)
    bookmark(roost, name, tags=["a " + OUT], note=TITLE)
    roost.get("/repositories?since=0")
    try_until(roost, "the title", lambda: "http-equiv" in json.dumps(inbox(roost)))
    detail = f"/repositories/{name}"
    eventually("the repository's description", lambda: "example.org/" in roost.get(detail).text and 'class="readme"' in roost.get(detail).text)
    return {
        "home": "/", "watchlist": "/watchlist", "wall": wall, "inbox": "/pulls", "repository": detail, "bookmarks": "/bookmarks",
        "join": "/join?code=" + quote(TITLE), "search": "/watchlist?q=" + quote(TITLE), "filter": "/pulls?text=" + quote(TITLE)}


@pytest.mark.parametrize("page_name", [
    "home", "watchlist", "wall", "inbox", "repository", "bookmarks", "join", "search", "filter"])
def test_hostile_text_stays_text_and_does_not_redirect(hostile, visit, page_name):
    roost, places = hostile
    path = places[page_name]
    page = visit(roost, NOBODY if page_name in ("wall", "join") else None).page(path)
    expect(page.locator("main, #screen").first).to_be_visible()
    assert "http-equiv=refresh" in page.content() or "http-equiv%3Drefresh" in page.content(), "the text is not on the page"
    # A refresh after zero seconds has redirected by the time the page's scripts have run and it is idle.
    page.wait_for_load_state("networkidle") if page_name == "join" else idle(page)
    assert page.evaluate(FOREIGN) == []
    assert page.url == roost.url + path


def test_keys_in_the_inbox_do_not_press_a_button_in_a_title(hostile, visit):
    roost, places = hostile
    grace = roost.add_user("grace")
    page = visit(roost).page(places["inbox"])
    row = page.locator("li.pull").filter(has_text="http-equiv").first
    expect(row).to_be_visible()
    expect(row.locator("[formaction$='/done']")).to_have_count(1)
    assert roost.get("/api/v1/me", guest=grace).json["role"] == "member"
    page.keyboard.press("j")
    page.keyboard.press("e")
    expect(page.locator("#hidden-pulls")).to_be_visible()
    assert roost.get("/api/v1/me", guest=grace).json["role"] == "member"
