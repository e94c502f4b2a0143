"""The watchlist and the repositories without JavaScript."""

from playwright.sync_api import expect
from program import eventually
from visit import row


def quiet(visit, roost, **options):
    return visit(roost, java_script_enabled=False, **options)


def search(page, words):
    page.get_by_label("Add a coin: name, symbol or id").fill(words)
    page.get_by_role("button", name="Search").click()


def test_a_coin_is_found_added_removed_and_restored(roost, visit):
    # A page without scripts does not update when the coin list arrives.
    eventually("the coin list", lambda: "Bitcoin Cash" in roost.get("/watchlist?q=bitcoin").text)
    page = quiet(visit, roost).page("/watchlist")
    search(page, "bitcoin")
    expect(page.get_by_role("list", name="Coins found")).to_contain_text("Bitcoin Cash")
    page.get_by_role("button", name="Add Bitcoin, bitcoin", exact=True).click()
    expect(page.locator("#notice")).to_contain_text("Bitcoin was added to your watchlist.")
    expect(row(page, "bitcoin")).to_be_visible()
    row(page, "bitcoin").hover()
    page.get_by_role("button", name="Remove Bitcoin", exact=True).click()
    expect(row(page, "bitcoin")).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(row(page, "bitcoin")).to_be_visible()


def test_a_phone_shows_the_buttons_behind_edit(roost, visit):
    roost.watch("bitcoin", "solana")
    roost.sort("mine")
    page = quiet(visit, roost, viewport={"width": 390, "height": 844}).page("/watchlist")
    expect(page.get_by_role("button", name="Remove Bitcoin", exact=True)).to_be_hidden()
    page.locator("label.edit").click()
    page.get_by_role("button", name="Remove Bitcoin", exact=True).click()
    expect(row(page, "bitcoin")).to_have_count(0)


def test_a_loading_list_reloads_itself(make_roost, visit):
    page = quiet(visit, make_roost(interval=3600)).context.new_page()
    loading = page.goto("/repositories?since=0").text()
    assert 'panel skeletons"' in loading
    assert '<noscript><meta http-equiv="refresh" content="3"></noscript>' in loading
    expect(page.locator("li.repo")).to_have_count(100)
    assert 'http-equiv="refresh"' not in page.content()
