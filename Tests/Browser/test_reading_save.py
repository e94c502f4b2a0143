"""Saving from other sites: the bookmarklet's window, hostile messages to it, and the phone's share menu."""

from urllib.parse import quote, unquote

import pytest
from chat import meanwhile
from playwright.sync_api import expect
from program import NOBODY, eventually
from reading import empty, is_so, listed
from reading_sites import (
    FOR_MEMBERS, FOR_MEMBERS_LOGIN, FOR_MEMBERS_SENTENCE, FORUM, GAZETTE, WALL, WALL_TITLE, open_sites)

# Opens the window as the bookmarklet does, and posts these messages to it.
TELL = """([roost, messages]) => new Promise((resolve) => {
    const shown = open(roost + "/reading/save?url=" + encodeURIComponent(location.href), "_blank", "popup");
    addEventListener("message", ({ source, data }) => {
        if (source !== shown || data !== "roost-save-ready") return;
        for (const message of messages) shown.postMessage(message, roost);
        resolve();
    });
})"""

@pytest.fixture
def library(shared_roost, simulator):
    empty(shared_roost)
    return shared_roost


@pytest.fixture
def gazette(library, simulator, visit):
    """A page of another site in a browser signed in to Roost."""
    browser = visit(library, elsewhere=GAZETTE, service_workers="block")
    open_sites(browser.context, simulator)
    return lambda url: browser.page(url)


def bookmarklet(page, roost):
    """The bookmarklet's code from the tools page."""
    page.goto(f"{roost.url}/reading/tools")
    href = page.locator("#bookmarklet a.button").get_attribute("href")
    assert href.startswith("javascript:") and len(href) < 2_000
    return unquote(href.removeprefix("javascript:"))


def opened_by(page, act):
    with page.context.expect_page() as opened:
        act()
    window = opened.value
    expect(window.locator("#save-form")).to_be_visible()
    return window


def test_the_bookmarklet_sends_a_page_that_only_the_browser_can_see(library, simulator, gazette):
    page = gazette(FOR_MEMBERS_LOGIN)
    code = bookmarklet(page, library)
    page.goto(FOR_MEMBERS)
    expect(page.locator("body")).to_contain_text(FOR_MEMBERS_SENTENCE)
    before = simulator.visits(FOR_MEMBERS)
    window = opened_by(page, lambda: page.evaluate(code))
    expect(window.locator("#save-state")).to_contain_text("will be saved")
    expect(window.locator("input[name=url]")).to_have_value(FOR_MEMBERS)
    assert listed(library) == [], "the page was saved without a click"
    window.get_by_role("button", name="Save", exact=True).click()
    expect(window.locator("[role=status]").first).to_contain_text("Article saved.")
    number = listed(library)[0]["id"]
    is_so(library, number, "its text", fetchState="fetched")
    assert simulator.visits(FOR_MEMBERS) == before
    assert FOR_MEMBERS_SENTENCE in library.get(f"/reading/{number}").text


def test_the_window_accepts_one_valid_message_from_its_opener(library, gazette):
    good = {"url": WALL, "title": "Mine", "html": "<p>Hello</p>"}
    page = gazette(WALL)
    for messages, words, html in [
        ([good], "will be saved", good["html"]),
        ([{**good, "url": "javascript:alert(1)"}, good], "couldn’t be read", ""),
        ([{**good, "title": 5}], "couldn’t be read", ""),
        ([{**good, "html": "x" * 5_000_001}], "couldn’t be read", ""),
        ([None], "couldn’t be read", ""),
        ([{**good, "url": f"{FORUM}/threads/1"}], "another site", ""),
        ([good, {**good, "html": "<p>Later</p>"}], "will be saved", good["html"]),
    ]:
        window = opened_by(page, lambda: page.evaluate(TELL, [library.url, messages]))  # noqa: B023
        expect(window.locator("#save-state")).to_contain_text(words)
        assert window.locator("input[name=html]").input_value() == html, words
        assert "javascript" not in window.locator("input[name=url]").input_value()
        window.close()
    assert listed(library) == []


def test_messages_from_other_windows_are_ignored(library, gazette):
    """Another window of the same site can reach it but is not its opener."""
    page = gazette(WALL)
    window = opened_by(page, lambda: page.evaluate(TELL, [library.url, []]))
    window.evaluate("""(origin) => dispatchEvent(new MessageEvent("message", {
        source: window, origin, data: { url: origin + "/x", title: "Theirs", html: "<p>Theirs</p>" } }))""", GAZETTE)
    assert window.locator("input[name=html]").input_value() == ""
    assert window.locator("input[name=url]").input_value() == WALL


# Opens a window as any page can, and keeps a reference to it.
OPEN = """([roost, path]) => {
    globalThis.heard = [];
    addEventListener("message", ({ source, data }) => source === globalThis.shown && heard.push(data));
    globalThis.shown = open(roost + path, "_blank", "popup,width=400,height=400");
}"""
# What a page can learn about the window it opened.
SEEN = """() => {
    const { closed, length } = shown;
    let place;
    try {
        place = shown.location.href;
    } catch (error) {
        place = error.name;
    }
    return { closed, length, place, heard };
}"""
HELD = {"closed": False, "length": 0, "place": "SecurityError", "heard": ["roost-save-ready"]}
CUT = {"closed": True, "length": 0, "heard": []}


@pytest.mark.parametrize(("path", "seen"), [
    ("/reading/save", HELD), (f"/reading/save?from=bookmarklet&url={quote(WALL)}", HELD), ("/reading/save?saved=1", CUT),
    (f"/reading/share?url={quote(WALL)}", CUT), ("/reading", CUT), ("/displays", CUT), ("/bookmarks/export.csv", CUT),
    ("/reading/export.json", CUT), ("/api/v1/watchlist/export", CUT)])
def test_another_site_cannot_tell_whether_someone_is_signed_in(path, seen, library, simulator, visit):
    for guest in (None, NOBODY):
        browser = visit(library, guest, elsewhere=GAZETTE, service_workers="block")
        open_sites(browser.context, simulator)
        page = browser.page(WALL)
        with page.context.expect_page():
            page.evaluate(OPEN, [library.url, path])

        def is_seen():
            found = page.evaluate(SEEN)  # noqa: B023
            return all(found[name] == value for name, value in seen.items())

        eventually(f"what {path} shows as {guest}", is_seen)


def test_what_is_typed_while_a_page_is_saved_stays(library, visit):
    page = visit(library, service_workers="block").page("/reading")
    field = page.locator("#save input[name=url]")
    held = []
    page.route("**/reading/save", lambda route: held.append(route))
    field.fill(WALL)
    field.press("Enter")
    meanwhile(page, "the request", lambda: held)
    field.fill(FORUM)
    held[0].continue_()
    expect(page.locator("#notice")).to_contain_text("Article saved.")
    expect(field).to_have_value(FORUM)
    page.unroute("**/reading/save")
    field.press("Enter")
    eventually("both articles", lambda: {article["url"] for article in listed(library)} == {WALL, f"{FORUM}/"})
    expect(field).to_have_value("")


def test_a_page_shared_from_a_phone_is_saved_after_a_click(library, visit):
    manifest = library.get("/manifest.webmanifest").json
    target = manifest["share_target"]
    assert target["action"] == "/reading/share" and target.get("method", "GET") == "GET"
    sizes = {icon["sizes"]: icon for icon in manifest["icons"]}
    for size in (192, 512):
        icon = library.get(sizes[f"{size}x{size}"]["src"])
        assert icon.status == 200 and icon.headers["Content-Type"] == "image/png"
        assert int.from_bytes(icon.body[16:20]) == int.from_bytes(icon.body[20:24]) == size
    names = target["params"]
    page = visit(library, service_workers="block").page(
        f"/reading/share?{names['title']}={quote(WALL_TITLE)}&{names['text']}={quote('Look: ' + WALL)}")
    expect(page.locator("input[name=url]")).to_have_value(WALL)
    assert listed(library) == []
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator("[role=status]").first).to_contain_text("Article saved.")
    eventually("the article", lambda: [item["url"] for item in listed(library)] == [WALL])
