"""Every page at every width in light and dark mode: no sideways scrolling and no accessibility violations."""

import re

import pytest
from looks import looks_right, violations
from playwright.sync_api import expect
from program import NOBODY, eventually
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


def with_everything(roost, page):
    """Sets up all columns, two lists, categories and holdings."""
    roost.priced(*COINS)
    columns = "change1h change24h change7d marketCap volume sparkline holdings profit".split()
    form = "&".join(f"column={column}" for column in columns)
    assert roost.ask("POST", "/watchlist/choices", form).status == 303
    assert roost.ask("POST", "/watchlist/lists", "name=Long+term").status == 303
    assert roost.ask("POST", "/coins/bitcoin/note", "category=Layer+1&note=Ask+Grace").status == 303
    assert roost.ask("POST", "/coins/bitcoin/holdings", "amount=0.328&price=51200&currency=usd").status == 303
    page.goto("/watchlist?group=category")
    expect(page.get_by_role("navigation", name="Categories")).to_be_visible()


def a_coin(roost, page):
    roost.priced("bitcoin")
    assert roost.ask("POST", "/coins/bitcoin/holdings", "amount=0.328&price=51200&currency=usd").status == 303
    assert roost.ask("POST", "/coins/bitcoin/wallets", f"address={'bc1q' * 12}&label=Cold").status == 303
    page.goto("/coins/bitcoin")
    expect(page.locator("[data-chart]")).to_be_visible()
    page.get_by_text("Show as table").click()


def watchlist_settings(roost, page):
    assert roost.ask("POST", "/watchlist/lists", f"name={'Long' * 16}").status == 303
    page.goto("/watchlist/settings")


def watchlist_files(roost, page):
    page.goto("/watchlist/files")


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
    page.get_by_label("New display", exact=True).fill("Kitchen")
    page.get_by_role("button", name="Add display").click()
    expect(page.get_by_label("Secret link for Kitchen")).to_be_visible()


def a_display_error(roost, page):
    page.goto("/displays")
    page.get_by_label("New display", exact=True).fill("x" * 80)
    page.get_by_role("button", name="Add display").click()
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


PAGES = [empty, with_coins, with_search_results, with_suggestions, with_an_error, with_a_notice, with_everything, a_coin,
         watchlist_settings, watchlist_files, home, empty_home,
         no_displays, displays, a_new_link, a_display_error, error_page, the_wall, an_empty_wall, a_wrong_link]


@pytest.mark.parametrize("prepare", PAGES, ids=lambda each: each.__name__)
def test_a_page_fits_and_has_no_accessibility_violations(prepare, calm_roost, visit):
    page = visit(calm_roost, reduced_motion="reduce").page("/")
    prepare(calm_roost, page)
    looks_right(page, prepare.__name__)


def test_stale_prices_are_readable(roost, simulator, visit):
    roost.priced("bitcoin", "pepe")
    simulator.inject("500")
    link = roost.display()
    for path in ("/watchlist", "/", link):
        page = visit(roost, reduced_motion="reduce").page(path)
        expect(page.locator(".freshness-stale").first).to_be_visible()
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            screenshot(page, f"stale{path.replace(link, '-wall').replace('/', '-')}-{scheme}")
            assert violations(page) == [], (path, scheme)


def paper(page):
    return page.evaluate("() => getComputedStyle(document.body).backgroundColor")


def choose(page, theme, colour):
    """Chooses a theme, which loads the page again, and waits for its colour."""
    page.get_by_role("button", name=theme).click()
    expect(page.get_by_role("button", name=theme)).to_have_attribute("aria-pressed", "true")
    eventually("the colour of the page", lambda: paper(page) == colour)


def test_the_theme_follows_the_system_until_the_user_chooses_one(roost, visit):
    page = visit(roost, color_scheme="dark").page("/")
    night = paper(page)
    page.emulate_media(color_scheme="light")
    day = paper(page)
    assert day != night
    choose(page, "Dark", night)
    page.goto("/watchlist")
    assert paper(page) == night
    choose(page, "Light", day)
    page.emulate_media(color_scheme="dark")
    assert paper(page) == day
    choose(page, "Auto", night)


BAR = """() => [...document.querySelectorAll("meta[name=theme-color]")]
    .filter((meta) => !meta.media || matchMedia(meta.media).matches)
    .map((meta) => { document.body.style.outlineColor = meta.content; return getComputedStyle(document.body).outlineColor; })"""


@pytest.mark.parametrize("path", ["/", "/login", "/nowhere"])
def test_the_browsers_bar_has_the_colour_of_the_page(path, shared_roost, visit):
    page = visit(shared_roost, NOBODY if path == "/login" else None).page(path)
    colours = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(BAR) == [paper(page)], scheme
        colours.append(paper(page))
    assert colours[0] != colours[1]


@pytest.mark.parametrize("theme", ["Light", "Dark"])
def test_the_browsers_bar_follows_the_chosen_theme(theme, roost, visit):
    page = visit(roost, color_scheme="dark" if theme == "Light" else "light").page("/")
    page.get_by_role("button", name=theme).click()
    expect(page.get_by_role("button", name=theme)).to_have_attribute("aria-pressed", "true")
    eventually("the colour of the page", lambda: page.evaluate(BAR) == [paper(page)])


# The text of each button, including what styles insert before and after it.
SIGNS = """() => [...document.querySelectorAll("button, summary, .button, [role=button], a[data-back]")].flatMap((button) => {
    const words = button.innerText.trim();
    const marks = ["::before", "::after"].map((part) => getComputedStyle(button, part).content);
    return [words, ...marks].filter((text) => /[^\\p{L}\\p{N}\\p{P}\\s]|[•‹›]/u.test(text));
})"""


@pytest.mark.parametrize("path", ["/watchlist", "/watchlist/settings", "/coins/bitcoin", "/alerts", "/displays", "/pulls",
                                  "/repositories?since=0", "/bookmarks", "/settings/github"])
def test_buttons_have_icons_and_no_symbol_characters(path, roost, visit):
    roost.watch("bitcoin", "solana")
    roost.display("Kitchen")
    page = visit(roost).page(path)
    assert page.locator("button").count() > 0
    assert page.evaluate(SIGNS) == []


def test_a_coins_buttons_have_svg_icons(roost, visit):
    roost.watch("bitcoin", "solana", "dogecoin")
    roost.sort("mine")
    page = visit(roost).page("/watchlist")
    masks = page.locator("tr.row").nth(1).locator(".actions button").evaluate_all(
        "all => all.map((button) => getComputedStyle(button, '::before').maskImage)")
    assert len(masks) == 3 and all(".svg" in mask for mask in masks), masks


@pytest.mark.parametrize("path", ["/watchlist", "/alerts", "/displays", "/", "/settings"])
def test_a_printed_page_has_dark_text_and_no_navigation_or_tools(path, roost, visit):
    roost.priced("bitcoin", "solana")
    page = visit(roost, color_scheme="dark").page(path)
    expect(page.locator("nav").first).to_be_visible()
    page.emulate_media(media="print")
    for tool in ("nav", "button:not(th button)", ".button", ".profile", "#floating"):
        assert page.locator(f"{tool}:visible").count() == 0, tool
    expect(page.locator("h1")).to_be_visible()
    for head in page.locator("th button").all():
        expect(head).to_be_visible()
    ink, ground = page.evaluate("() => [getComputedStyle(document.body).color, getComputedStyle(document.body).backgroundColor]")
    assert sum(map(int, re.findall(r"\d+", ink)[:3])) < 150 < 600 < sum(map(int, re.findall(r"\d+", ground)[:3]))


def test_changes_have_a_sign_in_addition_to_a_colour(calm_roost, visit):
    calm_roost.priced("bitcoin", "ethereum", "solana", "cardano")
    page = visit(calm_roost).page("/watchlist")
    for change in page.locator("tr.row .change").all():
        kind = change.get_attribute("class").split()[-1]
        sign = change.locator("[aria-hidden]").text_content()
        assert sign.startswith({"up": "+", "down": "−", "flat": "– "}[kind]), (kind, sign)
        arrow = change.locator("[aria-hidden]").evaluate("(text) => getComputedStyle(text, '::before').borderStyle")
        assert arrow == ("none" if kind == "flat" else "solid"), (kind, arrow)
        assert re.search("in (1 hour|24 hours|7 days)$", change.locator(".sr-only").text_content())
