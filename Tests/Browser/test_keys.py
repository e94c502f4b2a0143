"""The keys of every page, and titles at the same place."""

import re

import pytest
from playwright.sync_api import expect
from program import NOBODY, Program
from visit import freeze

PLACES = {"h": "/", "p": "/pulls", "r": "/(repositories|bookmarks)", "b": "/bookmarks", "w": "/watchlist", "a": "/reading",
          "c": "/chat", "d": "/displays", "s": "/settings"}
# Lists with at least two rows in the demo.
LISTS = {"/": ".brief > li:has(a)", "/watchlist": "tr.row", "/bookmarks": ".list-side .repo", "/reading": "li.article",
         "/gists": ".gists > li", "/chat": ".chat-row", "/alerts": ".alert", "/displays": ".display", "/pulls": ".pull"}


@pytest.fixture(scope="module")
def demo():
    demo = Program("demo", "--listen", "127.0.0.1:0", "--assets", ".").start()
    yield demo
    demo.stop()


def opened(demo, visit, path, **options):
    browser = visit(demo, NOBODY, **{"service_workers": "block", **options})
    freeze(browser.context)
    page = browser.page(path)
    expect(page.locator("html")).to_have_class(re.compile("^js( |$)"))
    return page


def dialog(page):
    return page.get_by_role("dialog", name="Keys")


@pytest.mark.parametrize("key", PLACES)
def test_g_and_a_letter_lead_to_a_place_from_any_page(key, demo, visit):
    page = opened(demo, visit, "/settings" if key != "s" else "/nothing-here")
    page.keyboard.press("g")
    page.keyboard.press(key)
    expect(page).to_have_url(re.compile(f"^{re.escape(demo.url)}{PLACES[key]}(\\?.*)?$"))


def test_g_leads_to_pages_without_a_tab_on_a_phone(demo, visit):
    page = opened(demo, visit, "/", viewport={"width": 390, "height": 844})
    page.keyboard.press("g")
    page.keyboard.press("d")
    expect(page).to_have_url(f"{demo.url}/displays")


@pytest.mark.parametrize("path", LISTS)
def test_j_and_k_walk_through_every_list(path, demo, visit):
    page = opened(demo, visit, path)
    rows = page.locator(LISTS[path])
    expect(rows.nth(1)).to_be_visible()
    focused = page.locator(f":is({LISTS[path]}):is(:focus, :focus-within)")

    def expect_row(number):
        expect(focused).to_have_attribute("data-key", rows.nth(number).get_attribute("data-key"))

    for key, number in [("j", 0), ("j", 1), ("k", 0), ("k", 0)]:
        page.keyboard.press(key)
        expect_row(number)


@pytest.mark.parametrize("path", ["/watchlist", "/reading", "/gists", "/chat", "/alerts", "/displays"])
def test_o_opens_the_row(path, demo, visit):
    page = opened(demo, visit, path)
    row = page.locator(LISTS[path]).first
    address = row.evaluate("row => (row.matches('a') ? row : row.querySelector('a.name, a')).pathname")
    page.keyboard.press("j")
    page.keyboard.press("o")
    expect(page).to_have_url(re.compile(f"^{re.escape(demo.url + address)}([?#].*)?$"))


@pytest.mark.parametrize("path", ["/", "/pulls", "/repositories?since=0", "/bookmarks", "/watchlist", "/alerts", "/displays",
                                  "/reading", "/gists", "/chat", "/settings", "/members", "/nothing-here"])
def test_the_question_mark_shows_the_keys_of_the_page_and_of_all_pages(path, demo, visit):
    page = opened(demo, visit, path)
    page.keyboard.press("?")
    expect(dialog(page)).to_contain_text("On every page")
    expect(dialog(page).locator(".everywhere div", has_text="Pull requests").locator("kbd")).to_have_text(["g", "p"])
    expect(dialog(page)).to_contain_text(re.compile("next and previous"))
    before = page.url
    page.keyboard.press("g")  # keys do nothing behind the dialog
    page.keyboard.press("h")
    page.keyboard.press("Escape")
    expect(dialog(page)).to_be_hidden()
    assert page.url == before
    page.keyboard.press("?")
    expect(dialog(page).locator(".everywhere")).to_have_count(1)


def test_keys_do_nothing_in_a_field_with_a_modifier_or_after_another_letter(demo, visit):
    page = opened(demo, visit, "/watchlist")
    field = page.get_by_role("combobox")
    field.focus()
    page.keyboard.type("gd?j")
    expect(field).to_have_value("gd?j")
    field.evaluate("field => { field.value = ''; field.blur(); }")
    page.keyboard.press("g")
    page.keyboard.press("y")
    page.keyboard.press("Control+d")
    page.keyboard.press("d")
    page.keyboard.press("?")  # handled after all of the others
    expect(dialog(page)).to_be_visible()
    assert page.url == f"{demo.url}/watchlist"


def test_letters_next_to_an_open_conversation_write_unless_a_conversation_has_the_focus(demo, visit):
    page = opened(demo, visit, "/chat")
    page.locator(".chat-row").first.click()
    composer = page.locator(".composer textarea")
    expect(composer).to_be_visible()
    composer.fill("")
    composer.evaluate("field => field.blur()")
    page.keyboard.type("gd")
    expect(composer).to_have_value("gd")
    composer.fill("")
    page.locator(".chat-row").first.focus()
    page.keyboard.press("j")
    expect(page.locator(".chat-row").nth(1)).to_be_focused()
    page.keyboard.press("g")
    page.keyboard.press("d")
    expect(page).to_have_url(f"{demo.url}/displays")


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_titles_are_at_the_same_place_on_every_page(width, demo, visit):
    page = opened(demo, visit, "/", viewport={"width": width, "height": 900})
    places = {}
    for path in ["/", "/pulls", "/repositories?since=0", "/bookmarks", "/watchlist", "/alerts", "/reading", "/gists",
                 "/chat", "/displays", "/settings", "/members"]:
        page.goto(demo.url + path)
        box = page.locator("h1").bounding_box()
        places[path] = (round(box["x"]), round(box["y"]))
    assert len(set(places.values())) == 1, places
