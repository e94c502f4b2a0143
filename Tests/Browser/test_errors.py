"""Errors stand where they belong, in words, and what was typed is kept."""

from playwright.sync_api import expect
from program import eventually
from visit import row


def search(page, words):
    page.get_by_label("Add a coin: name, symbol or id").fill(words)
    page.get_by_role("button", name="Search").click()


def test_a_coin_added_twice_is_refused_beside_the_box_with_what_was_typed(roost, visit):
    # A page without scripts does not follow when the list comes.
    eventually("the coin list", lambda: "Bitcoin Cash" in roost.get("/watchlist?q=bitcoin").text, 30)
    quiet = visit(roost, java_script_enabled=False)
    page = quiet.page("/watchlist")
    search(page, "bitco")
    roost.watch("bitcoin")
    page.get_by_role("button", name="Add Bitcoin, bitcoin", exact=True).click()
    box = page.get_by_label("Add a coin: name, symbol or id")
    expect(page.locator("#search-error")).to_have_text("This coin is already in your watchlist")
    expect(box).to_have_attribute("aria-describedby", "search-error")
    expect(box).to_have_value("bitco")
    expect(row(page, "bitcoin")).to_be_visible()


def test_a_display_without_a_fitting_name_is_refused_beside_its_field(roost, visit):
    for scripts in (True, False):
        page = visit(roost, java_script_enabled=scripts).page("/displays")
        page.get_by_label("New display").fill("x" * 80)
        page.get_by_role("button", name="Make a link").click()
        expect(page.locator("#create-error")).to_contain_text("1 to 64 characters")
        expect(page.get_by_label("New display")).to_have_value("x" * 80)


def test_a_display_with_wrong_settings_opens_again_with_what_was_typed(roost, visit):
    roost.display("Kitchen")
    page = visit(roost, java_script_enabled=False).page("/displays")
    page.get_by_role("link", name="Kitchen: Settings").click()
    page.get_by_label("Name", exact=True).fill("K" * 70)
    page.get_by_label("Seconds per page").fill("30")
    page.get_by_role("button", name="Save").click()
    expect(page.locator("#set-name-error")).to_contain_text("1 to 64 characters")
    expect(page.get_by_label("Name", exact=True)).to_have_value("K" * 70)
    expect(page.get_by_label("Seconds per page")).to_have_value("30")


def test_an_unknown_address_has_a_page_with_a_way_on(roost, visit):
    page = visit(roost).page("/no/such/page")
    expect(page.get_by_role("heading", level=1)).to_have_text("Nothing here")
    page.get_by_role("link", name="Go to the home page").click()
    expect(page).to_have_url(f"{roost.url}/")


def test_a_page_says_that_nothing_was_changed_when_roost_does_not_answer(roost, visit):
    roost.priced("bitcoin", "solana")
    page = visit(roost).page("/watchlist")
    roost.kill()
    row(page, "solana").hover()
    page.get_by_role("button", name="Remove Solana", exact=True).click()
    expect(page.locator("#notice")).to_contain_text("Roost does not answer. Nothing was changed")
    expect(row(page, "solana")).to_be_visible()


def test_errors_of_the_json_interface_name_their_field(roost):
    roost.watch("bitcoin")
    cases = [
        ("POST", "/api/v1/watchlist", {"coinId": "bitcoin"}, 409, "coinId"),
        ("POST", "/api/v1/watchlist", {"coinId": "no-such-coin-anywhere"}, 404, "coinId"),
        ("POST", "/api/v1/watchlist", {"coinId": ""}, 422, "coinId"),
        ("POST", "/api/v1/watchlist", {"coin": 1}, 422, "coinId"),
        ("DELETE", "/api/v1/watchlist/solana", None, 404, "coinId"),
        ("PATCH", "/api/v1/watchlist", {"order": ["solana"]}, 422, "order"),
        ("GET", "/api/v1/coins", None, 422, "q"),
        ("GET", "/api/v1/prices", None, 422, "ids"),
    ]
    for method, path, body, status, field in cases:
        answer = roost.ask(method, path, body)
        assert answer.status == status, (method, path, answer.text)
        error = answer.json["error"]
        assert error["field"] == field and error["code"] and error["message"], (method, path, error)
