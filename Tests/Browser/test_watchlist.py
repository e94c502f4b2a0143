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


def test_a_coin_is_added_by_typing_and_the_keyboard(roost, visit):
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
    expect(row(page, "ethereum").locator("data.price")).to_contain_text("$")
    expect(page.locator("#notice")).to_contain_text("Ethereum is in your watchlist now, row 2 of 2.")
    expect(box(page)).to_be_focused()
    # What was typed stays until the next word takes its place.
    expect(box(page)).to_have_value("ethereum")
    page.keyboard.type("s")
    expect(box(page)).to_have_value("s")
    assert is_marked(page)


def test_a_suggestion_can_be_clicked_and_escape_closes_them(roost, visit):
    page = visit(roost).page("/watchlist")
    box(page).press_sequentially("doge")
    expect(options(page).first).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#coin-options")).to_be_hidden()
    expect(box(page)).to_have_value("doge")
    page.keyboard.press("Backspace")
    page.locator('#coin-options [data-coin="dogecoin"]').click()
    expect(row(page, "dogecoin")).to_be_visible()


def test_a_coin_on_the_list_is_marked_and_not_added_again(roost, visit):
    roost.watch("bitcoin")
    page = visit(roost).page("/watchlist")
    box(page).press_sequentially("bitcoin")
    expect(options(page).first).to_contain_text("on your list")
    options(page).first.click(force=True)
    expect(page.locator("tr.row")).to_have_count(1)
    assert len(roost.items()) == 1


def test_coins_that_share_a_symbol_are_told_apart_by_their_ids(roost, visit):
    page = visit(roost).page("/watchlist")
    box(page).press_sequentially("weth")
    expect(options(page).first.locator("code")).to_have_text("weth")
    expect(options(page).nth(1)).to_contain_text("WETH")
    coins = options(page).locator("code").all_text_contents()
    assert len(set(coins)) == len(coins) > 10


def test_nothing_found_is_said_in_words(roost, visit):
    page = visit(roost).page("/watchlist")
    box(page).press_sequentially("qqqqzzzzqqqq")
    expect(options(page).first).to_have_text("No coin by that name, symbol or id.")


def test_a_new_price_arrives_by_itself(roost, visit):
    roost.priced("bitcoin", "solana")
    page = visit(roost).page("/watchlist")
    mark(page)
    before = price(page, "bitcoin"), price(page, "solana")
    eventually("two new prices", lambda: price(page, "bitcoin") != before[0] and price(page, "solana") != before[1])
    assert is_marked(page)


def test_a_new_price_leaves_what_is_typed_and_focused_alone(roost, visit):
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


def test_the_home_page_keeps_its_prices_fresh_too(roost, visit):
    roost.priced("bitcoin")
    page = visit(roost).page("/")
    figure = page.locator('[data-key="bitcoin"] data.price')
    before = figure.get_attribute("value")
    eventually("a new price", lambda: figure.get_attribute("value") != before)


def test_a_removed_coin_comes_back_to_its_place_with_undo(roost, visit):
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


def test_the_empty_watchlist_teaches_what_to_do(roost, visit):
    page = visit(roost).page("/watchlist")
    expect(page.locator(".empty")).to_contain_text("Your watchlist is empty")
    box(page).press_sequentially("bitcoin")
    expect(options(page).first).to_be_visible()
    page.keyboard.press("Enter")
    expect(row(page, "bitcoin")).to_be_visible()
    expect(page.locator(".empty")).to_have_count(0)


def test_enter_waits_for_the_answer_to_what_was_typed_last(roost, visit):
    page = visit(roost).page("/watchlist")
    mark(page)
    box(page).press_sequentially("bit")
    expect(options(page).first).to_contain_text("Bitcoin")
    box(page).press_sequentially("coin-cash")
    page.keyboard.press("Enter")
    expect(row(page, "bitcoin-cash")).to_be_visible()
    expect(page.locator("tr.row")).to_have_count(1)
    assert is_marked(page)


def test_while_coingecko_is_asked_the_list_says_so_and_keeps_what_the_arrows_chose(roost, visit):
    page = visit(roost).page("/watchlist")
    coins = [{"id": name, "symbol": name[:3], "name": name.title()} for name in ("solana", "solaris", "soluna")]
    answers = [{"items": coins[:2], "pending": True, "message": "Asking CoinGecko too…"}, {"items": coins[::-1], "pending": False}]
    asked = []
    page.route("**/api/v1/coins*", lambda route: (asked.append(1), route.fulfill(json=answers[min(len(asked), 2) - 1])))
    box(page).press_sequentially("s")
    expect(options(page).last).to_have_text("Asking CoinGecko too…")
    page.keyboard.press("ArrowDown")
    expect(options(page).nth(1)).to_have_attribute("aria-selected", "true")
    expect(options(page)).to_have_count(3)  # two coins and the message
    expect(page.get_by_text("Asking CoinGecko too…")).to_have_count(0, timeout=10_000)
    expect(page.locator("#coin-options [aria-selected=true] code")).to_have_text("solaris")


def test_enter_waits_for_the_coin_list(roost, visit):
    page = visit(roost).page("/watchlist")
    words = "The coin list is being loaded."
    page.route("**/api/v1/coins*", lambda route: route.fulfill(json={"items": [], "pending": True, "message": words}))
    box(page).press_sequentially("solana")
    expect(options(page).first).to_have_text(words)
    page.keyboard.press("Enter")
    page.unroute("**/api/v1/coins*")
    expect(row(page, "solana")).to_be_visible()


def test_enter_is_forgotten_when_one_goes_on_typing(roost, visit):
    page = visit(roost).page("/watchlist")
    page.route("**/api/v1/coins*", lambda route: route.fulfill(
        json={"items": [], "pending": True, "message": "The coin list is being loaded."}))
    box(page).press_sequentially("solana")
    expect(options(page).first).to_be_visible()
    page.keyboard.press("Enter")
    page.unroute("**/api/v1/coins*")
    page.keyboard.press("Backspace")
    expect(options(page).first).to_contain_text("Solana")
    expect(page.locator("tr.row")).to_have_count(0)


def test_a_delisted_coin_says_so_and_stays(roost, simulator, visit):
    roost.priced("bitcoin", "monero")
    page = visit(roost).page("/watchlist")
    simulator.change(delisted=["monero"])
    expect(row(page, "monero")).to_contain_text("no longer listed on CoinGecko")
    expect(row(page, "bitcoin")).not_to_contain_text("no longer listed")


def test_a_renamed_coin_says_what_it_was_called(roost, simulator, visit):
    roost.priced("bitcoin")
    page = visit(roost).page("/watchlist")
    simulator.change(renamed={"bitcoin": "Bitcoin Classic"})
    expect(row(page, "bitcoin")).to_contain_text("Bitcoin Classic")
    expect(row(page, "bitcoin")).to_contain_text("renamed, was Bitcoin")


def test_names_with_markup_and_odd_ids_are_shown_as_they_are(roost, visit):
    roost.priced("script-kiddie", "mustache-coin", "1move token", "boringdao-[old]")
    page = visit(roost).page("/watchlist")
    expect(row(page, "script-kiddie").locator(".name")).to_have_text('<script>alert("roost")</script>')
    expect(row(page, "mustache-coin").locator(".symbol")).to_have_text("{{X}}")
    for coin, name in (("boringdao-[old]", "BoringDAO [OLD]"), ("1move token", "1Move Token")):
        row(page, coin).hover()
        page.get_by_role("button", name=f"Remove {name}", exact=True).click()
        expect(row(page, coin)).to_have_count(0)
    assert sorted(item["coinId"] for item in roost.items()) == ["mustache-coin", "script-kiddie"]


def test_prices_are_never_made_up(roost, visit):
    roost.watch("ghost-ledger", "zero-hour", "speck-of-dust", "sleepy-otter")
    page = visit(roost).page("/watchlist")
    for coin in ("ghost-ledger", "zero-hour"):
        expect(row(page, coin)).to_contain_text("no price")
        expect(row(page, coin)).not_to_contain_text("$")
    tiny = row(page, "speck-of-dust").locator("data.price")
    assert tiny.locator("sub").text_content() == "11"
    assert tiny.get_attribute("title").startswith("$0.00000000000")
    expect(row(page, "sleepy-otter")).to_contain_text("as of 3 days ago")


def test_a_click_takes_a_row_away_without_the_list(calm_roost, visit):
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


def test_an_added_coin_is_taken_off_again_by_undo(roost, visit):
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
def test_no_width_scrolls_sideways_whatever_the_columns(width, more, calm_roost, visit):
    calm_roost.priced("bitcoin", "pepe", "the-coin-whose-name-goes-on-and-on-until-every-table-has-to-wrap-it")
    assert calm_roost.ask("POST", "/watchlist/choices", COLUMNS + more).status == 303
    page = visit(calm_roost, viewport={"width": width, "height": 900}).page("/watchlist")
    expect(row(page, "bitcoin").locator("data.price")).to_be_visible()
    assert overflow(page)[0] == 0
    table = page.locator("table.rows").bounding_box()
    panel = page.locator("section.list").bounding_box()
    assert table["width"] <= panel["width"] + 1


def test_a_wide_list_shows_all_that_was_chosen_and_a_phone_two_lines(calm_roost, visit):
    calm_roost.priced("bitcoin", "solana")
    assert calm_roost.ask("POST", "/watchlist/choices", COLUMNS).status == 303
    wide = visit(calm_roost).page("/watchlist")
    expect(row(wide, "bitcoin").locator("td:visible.figure")).to_have_count(7)
    phone = visit(calm_roost, viewport={"width": 390, "height": 844}).page("/watchlist")
    expect(row(phone, "bitcoin").locator("td:visible.figure")).to_have_count(2)
    expect(row(phone, "bitcoin").locator(".change:visible")).to_have_count(1)


def test_columns_currency_and_colours_are_chosen_on_a_page(calm_roost, visit):
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


def test_a_second_list_has_coins_and_an_order_of_its_own(calm_roost, visit):
    calm_roost.watch("bitcoin", "ethereum")
    page = visit(calm_roost).page("/watchlist/settings")
    page.get_by_label("New list").fill("Long term")
    page.get_by_role("button", name="Add", exact=True).click()
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
