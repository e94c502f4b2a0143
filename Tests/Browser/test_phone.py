"""Roost on a phone: five tabs and "More", rows that open when tapped, and lists that start near the top."""

import re

import pytest
from finger import PHONE
from playwright.sync_api import expect
from program import NOBODY, Program
from repositories import bookmark, names, row as repository_row

BOXES = """() => [...document.querySelectorAll(".places > li > a, .places button")]
    .filter((tab) => tab.checkVisibility())
    .map((tab) => {
        const box = (element) => {
            const { left, right, width, height } = element.getBoundingClientRect();
            return { left, right, width, height };
        };
        const count = tab.querySelector(".count:not(:empty)");
        return { text: tab.innerText.trim(), ...box(tab), count: count && box(count) };
    })"""


@pytest.fixture(scope="module")
def demo():
    demo = Program("demo", "--listen", "127.0.0.1:0", "--assets", ".").start()
    yield demo
    demo.stop()


def phone(demo, visit, path, **options):
    return visit(demo, NOBODY, **{**PHONE, "service_workers": "block", **options}).page(path)


@pytest.mark.parametrize("width", [320, 390])
def test_there_are_five_tabs_and_more_and_counts_do_not_overlap(width, demo, visit):
    page = phone(demo, visit, "/", viewport={"width": width, "height": 844})
    expect(page.locator(".places .count:not(:empty)").first).to_be_visible()
    # The longest counts that occur.
    page.locator(".places > li > a .count").evaluate_all("all => all.forEach((each) => (each.textContent = '1234'))")
    tabs = page.evaluate(BOXES)
    assert len(tabs) == 6 and "More" in tabs[-1]["text"]
    for tab, following in zip(tabs, [*tabs[1:], None]):
        assert tab["width"] >= 44 and tab["height"] >= 44, tab
        if tab["count"]:
            assert tab["left"] <= tab["count"]["left"] and tab["count"]["right"] <= tab["right"], tab
        if following:
            assert tab["right"] <= following["left"]
    assert sum(bool(tab["count"]) for tab in tabs) >= 3


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "without"])
def test_more_links_the_other_pages_and_is_marked_as_current_on_them(scripts, demo, visit):
    page = phone(demo, visit, "/watchlist", java_script_enabled=scripts)
    more = page.locator(".place-more button")
    expect(more).not_to_have_attribute("aria-current", "true")
    expect(page.locator(".places > li > a[aria-current]:visible")).to_have_text(re.compile("Watchlist"))
    more.tap()
    menu = page.locator(".place-more .panel")
    expect(menu).to_be_in_viewport(ratio=1)
    for link in menu.get_by_role("link").all():
        assert link.bounding_box()["height"] >= 44
    menu.get_by_role("link", name="Displays").tap()
    expect(page).to_have_url(f"{demo.url}/displays")
    expect(more).to_have_attribute("aria-current", "true")
    more.tap()
    menu.get_by_role("link", name="Settings").tap()
    expect(page).to_have_url(re.compile("/settings"))
    expect(more).to_have_attribute("aria-current", "true")


def test_more_opens_with_the_keyboard_and_closes_with_escape_or_a_tap_elsewhere(demo, visit):
    page = phone(demo, visit, "/watchlist")
    expect(page.locator("html")).to_have_class(re.compile("js"))
    more, menu = page.locator(".place-more button"), page.locator(".place-more .panel")
    more.tap()
    expect(menu).to_be_visible()
    page.touchscreen.tap(60, 60)
    expect(menu).to_be_hidden()
    more.press("Enter")
    expect(menu).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu).to_be_hidden()


def test_more_has_a_dot_when_one_of_its_pages_has_news(demo, visit):
    page = phone(demo, visit, "/watchlist")
    dot = "() => getComputedStyle(document.querySelector('.place-more button'), '::after').content"
    assert page.evaluate(dot) == "none"
    page.locator(".place-more .panel a").first.evaluate(
        "link => link.append(Object.assign(document.createElement('span'), { className: 'count', textContent: '2' }))")
    assert page.evaluate(dot) != "none"


def tap(page, row, across, down):
    """Taps a row at these fractions of its width and height."""
    box = row.bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] * across, box["y"] + box["height"] * down)


@pytest.mark.parametrize("across", [.3, .6, .95])
def test_a_price_row_opens_its_coin_wherever_it_is_tapped(across, demo, visit):
    page = phone(demo, visit, "/watchlist")
    row = page.locator("tr.row").nth(1)
    address = row.locator("a.name").get_attribute("href")
    tap(page, row, across, .5)
    expect(page).to_have_url(demo.url + address)


def test_an_articles_picture_and_free_space_open_it_and_its_links_still_work(demo, visit):
    page = phone(demo, visit, "/reading")
    row = page.locator("li.article:has(.picture)").first
    address = demo.url + row.locator("a.name").get_attribute("href")
    row.locator(".picture").scroll_into_view_if_needed()
    box = row.locator(".picture").bounding_box()
    page.touchscreen.tap(box["x"] + 20, box["y"] + 20)
    expect(page).to_have_url(address)
    page.go_back()
    tap(page, row, .3, .92)
    expect(page).to_have_url(address)
    page.go_back()
    category = page.locator("li.article .facts a.category").first
    category.tap()
    expect(page).to_have_url(re.compile("category="))


def test_the_buttons_of_a_row_still_work(shared_roost, simulator, visit):
    name = names(shared_roost)[0]
    bookmark(shared_roost, name)
    page = visit(shared_roost, **PHONE, service_workers="block").page("/bookmarks")
    row = repository_row(page, name)
    row.locator("[data-act=bookmark]").tap()
    expect(row).to_have_count(0)
    page.get_by_role("button", name="Undo", exact=True).tap()
    tap(page, row, .5, .85)
    expect(page).to_have_url(re.compile(f"/repositories/{name}"))
    assert shared_roost.ask("DELETE", f"/api/v1/bookmarks/{name}").status == 204


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "without"])
@pytest.mark.parametrize("width", [320, 390])
def test_the_reading_list_begins_near_the_top_and_the_rest_is_one_tap_away(width, scripts, demo, visit):
    page = phone(demo, visit, "/reading", viewport={"width": width, "height": 844}, java_script_enabled=scripts)
    assert page.locator("li.article").first.bounding_box()["y"] <= 200
    for label, part in [("Unread", "nav.chips"), ("Search", "#text"), ("Save", "#save input[name=url]")]:
        expect(page.locator(part).first).to_be_hidden()
        fold = page.locator(".folds label", has_text=label)
        assert fold.bounding_box()["height"] >= 44
        fold.tap()
        expect(page.locator(part).first).to_be_visible()
        fold.tap()
        expect(page.locator(part).first).to_be_hidden()


def test_the_folded_sections_of_the_reading_list_open_with_the_keyboard(demo, visit):
    page = phone(demo, visit, "/reading")
    fold = page.get_by_role("checkbox", name="Show the field to save a page")
    fold.focus()
    page.keyboard.press("Space")
    expect(page.locator("#save input[name=url]")).to_be_visible()
