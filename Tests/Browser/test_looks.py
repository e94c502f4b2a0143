"""Every page at every width, by day and by night: nothing to scroll sideways, nothing that axe-core finds wrong."""

import pytest
from looks import looks_right, violations
from playwright.sync_api import expect
from visit import screenshot

COINS = """bitcoin ethereum solana chainlink dogecoin pepe monero arweave script-kiddie whole-house speck-of-dust
    sleepy-otter the-coin-whose-name-goes-on-and-on-until-every-table-has-to-wrap-it""".split()
PRICELESS = "ghost-ledger"


def empty(roost, page):
    page.goto("/watchlist")


def with_coins(roost, page):
    roost.watch(PRICELESS)
    roost.priced(*COINS)
    roost.sort("mine")
    page.goto("/watchlist")


def with_search_results(roost, page):
    roost.watch("bitcoin")
    page.goto("/watchlist?q=bitcoin")
    expect(page.get_by_role("list", name="Coins found")).to_be_visible()


def with_suggestions(roost, page):
    roost.watch("bitcoin")
    page.goto("/watchlist")
    page.get_by_role("combobox").press_sequentially("bit")
    expect(page.locator("#coin-options [role=option]").first).to_be_visible()


def with_an_error(roost, page):
    roost.watch("bitcoin")
    page.goto("/watchlist?q=bitcoin-cash")
    roost.watch("bitcoin-cash")
    page.get_by_role("button", name="Add Bitcoin Cash, bitcoin-cash", exact=True).click()
    expect(page.locator("#search-error")).to_be_visible()


def with_a_notice(roost, page):
    roost.priced("bitcoin", "solana")
    page.goto(roost.ask("POST", "/watchlist/solana/remove", "").headers["Location"])


def home(roost, page):
    roost.watch(PRICELESS)
    roost.priced(*COINS)
    roost.display("Kitchen")
    page.goto("/")


def empty_home(roost, page):
    page.goto("/")


def no_displays(roost, page):
    page.goto("/displays")


def displays(roost, page):
    roost.display("Kitchen")
    roost.display("Hall with a rather long name so that it has to wrap")
    page.goto("/displays")
    page.get_by_text("Kitchen: Settings").click()


def a_new_link(roost, page):
    page.goto("/displays")
    page.get_by_label("New display").fill("Kitchen")
    page.get_by_role("button", name="Make a link").click()
    expect(page.get_by_label("Secret link for Kitchen")).to_be_visible()


def a_display_error(roost, page):
    page.goto("/displays")
    page.get_by_label("New display").fill("x" * 80)
    page.get_by_role("button", name="Make a link").click()
    expect(page.locator("#create-error")).to_be_visible()


def error_page(roost, page):
    page.goto("/nowhere")


def the_wall(roost, page):
    roost.watch(PRICELESS)
    roost.priced(*COINS)
    page.goto(roost.display())


def an_empty_wall(roost, page):
    page.goto(roost.display())


def a_wrong_link(roost, page):
    page.goto(f"/display/{'x' * 22}")


PAGES = [empty, with_coins, with_search_results, with_suggestions, with_an_error, with_a_notice, home, empty_home,
         no_displays, displays, a_new_link, a_display_error, error_page, the_wall, an_empty_wall, a_wrong_link]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("prepare", PAGES, ids=lambda each: each.__name__)
def test_a_page_fits_and_axe_finds_nothing_wrong(prepare, scheme, calm_roost, visit):
    page = visit(calm_roost, color_scheme=scheme, reduced_motion="reduce").page("/")
    prepare(calm_roost, page)
    looks_right(page, prepare.__name__, scheme)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_stale_prices_can_be_read_too(scheme, roost, simulator, visit):
    roost.priced("bitcoin", "pepe")
    simulator.inject("500")
    link = roost.display()
    for path in ("/watchlist", "/", link):
        page = visit(roost, color_scheme=scheme, reduced_motion="reduce").page(path)
        expect(page.locator(".freshness-stale").first).to_be_visible()
        screenshot(page, f"stale{path.replace(link, '-wall').replace('/', '-')}-{scheme}")
        assert violations(page) == [], (path, scheme)


def paper(page):
    return page.evaluate("() => getComputedStyle(document.body).backgroundColor")


def test_the_theme_follows_the_system_until_one_is_chosen(roost, visit):
    page = visit(roost, color_scheme="dark").page("/")
    night = paper(page)
    page.emulate_media(color_scheme="light")
    day = paper(page)
    assert day != night
    page.get_by_role("button", name="Dark").click()
    expect(page.get_by_role("button", name="Dark")).to_have_attribute("aria-pressed", "true")
    assert paper(page) == night
    page.goto("/watchlist")
    assert paper(page) == night
    page.get_by_role("button", name="Light").click()
    page.emulate_media(color_scheme="dark")
    assert paper(page) == day
    page.get_by_role("button", name="Auto").click()
    assert paper(page) == night


def test_colour_never_says_up_or_down_alone(roost, visit):
    roost.priced("bitcoin", "ethereum", "solana", "cardano")
    page = visit(roost).page("/watchlist")
    for change in page.locator("li.row .change").all():
        kind = change.get_attribute("class").split()[-1]
        sign = change.locator("[aria-hidden]").text_content()
        assert sign.startswith({"up": "▲ +", "down": "▼ −", "flat": "– "}[kind]), (kind, sign)
        assert "24 hours" in change.locator(".sr-only").text_content()
