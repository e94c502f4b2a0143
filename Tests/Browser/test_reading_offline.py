"""Without a network: what is kept on the device, what waits to be sent, and that nobody else ever sees it."""

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
    """A Roost of the test's own, which it may stop."""
    return calm_roost


def stored(page, *paths):
    """Waits until these are kept on the device."""
    eventually(f"{paths} on the device", lambda: set(paths) <= set(page.evaluate(KEPT)), 30, every=0.2)


def away(roost):
    """Roost is gone; `back` brings it back to where it was."""
    host = roost.host
    roost.stop()
    return host


def back(roost, host):
    roost.listen(host)
    roost.start()


def test_an_article_is_read_while_roost_is_away_and_says_how_old_it_is(library, visit):
    wall, ferry = fetched(library, WALL, FERRY)
    browser = visit(library)
    page = ready(browser.page("/reading"))
    stored(page, "/reading", "/gists", f"/reading/{wall}", f"/reading/{ferry}")
    host = away(library)
    page.goto("/reading")
    expect(row(page, wall)).to_be_visible()
    expect(page.locator(".kept-copy")).to_contain_text("Offline copy, kept")
    page.goto(f"/reading/{wall}")
    expect(page.get_by_role("heading", level=1)).to_have_text(WALL_TITLE)
    expect(page.locator(".body")).to_contain_text(WALL_SENTENCE)
    expect(page.locator(".kept-copy time")).to_have_text(re.compile(r"ago|now"))
    ready(page)
    weight = page.locator("h1").evaluate("(one) => getComputedStyle(one).fontWeight")
    assert weight == "600", "the styles are not kept"
    page.keyboard.press("j")
    expect(page.locator(".body .here")).to_have_count(1)
    page.goto("/reading/999999")
    expect(page.get_by_role("heading", level=1)).to_have_text("Not on this device")
    back(library, host)
    page.goto(f"/reading/{wall}")
    expect(page.locator(".kept-copy")).to_have_count(0)
    expect(page.locator(".body")).to_contain_text(WALL_SENTENCE)


def test_only_reading_is_kept_and_what_is_archived_leaves_the_device(library, visit):
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
    eventually("it leaves the device", lambda: f"/reading/{wall}" not in page.evaluate(KEPT), 30, every=0.2)
    expect(page.locator("body")).to_be_visible()


def test_a_save_made_offline_waits_visibly_and_is_sent_when_roost_is_back(library, visit):
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
    expect(page.locator("#notice")).to_contain_text("kept on this device")
    page.reload()
    expect(page.locator(".waiting-saves")).to_contain_text(WALL)
    back(library, host)
    page.goto("/reading")
    eventually("it has arrived", lambda: WALL in [item["url"] for item in listed(library)], 30)
    expect(page.locator(".waiting-saves")).to_be_hidden()
    assert page.evaluate(WAITING) == 0


def test_what_is_shared_offline_waits_too_and_what_is_refused_says_why(library, visit):
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
    eventually("the first has arrived", lambda: WALL in [item["url"] for item in listed(library)], 30)
    refused = page.locator(".waiting-saves li")
    expect(refused).to_have_count(1)
    expect(refused).to_contain_text("Not saved: ")
    refused.get_by_role("button", name="Discard").click()
    expect(page.locator(".waiting-saves")).to_be_hidden()


def test_signing_out_deletes_what_is_kept_and_what_waits(library, visit):
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
    eventually("nothing waits", lambda: page.evaluate(WAITING) == 0, every=0.2)
    host = away(library)
    page.goto(f"/reading/{wall}")
    expect(page.get_by_role("heading", level=1)).to_have_text("Not on this device")
    back(library, host)


def test_no_site_makes_the_device_forget_by_leading_to_the_sign_in(library, visit):
    path = f"/reading/{fetched(library, WALL)[0]}"
    page = ready(visit(library).page("/reading"))
    stored(page, path)
    # Pages are stored again for many reasons, a file only after the device has forgotten it.
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


def test_the_next_person_at_the_browser_sees_nothing_of_the_last_one(library, visit):
    wall = fetched(library, WALL)[0]
    grace = library.add_user("grace")
    browser = visit(library)
    page = ready(browser.page("/reading"))
    stored(page, f"/reading/{wall}")
    # Without a sign-out: as if the first session had simply been replaced.
    name, _, value = grace.cookie.partition("=")
    browser.context.add_cookies([{"name": name, "value": value, "url": library.url, "httpOnly": True, "sameSite": "Lax"}])
    page.goto("/reading")
    eventually("nothing of the other's", lambda: f"/reading/{wall}" not in page.evaluate(KEPT), 30, every=0.2)
    stored(page, "/reading")
    host = away(library)
    page.goto("/reading")
    expect(page.locator("main")).not_to_contain_text(WALL_TITLE)
    page.goto(f"/reading/{wall}")
    expect(page.locator("body")).not_to_contain_text(WALL_SENTENCE)
    back(library, host)


def test_a_session_that_was_ended_elsewhere_takes_its_copies_along(library, visit):
    wall = fetched(library, WALL)[0]
    other = library.sign_in()
    browser = visit(library, other)
    page = ready(browser.page("/reading"))
    stored(page, f"/reading/{wall}")
    assert library.ask("DELETE", "/api/v1/sessions/current", guest=other).status == 204
    expect(page.locator("#banner")).to_contain_text("You are signed out.")
    eventually("nothing is kept", lambda: page.evaluate(KEPT) == [], 30, every=0.2)


@pytest.mark.parametrize("is_away", [False, True], ids=["there", "away"])
def test_another_sites_form_is_not_sent_in_roosts_own_name(is_away, library, simulator, visit):
    """A worker that passed it on would take away what tells the server where it comes from."""
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
    eventually("it has left", lambda: GAZETTE not in page.url or page.wait_for_timeout(50))
    assert own.evaluate(WAITING) == 0
    if is_away:
        back(library, host)
    assert listed(library) == []


def test_an_older_workers_store_is_deleted(library, visit):
    page = ready(visit(library).page("/watchlist"))
    page.evaluate("async () => { await (await caches.open('reading-0-1')).put('/reading', new Response('old')); }")
    page.goto("/reading")
    stored(page, "/reading", "/gists")
    assert not [name for name in page.evaluate("() => caches.keys()") if name.startswith("reading-0")]


def test_where_nothing_is_secure_the_tools_say_why(library, browser):
    opened = Visit(browser, f"http://roost.local:{urlsplit(library.url).port}", library.owner.cookie)
    page = ready(opened.page("/reading/tools"))
    assert page.evaluate("() => isSecureContext") is False
    expect(page.locator("#offline-state")).to_contain_text("only over HTTPS or on the machine itself")
    opened.close()


def test_the_tools_say_how_much_is_kept(library, visit):
    fetched(library, WALL, FERRY)
    page = ready(visit(library).page("/reading/tools"))
    expect(page.locator("#offline-state")).to_contain_text("2 unread articles", timeout=30_000)
    expect(page.locator("#offline-state time")).to_have_text(re.compile("ago|now"))


def test_progress_made_offline_is_told_later(library, visit):
    wall = fetched(library, WALL)[0]
    page = ready(visit(library).page("/reading"))
    stored(page, f"/reading/{wall}")
    host = away(library)
    page.goto(f"/reading/{wall}")
    ready(page)
    page.evaluate("() => { dispatchEvent(new Event('wheel')); scrollTo(0, document.body.scrollHeight); }")
    eventually("it is kept here", lambda: page.evaluate(
        "(number) => Number(localStorage.getItem('reading-progress-' + number)) > .9", wall), every=0.2)
    back(library, host)
    page.evaluate("() => dispatchEvent(new Event('online'))")
    meanwhile(page, "Roost knows it", lambda: article(library, wall)["progress"] > .9)
