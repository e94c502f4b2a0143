"""The watchlist in a browser with JavaScript."""

import re

import pytest
from playwright.sync_api import expect
from program import eventually
from visit import is_marked, mark, order, overflow, price, row

BOX = "Add a coin: name, symbol or id"


def box(page):
    return page.get_by_role("combobox", name=BOX)


def options(page):
    return page.locator("#coin-options [role=option]")


def test_a_coin_is_added_with_the_keyboard(roost, visit):
    roost.watch("bitcoin")
    page = visit(roost).page("/watchlist")
    mark(page)
    box(page).press_sequentially("ethereum")
    expect(options(page).first).to_contain_text("Ethereum")
    expect(options(page).first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowDown")
    expect(options(page).nth(1)).to_have_attribute("aria-selected", "true")
    expect(box(page)).to_have_attribute("aria-activedescendant", options(page).nth(1).get_attribute("id"))
    page.keyboard.press("ArrowUp")
    expect(options(page).first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(row(page, "ethereum")).to_contain_text("ETH")
    # The notice disappears after ten seconds; the price may take longer.
    expect(page.locator("#notice")).to_contain_text("Ethereum was added to your watchlist, row 2 of 2.")
    expect(row(page, "ethereum").locator("data.price")).to_contain_text("$")
    expect(box(page)).to_be_focused()
    # The typed text stays until the user types again.
    expect(box(page)).to_have_value("ethereum")
    page.keyboard.type("s")
    expect(box(page)).to_have_value("s")
    assert is_marked(page)


def test_a_suggestion_can_be_clicked_and_escape_closes_the_suggestions(roost, visit):
    page = visit(roost).page("/watchlist")
    box(page).press_sequentially("doge")
    expect(options(page).first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#coin-options")).to_be_hidden()
    expect(box(page)).to_have_value("doge")
    page.keyboard.press("Backspace")
    page.locator('#coin-options [data-coin="dogecoin"]').click()
    expect(row(page, "dogecoin")).to_be_visible()


def test_a_coin_already_on_the_list_is_marked_and_not_added_again(roost, visit):
    roost.watch("bitcoin")
    page = visit(roost).page("/watchlist")
    box(page).press_sequentially("bitcoin")
    expect(options(page).first).to_contain_text("on your list")
    options(page).first.click()
    expect(page.locator("tr.row")).to_have_count(1)
    assert len(roost.items()) == 1


HIGHLIGHT = "row => [getComputedStyle(row).backgroundColor, row.getBoundingClientRect().bottom <= innerHeight]"


def test_enter_on_a_listed_coin_shows_its_row(calm_roost, visit):
    calm_roost.priced(*"bitcoin ethereum tether ripple solana tron dogecoin cardano monero chainlink stellar zcash".split())
    calm_roost.sort("mine")
    page = visit(calm_roost, viewport={"width": 1280, "height": 420}).page("/watchlist")
    mark(page)
    plain = row(page, "zcash").evaluate(HIGHLIGHT)
    box(page).press_sequentially("zcash")
    expect(options(page).first).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("#listed-zcash$"))
    found = row(page, "zcash").evaluate(HIGHLIGHT)
    assert found[0] != plain[0] and not plain[1] and found[1]
    expect(page.locator(".add [role=status]").last).to_have_text("This coin is already on your list.")
    expect(box(page)).to_be_focused()
    assert is_marked(page) and len(calm_roost.items()) == 12


def test_without_scripts_a_found_coin_leads_to_its_row(calm_roost, visit):
    calm_roost.priced("bitcoin", "zcash")
    eventually("the coin list", lambda: "Bitcoin Cash" in calm_roost.get("/watchlist?q=bitcoin").text)
    page = visit(calm_roost, java_script_enabled=False).page("/watchlist?q=zcash")
    plain = row(page, "zcash").evaluate(HIGHLIGHT)
    page.get_by_role("link", name="Zcash: on your list").click()
    assert row(page, "zcash").evaluate(HIGHLIGHT)[0] != plain[0]


def test_a_new_price_appears_without_a_reload(roost, visit):
    roost.priced("bitcoin", "solana")
    page = visit(roost).page("/watchlist")
    mark(page)
    before = price(page, "bitcoin"), price(page, "solana")
    eventually("two new prices", lambda: price(page, "bitcoin") != before[0] and price(page, "solana") != before[1])
    assert is_marked(page)


def test_a_new_price_keeps_typed_text_and_the_focus(roost, visit):
    roost.priced("bitcoin")
    page = visit(roost).page("/watchlist")
    box(page).press_sequentially("half a wo")
    page.evaluate("() => document.activeElement.setSelectionRange(2, 5)")
    before = price(page, "bitcoin")
    eventually("a new price", lambda: price(page, "bitcoin") != before)
    expect(box(page)).to_have_value("half a wo")
    expect(box(page)).to_be_focused()
    selected = page.evaluate("() => [document.activeElement.selectionStart, document.activeElement.selectionEnd]")
    assert selected == [2, 5]


def test_undo_restores_a_removed_coin_at_its_position(roost, visit):
    roost.watch("bitcoin", "ethereum", "solana")
    roost.sort("mine")
    page = visit(roost).page("/watchlist")
    mark(page)
    row(page, "ethereum").hover()
    page.get_by_role("button", name="Remove Ethereum", exact=True).click()
    expect(row(page, "ethereum")).to_have_count(0)
    expect(page.locator("#notice")).to_contain_text("Ethereum was removed from your watchlist.")
    page.get_by_role("button", name="Undo").first.click()
    expect(row(page, "ethereum")).to_be_visible()
    assert order(page) == ["bitcoin", "ethereum", "solana"]
    assert is_marked(page)


def test_an_empty_watchlist_says_what_to_do(roost, visit):
    page = visit(roost).page("/watchlist")
    expect(page.locator(".empty")).to_contain_text("Your watchlist is empty")
    box(page).press_sequentially("bitcoin")
    expect(options(page).first).to_be_visible()
    page.keyboard.press("Enter")
    expect(row(page, "bitcoin")).to_be_visible()
    expect(page.locator(".empty")).to_have_count(0)


def test_enter_waits_for_the_results_of_the_latest_text(roost, visit):
    page = visit(roost).page("/watchlist")
    mark(page)
    box(page).press_sequentially("bit")
    expect(options(page).first).to_contain_text("Bitcoin")
    box(page).press_sequentially("coin-cash")
    page.keyboard.press("Enter")
    expect(row(page, "bitcoin-cash")).to_be_visible()
    expect(page.locator("tr.row")).to_have_count(1)
    assert is_marked(page)


def test_a_pending_search_is_shown_and_keeps_the_selected_suggestion(roost, visit):
    page = visit(roost).page("/watchlist")
    coins = [{"id": name, "symbol": name[:3], "name": name.title()} for name in ("solana", "solaris", "soluna")]
    answers = [{"items": coins[:2], "pending": True, "message": "Asking CoinGecko too…"}, {"items": coins[::-1], "pending": False}]
    page.route("**/api/v1/coins*", lambda route: route.fulfill(json=answers[0]))
    box(page).press_sequentially("s")
    expect(options(page).last).to_have_text("Asking CoinGecko too…")
    page.keyboard.press("ArrowDown")
    expect(options(page).nth(1)).to_have_attribute("aria-selected", "true")
    expect(options(page)).to_have_count(3)  # two coins and the message
    page.route("**/api/v1/coins*", lambda route: route.fulfill(json=answers[1]))
    expect(page.get_by_text("Asking CoinGecko too…")).to_have_count(0)
    expect(page.locator("#coin-options [aria-selected=true] code")).to_have_text("solaris")


def test_enter_waits_for_the_coin_list(roost, visit):
    page = visit(roost).page("/watchlist")
    words = "Loading the coin list."
    page.route("**/api/v1/coins*", lambda route: route.fulfill(json={"items": [], "pending": True, "message": words}))
    box(page).press_sequentially("solana")
    expect(options(page).first).to_have_text(words)
    page.keyboard.press("Enter")
    page.unroute("**/api/v1/coins*")
    expect(row(page, "solana")).to_be_visible()


def test_further_typing_cancels_enter(roost, visit):
    page = visit(roost).page("/watchlist")
    page.route("**/api/v1/coins*", lambda route: route.fulfill(
        json={"items": [], "pending": True, "message": "Loading the coin list."}))
    box(page).press_sequentially("solana")
    expect(options(page).first).to_be_visible()
    page.keyboard.press("Enter")
    page.unroute("**/api/v1/coins*")
    page.keyboard.press("Backspace")
    expect(options(page).first).to_contain_text("Solana")
    expect(page.locator("tr.row")).to_have_count(0)


def test_a_click_removes_a_row_without_fetching_the_list(calm_roost, visit):
    calm_roost.priced("bitcoin", "solana")
    page = visit(calm_roost).page("/watchlist")
    page.route("**/watchlist/rows*", lambda route: route.abort())
    row(page, "solana").hover()
    with page.expect_response(lambda response: response.request.method == "POST") as heard:
        row(page, "solana").get_by_role("button", name="Remove Solana", exact=True).click()
    assert heard.value.headers["x-roost-parts"] == "1" and len(heard.value.body()) < 2_000
    expect(row(page, "solana")).to_have_count(0)
    expect(row(page, "bitcoin")).to_be_visible()
    expect(page.locator("#notice")).to_contain_text("Solana was removed")


def test_an_update_from_before_a_removal_does_not_bring_the_row_back(calm_roost, visit):
    calm_roost.priced("bitcoin", "solana")
    page = visit(calm_roost).page("/watchlist")
    held = []
    page.route("**/watchlist/rows*", lambda route: route.fallback() if held else held.append((route, route.fetch())))
    page.evaluate("""() => {
        const live = document.querySelector(".board .live");
        globalThis.added = [];
        new MutationObserver((all) => added.push(...all.flatMap((each) => [...each.addedNodes])))
            .observe(live, { childList: true, subtree: true });
        live.dispatchEvent(new CustomEvent("roost:refresh"));
    }""")
    eventually("an update on its way", lambda: page.wait_for_timeout(20) or held)
    row(page, "solana").hover()
    page.get_by_role("button", name="Remove Solana", exact=True).click()
    expect(row(page, "solana")).to_have_count(0)
    [(route, answer)] = held
    with page.expect_response(lambda response: "/watchlist/rows" in response.url and response.request != route.request):
        route.fulfill(response=answer)
    expect(row(page, "bitcoin")).to_be_visible()
    assert not page.evaluate("() => added.some((node) => node.dataset?.key === 'solana')")
    assert order(page) == ["bitcoin"]


def test_undo_removes_an_added_coin(roost, visit):
    roost.watch("bitcoin")
    page = visit(roost).page("/watchlist")
    box(page).press_sequentially("solana")
    expect(options(page).first).to_contain_text("Solana")
    page.keyboard.press("Enter")
    expect(row(page, "solana")).to_be_visible()
    page.get_by_role("button", name="Undo").first.click()
    expect(row(page, "solana")).to_have_count(0)
    assert [item["coinId"] for item in roost.items()] == ["bitcoin"]


COLUMNS = "column=change1h&column=change24h&column=change7d&column=marketCap&column=volume&column=sparkline"


@pytest.mark.parametrize("more", ["", "&column=holdings&column=profit"])
@pytest.mark.parametrize("width", [320, 390, 761, 900, 1280, 1920])
def test_no_width_scrolls_sideways_with_any_columns(width, more, calm_roost, visit):
    calm_roost.priced("bitcoin", "pepe", "the-coin-whose-name-goes-on-and-on-until-every-table-has-to-wrap-it")
    assert calm_roost.ask("POST", "/watchlist/choices", COLUMNS + more).status == 303
    page = visit(calm_roost, viewport={"width": width, "height": 900}).page("/watchlist")
    expect(row(page, "bitcoin").locator("data.price")).to_be_visible()
    assert overflow(page)[0] == 0
    table = page.locator(".table").bounding_box()
    panel = page.locator("section.list").bounding_box()
    assert table["width"] <= panel["width"] + 1
    if width > 760:
        # No column is hidden; the coin stays in view while the others scroll.
        assert row(page, "bitcoin").locator("td.figure:visible").count() == (9 if more else 7)
        page.locator(".table").evaluate("table => table.scrollBy(9999, 0)")
        last = row(page, "bitcoin").locator("td.figure").last.bounding_box()
        assert last["x"] + last["width"] <= panel["x"] + panel["width"] + 1
        assert abs(row(page, "bitcoin").locator("th").bounding_box()["x"] - panel["x"]) < 3


def test_new_prices_do_not_scroll_the_columns_back(roost, visit):
    roost.priced("bitcoin")
    assert roost.ask("POST", "/watchlist/choices", COLUMNS).status == 303
    page = visit(roost, viewport={"width": 761, "height": 900}).page("/watchlist")
    # Not to the end, which moves with the width of the prices.
    scrolled = page.locator(".table").evaluate("(table) => (table.scrollBy(20, 0), table.scrollLeft)")
    assert scrolled > 0
    before = price(page, "bitcoin")
    eventually("a new price", lambda: price(page, "bitcoin") != before)
    assert page.locator(".table").evaluate("(table) => table.scrollLeft") == scrolled


def test_a_wide_list_shows_every_chosen_column_and_a_phone_two_lines(calm_roost, visit):
    calm_roost.priced("bitcoin", "solana")
    assert calm_roost.ask("POST", "/watchlist/choices", COLUMNS).status == 303
    wide = visit(calm_roost).page("/watchlist")
    expect(row(wide, "bitcoin").locator("td:visible.figure")).to_have_count(7)
    phone = visit(calm_roost, viewport={"width": 390, "height": 844}).page("/watchlist")
    expect(row(phone, "bitcoin").locator("td:visible.figure")).to_have_count(2)
    expect(row(phone, "bitcoin").locator(".change:visible")).to_have_count(1)


def test_rows_are_48_pixels_high_and_their_head_stays_in_view(calm_roost, visit):
    coins = "bitcoin ethereum tether ripple solana tron dogecoin cardano monero chainlink stellar zcash".split()
    calm_roost.priced(*coins)
    page = visit(calm_roost, viewport={"width": 1280, "height": 500}).page("/watchlist")
    heights = page.locator("tr.row").evaluate_all("rows => rows.map((row) => row.getBoundingClientRect().height)")
    assert len(heights) == len(coins) and all(abs(height - 48) <= 1 for height in heights), heights
    page.locator("tr.row").last.scroll_into_view_if_needed()
    page.mouse.wheel(0, 9999)
    eventually("the end of the page", lambda: page.evaluate("scrollY > 100"))
    head = page.get_by_role("columnheader", name="Price")
    assert 0 <= head.bounding_box()["y"] < 10


def test_columns_currency_and_colours_can_be_chosen(calm_roost, visit):
    calm_roost.priced("bitcoin")
    page = visit(calm_roost).page("/watchlist")
    page.get_by_role("link", name="Columns, lists and currency").click()
    page.get_by_label("Volume (24 h)").uncheck()
    page.get_by_label("Compact").check()
    page.get_by_label("Currency", exact=True).select_option("eur")
    page.get_by_label("Red means up").check()
    page.get_by_role("button", name="Save").click()
    expect(row(page, "bitcoin").locator("data.price")).to_contain_text("€")
    expect(page.locator("section.list")).to_have_class(re.compile("compact red-is-up"))
    expect(page.get_by_role("button", name="Volume", exact=True)).to_have_count(0)
    up, down = page.evaluate("""() => {
        const style = getComputedStyle(document.querySelector("section.list"));
        return [style.getPropertyValue("--rise").trim(), style.getPropertyValue("--down").trim()];
    }""")
    assert up == down


def test_a_second_list_has_its_own_coins_and_order(calm_roost, visit):
    calm_roost.watch("bitcoin", "ethereum")
    page = visit(calm_roost).page("/watchlist/settings")
    page.get_by_label("New list").fill("Long term")
    page.get_by_role("button", name="Add list", exact=True).click()
    expect(page.get_by_role("link", name="Long term")).to_have_attribute("aria-current", "page")
    for coin in ("solana", "cardano"):
        box(page).fill("")
        box(page).press_sequentially(coin)
        expect(options(page).first).to_contain_text(coin.title())
        page.keyboard.press("Enter")
        expect(row(page, coin)).to_be_visible()
    page.get_by_role("button", name="Move Cardano up").focus()
    page.keyboard.press("Enter")
    eventually("Cardano first", lambda: order(page) == ["cardano", "solana"])
    page.get_by_role("navigation", name="Lists").get_by_role("link").first.click()
    expect(row(page, "bitcoin")).to_be_visible()
    assert order(page) == ["bitcoin", "ethereum"]
