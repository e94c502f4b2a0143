"""The wall fits its screen: nothing scrolls, no figure is cut off."""

import pytest
from visit import overflow, screenshot

SCREENS = [(1920, 1080), (3840, 2160), (1024, 600), (390, 844)]
ODD = """bitcoin whole-house speck-of-dust pepe zero-hour sleepy-otter zero-width-family
    the-coin-whose-name-goes-on-and-on-until-every-table-has-to-wrap-it""".split()
EIGHT = "bitcoin ethereum solana chainlink dogecoin pepe monero arweave".split()
TWENTY = EIGHT + """tether ripple binancecoin usd-coin tron cardano bitcoin-cash litecoin stellar zcash sui
    shiba-inu""".split()

# Measures the glyphs and not their box, which may be wider or narrower.
CUT_OFF = """() => {
    const inside = (inner, outer) => inner.left >= outer.left - 1 && inner.right <= outer.right + 1
        && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
    const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
    const ink = (element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return range.getBoundingClientRect();
    };
    const visible = (element) => element.checkVisibility() && ink(element).width > 0;
    const wrong = [];
    const judge = (element, frame) => {
        if (visible(element) && !(inside(ink(element), frame) && inside(ink(element), screen)))
            wrong.push(`${element.className || element.tagName}: ${element.textContent}`);
    };
    for (const cell of document.querySelectorAll(".cell")) {
        if (!cell.checkVisibility()) continue;
        const frame = cell.getBoundingClientRect();
        if (!inside(frame, screen)) wrong.push(`cell ${cell.dataset.key}`);
        for (const part of cell.querySelectorAll(".figure [aria-hidden], .figure .none, .change [aria-hidden]"))
            judge(part, frame);
        const parts = ["h2", ".subtitle", ".figure", ".spark"].map((name) => cell.querySelector(name));
        const boxes = parts.filter((part) => part).map((part) => part.getBoundingClientRect());
        for (let index = 1; index < boxes.length; index += 1)
            if (boxes[index].top < boxes[index - 1].top) wrong.push(`order in ${cell.dataset.key}`);
    }
    for (const part of document.querySelectorAll(".clock, .today, .age time, .age .reason")) judge(part, screen);
    return wrong;
}"""


@pytest.mark.parametrize("coins", [["bitcoin"], EIGHT, TWENTY, ODD], ids=["one", "eight", "twenty", "odd"])
def test_the_wall_fits_every_screen(coins, calm_roost, visit):
    calm_roost.priced(*coins)
    calm_roost.sort("mine")
    link = calm_roost.display()
    for width, height in SCREENS:
        page = visit(calm_roost, viewport={"width": width, "height": height}).page(link)
        screenshot(page, f"wall-{len(coins)}{'-odd' if coins is ODD else ''}-{width}x{height}")
        assert overflow(page) == [0, 0], (width, height)
        assert page.evaluate(CUT_OFF) == [], (width, height)
        page.close()


def test_a_page_with_short_prices_shows_them_larger(calm_roost, visit):
    def size(page):
        return page.locator(".figure").first.evaluate("each => parseFloat(getComputedStyle(each).fontSize)")

    calm_roost.priced("solana", "chainlink")
    page = visit(calm_roost).page(calm_roost.display())
    alone = size(page)
    calm_roost.priced("bitcoin")
    calm_roost.ask("DELETE", calm_roost.coin_path("solana"))
    page.reload()
    assert page.locator(".cell").count() == 2 and size(page) < alone


def test_prices_are_readable_from_five_metres_at_1080p(calm_roost, visit):
    """Five metres need letters of 20 mm; a 43-inch 1080p screen has 2 pixels per millimetre."""
    calm_roost.priced(*EIGHT)
    page = visit(calm_roost, viewport={"width": 1920, "height": 1080}).page(calm_roost.display())
    sizes = page.locator(".figure").evaluate_all("all => all.map((each) => parseFloat(getComputedStyle(each).fontSize))")
    assert min(sizes) >= 56, sizes


def test_changing_figures_keep_their_position(calm_roost, visit):
    calm_roost.priced("bitcoin")
    page = visit(calm_roost).page(calm_roost.display())
    style = page.locator(".figure").evaluate("element => getComputedStyle(element).fontVariantNumeric")
    assert "tabular-nums" in style
