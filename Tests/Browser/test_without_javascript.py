"""Every page works with JavaScript switched off."""

import re

from playwright.sync_api import expect
from program import eventually
from visit import order, row


def quiet(visit, roost, **options):
    return visit(roost, java_script_enabled=False, **options)


def search(page, words):
    page.get_by_label("Add a coin: name, symbol or id").fill(words)
    page.get_by_role("button", name="Search").click()


def test_a_coin_is_found_added_removed_and_brought_back(roost, visit):
    # A page without scripts does not follow when the list comes.
    eventually("the coin list", lambda: "Bitcoin Cash" in roost.get("/watchlist?q=bitcoin").text, 30)
    page = quiet(visit, roost).page("/watchlist")
    search(page, "bitcoin")
    expect(page.get_by_role("list", name="Coins found")).to_contain_text("Bitcoin Cash")
    page.get_by_role("button", name="Add Bitcoin, bitcoin", exact=True).click()
    expect(page.locator("#notice")).to_contain_text("Bitcoin is in your watchlist now.")
    expect(row(page, "bitcoin")).to_be_visible()
    row(page, "bitcoin").hover()
    page.get_by_role("button", name="Remove Bitcoin", exact=True).click()
    expect(row(page, "bitcoin")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(row(page, "bitcoin")).to_be_visible()


def test_the_price_stands_there_after_a_reload(roost, visit):
    roost.priced("bitcoin")
    page = quiet(visit, roost).page("/watchlist")
    expect(row(page, "bitcoin").locator("data.price")).to_contain_text("$")


def test_the_list_is_sorted_and_moved_by_buttons(roost, visit):
    roost.priced("solana", "bitcoin", "ethereum")
    page = quiet(visit, roost).page("/watchlist")
    page.get_by_role("button", name="Price", exact=True).click()
    assert order(page) == ["bitcoin", "ethereum", "solana"]
    page.get_by_role("button", name="My order").click()
    assert order(page) == ["solana", "bitcoin", "ethereum"]
    row(page, "solana").hover()
    page.get_by_role("button", name="Move Solana down").click()
    assert order(page) == ["bitcoin", "solana", "ethereum"]


def test_a_phone_shows_the_buttons_behind_edit(roost, visit):
    roost.watch("bitcoin", "solana")
    roost.sort("mine")
    page = quiet(visit, roost, viewport={"width": 390, "height": 844}).page("/watchlist")
    expect(page.get_by_role("button", name="Remove Bitcoin", exact=True)).to_be_hidden()
    page.locator("label.edit").click()
    page.get_by_role("button", name="Remove Bitcoin", exact=True).click()
    expect(row(page, "bitcoin")).to_have_count(0)


def test_a_display_is_made_and_its_wall_turns_its_pages(roost, visit):
    roost.watch(*"""bitcoin ethereum solana cardano dogecoin pepe monero arweave chainlink litecoin""".split())
    browser = quiet(visit, roost)
    page = browser.page("/displays")
    page.get_by_label("New display").fill("Kitchen")
    page.get_by_role("button", name="Make a link").click()
    link = page.get_by_label("Secret link for Kitchen").input_value()
    assert re.fullmatch(re.escape(roost.url) + r"/display/[\w-]{20,}", link)
    wall = browser.page(link)
    expect(wall.locator("section.page:not([hidden]) .cell")).to_have_count(5)
    assert f"url={link.removeprefix(roost.url)}?page=2" in wall.content()
    wall.goto(f"{link}?page=2")
    expect(wall.locator("section.page:not([hidden])")).to_have_attribute("aria-label", "Page 2")


def test_the_theme_is_chosen_by_a_form(roost, visit):
    page = quiet(visit, roost).page("/displays")
    page.get_by_role("button", name="Dark").click()
    expect(page).to_have_url(f"{roost.url}/displays")
    expect(page.locator("html")).to_have_class("theme-dark")
