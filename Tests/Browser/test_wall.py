"""The wall: a page that runs for days unattended."""

import re
import shutil

import pytest
from playwright.sync_api import expect
from program import ROOT, eventually
from visit import RECOVERY, is_marked, mark

MANY = """bitcoin ethereum tether ripple binancecoin usd-coin solana tron dogecoin cardano bitcoin-cash wrapped-bitcoin
    monero chainlink stellar litecoin avalanche-2 zcash shiba-inu sui""".split()


def cell(page, coin):
    return page.locator(f'.cell[data-key="{coin}"]')


def figure(page, coin):
    return cell(page, coin).locator("data").get_attribute("value")


def shown(page):
    return page.locator("section.page:not([hidden]) .cell").evaluate_all("cells => cells.map((cell) => cell.dataset.key)")


def set_up(roost, name, seconds):
    """Sets the seconds per page of the only display."""
    answer = roost.ask("POST", "/displays/1", f"name={name}&secondsPerPage={seconds}")
    assert answer.status == 303, answer.text


def test_prices_update_live(roost, visit):
    roost.priced("bitcoin")
    page = visit(roost).page(roost.display())
    mark(page)
    before = figure(page, "bitcoin")
    eventually("a new price", lambda: figure(page, "bitcoin") != before)
    assert is_marked(page)


def test_a_wall_keeps_its_prices_through_a_restart_and_recovers(roost, visit):
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
    expect(page.locator("#banner")).to_be_empty(timeout=RECOVERY)
    eventually("a new price", lambda: figure(page, "bitcoin") != before)
    assert is_marked(page) and pages == []


def test_the_dot_turns_amber_at_once_when_the_server_is_down(calm_roost, visit):
    calm_roost.priced("bitcoin")
    page = visit(calm_roost).page(calm_roost.display())
    colour = "element => getComputedStyle(element).backgroundColor"
    dot = page.locator(".age .dot")
    expect(page.locator(".age")).to_have_class("age freshness-live")
    live = dot.evaluate(colour)
    host = calm_roost.host
    calm_roost.kill()
    # The first failed poll turns the dot amber; the banner appears after the second.
    expect(page.locator("html")).to_have_class(re.compile(r"\boffline\b"))
    amber = dot.evaluate(colour)
    assert amber != live and amber == page.locator(".age").evaluate("element => getComputedStyle(element).color")
    expect(page.locator("#screen")).not_to_contain_text("next")
    calm_roost.listen(host)
    calm_roost.start()
    expect(page.locator("html")).not_to_have_class(re.compile(r"\boffline\b"), timeout=RECOVERY)
    eventually("a green dot", lambda: dot.evaluate(colour) == live)


# From the start of a page, records price changes as [before, after].
FOLLOW = """
    globalThis.changes = [];
    new MutationObserver((all) => all.forEach(({ oldValue, target }) => changes.push([oldValue, target.getAttribute("value")])))
        .observe(document, { subtree: true, attributeFilter: ["value"], attributeOldValue: true });
"""
# Current tints as [direction, the price's value, a figure].
TINTED = """() => ["rise", "fall"].flatMap((way) => [...(CSS.highlights.get(way) ?? [])].map((range) =>
    [way, range.startContainer.parentElement.closest("data").getAttribute("value"), range.toString()]))"""


@pytest.mark.parametrize("place", ["wall", "watchlist"])
def test_changed_figures_are_tinted_by_direction(place, roost, visit):
    roost.priced("bitcoin", "solana", "ethereum")
    browser = visit(roost)
    browser.context.add_init_script(FOLLOW)
    page = browser.page(roost.display() if place == "wall" else "/watchlist")
    tinted = eventually("a tint", lambda: page.evaluate(TINTED))
    before = dict(reversed(change) for change in page.evaluate("changes"))
    for way, value, figure in tinted:
        assert len(figure) == 1
        assert (float(value) > float(before[value])) == (way == "rise"), (way, value, before)
    box = page.locator("[data-flash]").first
    assert box.evaluate("price => [getComputedStyle(price).backgroundColor, getComputedStyle(price).boxShadow]") == [
        "rgba(0, 0, 0, 0)", "none"]
    assert box.evaluate("price => getComputedStyle(price).animationName") == "none"


def test_an_unchanged_figure_is_not_tinted(roost, visit):
    page = visit(roost).page("/displays")
    page.evaluate("""async () => {
        const { Tints } = await import(document.querySelector("script[src]").src.replace(/[^/]+$/, "tints.js"));
        const main = document.querySelector("main");
        main.innerHTML = '<data data-flash value="1204.5">$1,204.50</data>';
        new Tints().start();
        main.firstChild.setAttribute("value", "1254.6");
        main.firstChild.firstChild.nodeValue = "$1,254.60";
        document.dispatchEvent(new CustomEvent("roost:morphed", { detail: main }));
    }""")
    assert [(way, figure) for way, _, figure in page.evaluate(TINTED)] == [("rise", "5"), ("rise", "6")]
    eventually("the end of the tint", lambda: page.evaluate(TINTED) == [])


def test_nothing_is_tinted_with_reduced_motion(roost, visit):
    roost.priced("bitcoin")
    browser = visit(roost, reduced_motion="reduce")
    browser.context.add_init_script(FOLLOW)
    page = browser.page(roost.display())
    eventually("a change", lambda: page.evaluate("changes.length") > 0)
    assert page.evaluate(TINTED) == []


def test_a_wall_reloads_once_for_a_new_version(roost, make_roost, visit, tmp_path):
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
    eventually("the new version", lambda: body.get_attribute("data-version") != version, 60)
    expect(cell(page, "bitcoin")).to_be_visible()
    assert not is_marked(page)


def test_a_revoked_link_keeps_the_prices_and_is_reported(roost, visit):
    roost.priced("bitcoin")
    old = roost.display()
    page = visit(roost).page(old)
    mark(page)
    renewed = roost.ask("POST", "/displays/1/link", "")
    assert renewed.status == 303
    expect(page.locator("#banner")).to_contain_text("This display’s link no longer works.")
    expect(cell(page, "bitcoin")).to_be_visible()
    assert is_marked(page)
    assert roost.get(old).status == 404
    assert roost.get(roost.link(renewed.headers["Location"])).status == 200


def test_twenty_coins_rotate_through_pages_of_equal_layout(calm_roost, visit):
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

    eventually("four pages", look, 60)
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
