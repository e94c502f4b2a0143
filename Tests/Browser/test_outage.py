"""Pages during CoinGecko outages."""

from playwright.sync_api import expect
from program import eventually
from visit import is_marked, mark, price, row


def colour(page, coin):
    return row(page, coin).locator(".price").evaluate("element => getComputedStyle(element).color")


def soft(page):
    return page.locator(".source").evaluate("element => getComputedStyle(element).color")


def stale(page, reason):
    """Expects grey prices, with their age and the reason."""
    expect(page.locator(".freshness")).to_have_class("freshness freshness-stale")
    expect(page.locator(".freshness .reason")).to_have_text(reason)
    expect(page.locator(".freshness")).to_contain_text("Updated")
    expect(page.locator(".freshness")).to_contain_text("next try")
    assert colour(page, "bitcoin") == soft(page)


def click_try_again(page, place, path, prepare):
    """Clicks "Try again" and prepares the upstream for this try; after an earlier change Roost's own try might come first."""
    def answer(route):
        prepare()
        route.continue_()

    page.route(f"**{path}", answer)
    place.get_by_role("button", name="Try again").click()


def test_a_fault_greys_the_prices_and_try_again_restores_them(roost, simulator, visit):
    roost.priced("bitcoin")
    page = visit(roost).page("/watchlist")
    fresh, kept = colour(page, "bitcoin"), price(page, "bitcoin")
    assert fresh != soft(page)
    simulator.inject("500")
    expect(page.locator(".freshness-stale")).to_be_visible()
    kept = price(page, "bitcoin")
    stale(page, "CoinGecko is temporarily unavailable. Please try again later.")
    assert price(page, "bitcoin") == kept
    click_try_again(page, page, "/watchlist/refresh", simulator.clear)
    expect(page.locator(".freshness-live")).to_be_visible()
    eventually("a new price", lambda: price(page, "bitcoin") != kept)
    assert colour(page, "bitcoin") == fresh


def test_try_again_shows_that_it_is_trying(roost, simulator, visit):
    roost.priced("bitcoin")
    page = visit(roost).page("/watchlist")
    simulator.inject("500")
    expect(page.locator(".freshness-stale")).to_be_visible()

    def hang():
        simulator.clear()
        simulator.inject("hang")

    click_try_again(page, page, "/watchlist/refresh", hang)
    expect(page.get_by_role("button", name="Trying…")).to_be_disabled()
    simulator.clear()
    expect(page.locator(".freshness-live")).to_be_visible()
    expect(page.get_by_role("button", name="Trying…")).to_have_count(0)


def test_old_prices_are_shown_with_a_growing_age(roost, simulator, visit):
    roost.priced("bitcoin")
    simulator.inject("500")
    page = visit(roost).page("/watchlist")
    expect(page.locator(".freshness-stale")).to_be_visible()
    age = page.locator(".freshness time[data-age]")
    first = age.text_content()
    eventually("an age that grows", lambda: age.text_content() != first)
    assert age.text_content().endswith(" ago")


def test_a_first_start_without_coingecko_says_so(simulator, make_roost, visit):
    simulator.inject("500", path="")
    roost = make_roost()
    page = visit(roost).page("/watchlist?q=bitcoin")
    missing = page.locator("[data-live='/watchlist/coins']")
    expect(missing).to_contain_text("Couldn’t load the coin list: CoinGecko is temporarily unavailable.")
    expect(missing).to_contain_text("Next try")
    answer = roost.ask("POST", "/api/v1/watchlist", {"coinId": "bitcoin"})
    assert answer.status == 503
    assert answer.json["error"]["message"].startswith("Network error: CoinGecko is temporarily unavailable.")
    mark(page)
    click_try_again(page, missing, "/watchlist/coins/refresh", simulator.clear)
    expect(missing).to_have_text("")
    assert is_marked(page)
