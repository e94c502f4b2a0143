"""Reading offline: stored pages, waiting saves, and their privacy."""

import re
from urllib.parse import urlsplit

import pytest
from chat import meanwhile
from playwright.sync_api import expect
from program import eventually
from reading import listed, ready, row
from reading_sites import FERRY, GAZETTE, WALL, WALL_SENTENCE, WALL_TITLE, article, fetched, open_sites
from visit import Visit

KEPT = """async () => {
    const paths = [];
    for (const name of await caches.keys()) {
        for (const { url } of await (await caches.open(name)).keys()) paths.push(new URL(url).pathname);
    }
    return paths;
}"""
WAITING = """() => new Promise((resolve) => {
    const opening = indexedDB.open("reading");
    opening.onerror = () => resolve(0);
    opening.onsuccess = () => {
        const database = opening.result;
        if (![...database.objectStoreNames].includes("saves")) return resolve(0);
        const asked = database.transaction("saves").objectStore("saves").count();
        asked.onsuccess = () => resolve(asked.result);
    };
})"""


@pytest.fixture
def library(calm_roost):
    """A Roost that the test may stop."""
    return calm_roost


def stored(page, *paths):
    """Waits until these pages are stored on the device."""
    eventually(f"{paths} on the device", lambda: set(paths) <= set(page.evaluate(KEPT)), 60, every=0.2)


def away(roost):
    """Stops Roost; `back` starts it again at the same address."""
    host = roost.host
    roost.stop()
    return host


def back(roost, host):
    roost.listen(host)
    roost.start()


def test_an_article_can_be_read_while_roost_is_down_and_shows_its_age(library, visit):
    wall, ferry = fetched(library, WALL, FERRY)
    browser = visit(library)
    page = ready(browser.page("/reading"))
    stored(page, "/reading", "/gists", f"/reading/{wall}", f"/reading/{ferry}")
    host = away(library)
    page.goto("/reading")
    expect(row(page, wall)).to_be_visible()
    expect(page.locator(".kept-copy")).to_contain_text("Offline copy, saved")
    page.goto(f"/reading/{wall}")
    expect(page.get_by_role("heading", level=1)).to_have_text(WALL_TITLE)
    expect(page.locator(".body")).to_contain_text(WALL_SENTENCE)
    expect(page.locator(".kept-copy time")).to_have_text(re.compile(r"ago|now"))
    ready(page)
    weight = page.locator("h1").evaluate("(one) => getComputedStyle(one).fontWeight")
    assert weight == "600", "the styles are not stored"
    page.keyboard.press("j")
    expect(page.locator(".body .here")).to_have_count(1)
    page.goto("/reading/999999")
    expect(page.get_by_role("heading", level=1)).to_have_text("Not on this device")
    back(library, host)

    def is_from_roost():
        page.goto(f"/reading/{wall}")
        return not page.evaluate("() => document.body.dataset.kept")

    # The stored page also replaces one that takes Roost longer than three seconds.
    eventually("the page from Roost", is_from_roost, 60)
    expect(page.locator(".kept-copy")).to_have_count(0)
    expect(page.locator(".body")).to_contain_text(WALL_SENTENCE)


def test_only_reading_pages_are_stored_and_archived_articles_are_removed(library, visit):
    wall, ferry = fetched(library, WALL, FERRY)
    browser = visit(library)
    page = ready(browser.page("/reading"))
    stored(page, f"/reading/{wall}", f"/reading/{ferry}")
    for path in ("/watchlist", "/chat", "/reading/tools", "/settings"):
        ready(browser.page(path)).close()
    page.goto("/reading")
    stored(page, f"/reading/{ferry}")
    pages = {path for path in page.evaluate(KEPT) if not path.startswith(("/static/", "/pictures/"))}
    assert all(re.fullmatch(r"/(reading|gists)(/\d+|/offline)?", path) for path in pages), pages
    assert library.ask("PATCH", f"/api/v1/articles/{wall}", {"state": "archived"}).status == 200
    eventually("its removal from the device", lambda: f"/reading/{wall}" not in page.evaluate(KEPT), 60, every=0.2)
    expect(page.locator("body")).to_be_visible()


def test_an_offline_save_is_shown_as_waiting_and_sent_later(library, visit):
    fetched(library, FERRY)
    browser = visit(library)
    page = ready(browser.page("/reading"))
    stored(page, "/reading")
    host = away(library)
    page.goto("/reading")
    ready(page)
    page.locator("#save input[name=url]").fill(WALL)
    page.locator("#save").get_by_role("button", name="Save", exact=True).click()
    waiting = page.locator(".waiting-saves")
    expect(waiting).to_contain_text(WALL)
    expect(waiting).to_contain_text("sent when Roost answers")
    expect(page.locator("#notice")).to_contain_text("saved on this device")
    page.reload()
    expect(page.locator(".waiting-saves")).to_contain_text(WALL)
    back(library, host)
    page.goto("/reading")
    eventually("the save to arrive", lambda: WALL in [item["url"] for item in listed(library)], 60)
    expect(page.locator(".waiting-saves")).to_be_hidden()
    assert page.evaluate(WAITING) == 0


def test_an_offline_share_waits_too_and_a_refused_one_says_why(library, visit):
    browser = visit(library)
    page = ready(browser.page("/reading"))
    stored(page, "/reading")
    host = away(library)
    page.goto(f"/reading/share?text={WALL}")
    expect(page.locator("input[name=url]")).to_have_value(WALL)
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page).to_have_url(re.compile("/reading$"))
    expect(page.locator(".waiting-saves li")).to_have_count(1)
    page.goto("/reading/share?url=ftp%3A%2F%2Fexample.org%2Fx")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".waiting-saves li")).to_have_count(2)
    back(library, host)
    page.goto("/reading")
    eventually("the first save to arrive", lambda: WALL in [item["url"] for item in listed(library)], 60)
    refused = page.locator(".waiting-saves li")
    expect(refused).to_have_count(1)
    expect(refused).to_contain_text("Not saved: ")
    refused.get_by_role("button", name="Discard").click()
    expect(page.locator(".waiting-saves")).to_be_hidden()


def test_signing_out_deletes_stored_pages_and_waiting_saves(library, visit):
    wall = fetched(library, WALL)[0]
    browser = visit(library)
    page = ready(browser.page("/reading"))
    stored(page, f"/reading/{wall}")
    host = away(library)
    page.goto("/reading")
    ready(page)
    page.locator("#save input[name=url]").fill(FERRY)
    page.locator("#save").get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".waiting-saves")).to_contain_text(FERRY)
    back(library, host)
    page.goto("/watchlist")
    page.get_by_role("button", name="Sign out").click()
    expect(page).to_have_url(re.compile("/login"))
    eventually("nothing is kept", lambda: page.evaluate(KEPT) == [], every=0.2)
    eventually("no waiting saves", lambda: page.evaluate(WAITING) == 0, every=0.2)
    host = away(library)
    page.goto(f"/reading/{wall}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Not on this device")
    back(library, host)


def test_opening_the_sign_in_page_does_not_delete_stored_pages(library, visit):
    path = f"/reading/{fetched(library, WALL)[0]}"
    page = ready(visit(library).page("/reading"))
    stored(page, path)
    # Pages are stored again for many reasons, but a file only after the store was deleted.
    page.evaluate("""async () => {
        const cache = await caches.open((await caches.keys())[0]);
        const style = (await cache.keys()).find(({ url }) => url.endsWith("/css/roost.css"));
        await cache.put(style, new Response("marked"));
    }""")
    page.goto("/login")
    page.goto("/reading")
    ready(page)
    stored(page, path)
    assert page.evaluate("""async () => {
        const cache = await caches.open((await caches.keys())[0]);
        const style = (await cache.keys()).find(({ url }) => url.endsWith("/css/roost.css"));
        return (await cache.match(style)).text();
    }""") == "marked"


def test_the_next_user_of_the_browser_sees_nothing_of_the_previous_one(library, visit):
    wall = fetched(library, WALL)[0]
    grace = library.add_user("grace")
    browser = visit(library)
    page = ready(browser.page("/reading"))
    stored(page, f"/reading/{wall}")
    # No sign-out: the first session is replaced.
    name, _, value = grace.cookie.partition("=")
    browser.context.add_cookies([{"name": name, "value": value, "url": library.url, "httpOnly": True, "sameSite": "Lax"}])
    page.goto("/reading")
    eventually("an empty store", lambda: f"/reading/{wall}" not in page.evaluate(KEPT), 60, every=0.2)
    stored(page, "/reading")
    host = away(library)
    page.goto("/reading")
    expect(page.locator("main")).not_to_contain_text(WALL_TITLE)
    page.goto(f"/reading/{wall}")
    expect(page.locator("body")).not_to_contain_text(WALL_SENTENCE)
    back(library, host)


def test_ending_a_session_elsewhere_deletes_its_stored_pages(library, visit):
    wall = fetched(library, WALL)[0]
    other = library.sign_in()
    browser = visit(library, other)
    page = ready(browser.page("/reading"))
    stored(page, f"/reading/{wall}")
    assert library.ask("DELETE", "/api/v1/sessions/current", guest=other).status == 204
    expect(page.locator("#banner")).to_contain_text("You are signed out.")
    eventually("nothing is kept", lambda: page.evaluate(KEPT) == [], 60, every=0.2)


@pytest.mark.parametrize("is_away", [False, True], ids=["there", "away"])
def test_the_service_worker_does_not_forward_another_sites_form(is_away, library, simulator, visit):
    """Forwarding it would hide the form's origin from the server."""
    browser = visit(library, elsewhere=GAZETTE)
    open_sites(browser.context, simulator)
    own = ready(browser.page("/reading"))
    stored(own, "/reading")
    page = browser.page(WALL)
    host = away(library) if is_away else None
    page.evaluate("""([roost, url]) => {
        const form = document.createElement("form");
        Object.assign(form, { method: "post", action: roost + "/reading/save" });
        form.append(Object.assign(document.createElement("input"), { name: "url", value: url }));
        document.body.append(form);
        form.submit();
    }""", [library.url, FERRY])
    eventually("the form to be sent", lambda: GAZETTE not in page.url or page.wait_for_timeout(50))
    assert own.evaluate(WAITING) == 0
    if is_away:
        back(library, host)
    assert listed(library) == []


def test_the_store_of_an_older_service_worker_is_deleted(library, visit):
    page = ready(visit(library).page("/watchlist"))
    page.evaluate("async () => { await (await caches.open('reading-0-1')).put('/reading', new Response('old')); }")
    page.goto("/reading")
    stored(page, "/reading", "/gists")
    assert not [name for name in page.evaluate("() => caches.keys()") if name.startswith("reading-0")]


def test_the_tools_page_says_why_offline_reading_needs_https(library, browser):
    opened = Visit(browser, f"http://roost.local:{urlsplit(library.url).port}", library.owner.cookie)
    page = ready(opened.page("/reading/tools"))
    assert page.evaluate("() => isSecureContext") is False
    expect(page.locator("#offline-state")).to_contain_text("needs HTTPS, unless the browser is on the server itself")
    opened.close()


def test_the_tools_page_says_how_much_is_stored(library, visit):
    fetched(library, WALL, FERRY)
    page = ready(visit(library).page("/reading/tools"))
    expect(page.locator("#offline-state")).to_contain_text("unread articles (2)", timeout=60_000)
    expect(page.locator("#offline-state time")).to_have_text(re.compile("ago|now"))


def test_offline_reading_progress_is_sent_later(library, visit):
    wall = fetched(library, WALL)[0]
    page = ready(visit(library).page("/reading"))
    stored(page, f"/reading/{wall}")
    host = away(library)
    page.goto(f"/reading/{wall}")
    ready(page)
    page.evaluate("() => { dispatchEvent(new Event('wheel')); scrollTo(0, document.body.scrollHeight); }")
    eventually("the progress stored here", lambda: page.evaluate(
        "(number) => Number(localStorage.getItem('reading-progress-' + number)) > .9", wall), every=0.2)
    back(library, host)
    page.evaluate("() => dispatchEvent(new Event('online'))")
    meanwhile(page, "the saved progress", lambda: article(library, wall)["progress"] > .9)
