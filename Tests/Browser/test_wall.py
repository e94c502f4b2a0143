"""The wall: a page that is left alone for days."""

import shutil

import pytest
from playwright.sync_api import expect
from program import ROOT, eventually
from visit import is_marked, mark

MANY = """bitcoin ethereum tether ripple binancecoin usd-coin solana tron dogecoin cardano bitcoin-cash wrapped-bitcoin
    monero chainlink stellar litecoin avalanche-2 zcash shiba-inu sui""".split()


def cell(page, coin):
    return page.locator(f'.cell[data-key="{coin}"]')


def figure(page, coin):
    return cell(page, coin).locator("data").get_attribute("value")


def shown(page):
    return page.locator("section.page:not([hidden]) .cell").evaluate_all("cells => cells.map((cell) => cell.dataset.key)")


def set_up(roost, name, seconds):
    """Sets how long the only display shows a page."""
    answer = roost.ask("POST", "/displays/1", f"name={name}&secondsPerPage={seconds}")
    assert answer.status == 303, answer.text


def test_prices_arrive_by_themselves(roost, visit):
    roost.priced("bitcoin")
    page = visit(roost).page(roost.display())
    mark(page)
    before = figure(page, "bitcoin")
    eventually("a new price", lambda: figure(page, "bitcoin") != before)
    assert is_marked(page)


def test_a_coin_added_elsewhere_appears(calm_roost, visit):
    page = visit(calm_roost).page(calm_roost.display())
    expect(page.locator(".nothing")).to_contain_text("The watchlist is empty.")
    calm_roost.watch("bitcoin")
    expect(cell(page, "bitcoin")).to_be_visible()
    expect(page.locator(".nothing")).to_have_count(0)


def test_the_last_screen_stays_through_a_restart_and_recovers_by_itself(roost, visit):
    roost.priced("bitcoin", "solana")
    page = visit(roost).page(roost.display())
    pages = []
    page.on("framenavigated", lambda frame: pages.append(frame.url))
    mark(page)
    host = roost.host
    roost.kill()
    expect(page.locator("#banner")).to_contain_text("Roost hasn’t responded since")
    expect(page.locator("#banner")).to_contain_text("Showing the last prices.")
    before = figure(page, "bitcoin")
    expect(cell(page, "solana")).to_be_visible()
    roost.listen(host)
    roost.start()
    expect(page.locator("#banner")).to_be_empty(timeout=20_000)
    eventually("a new price", lambda: figure(page, "bitcoin") != before)
    assert is_marked(page) and pages == []


def test_a_new_version_is_loaded_once_it_answers(roost, make_roost, visit, tmp_path):
    roost.priced("bitcoin")
    page = visit(roost).page(roost.display())
    version = page.locator("body").get_attribute("data-version")
    mark(page)
    host = roost.host
    roost.stop()
    assets = tmp_path / "assets"
    shutil.copytree(ROOT / "Public", assets / "Public")
    with open(assets / "Public" / "css" / "wall.css", "a", encoding="utf-8") as style:
        style.write("\n.newer { color: inherit; }\n")
    roost.listen(host)
    roost.arguments += ["--assets", str(assets)]
    roost.start()
    body = page.locator("body")
    eventually("the new version", lambda: body.get_attribute("data-version") != version, 25)
    expect(cell(page, "bitcoin")).to_be_visible()
    assert not is_marked(page)


def test_a_withdrawn_link_keeps_the_screen_and_says_so(roost, visit):
    roost.priced("bitcoin")
    old = roost.display()
    page = visit(roost).page(old)
    mark(page)
    renewed = roost.ask("POST", "/displays/1/link", "")
    assert renewed.status == 303
    expect(page.locator("#banner")).to_contain_text("The link of this display has ended.")
    expect(cell(page, "bitcoin")).to_be_visible()
    assert is_marked(page)
    assert roost.get(old).status == 404
    assert roost.get(roost.link(renewed.headers["Location"])).status == 200


def test_a_removed_display_keeps_the_screen_and_says_so(roost, visit):
    roost.priced("bitcoin")
    page = visit(roost).page(roost.display())
    assert roost.ask("POST", "/displays/1/remove", "").status == 303
    expect(page.locator("#banner")).to_contain_text("The link of this display has ended.")
    expect(cell(page, "bitcoin")).to_be_visible()


def test_twenty_coins_rotate_through_pages_of_one_shape(calm_roost, visit):
    calm_roost.priced(*MANY)
    calm_roost.sort("mine")
    link = calm_roost.display("Wall")
    set_up(calm_roost, "Wall", 5)
    page = visit(calm_roost).page(link)
    seen = []

    def look():
        if not seen or seen[-1] != shown(page):
            seen.append(shown(page))
        return len(seen) == 4

    eventually("four pages", look, 25)
    assert sum(seen[:3], []) == MANY
    assert seen[3] == seen[0]
    expect(page.locator(".dots li")).to_have_count(3)


def test_an_outage_of_coingecko_greys_the_wall_and_says_why(roost, simulator, visit):
    roost.priced("bitcoin")
    page = visit(roost).page(roost.display())
    simulator.inject("500")
    expect(page.locator(".age .reason")).to_have_text("CoinGecko is temporarily unavailable. Please try again later.")
    expect(page.locator(".age")).to_have_class("age freshness-stale")
    colour = "element => getComputedStyle(element).color"
    expect(cell(page, "bitcoin")).to_be_visible()
    eventually("grey figures", lambda: cell(page, "bitcoin").locator(".figure").evaluate(colour)
               == page.locator(".top").evaluate(colour))


def test_red_up_turns_the_colours_without_a_reload(calm_roost, visit):
    calm_roost.priced("bitcoin", "solana", "dogecoin")
    page = visit(calm_roost).page(calm_roost.display("Wall"))
    mark(page)
    change = page.locator(".change.up, .change.down").first
    colour = change.evaluate("element => getComputedStyle(element).color")
    assert calm_roost.ask("POST", "/displays/1", "name=Wall&secondsPerPage=15&redIsUp=true").status == 303
    eventually("another colour", lambda: change.evaluate("element => getComputedStyle(element).color") != colour)
    assert is_marked(page)


@pytest.mark.parametrize("path", ["", "/screen", "/changes?cursor=x"])
def test_a_wrong_link_opens_nothing(path, roost):
    assert roost.get(f"/display/{'x' * 22}{path}").status == 404
