"""A wall's layout for 1 to 24 coins, on screens of four shapes, in every style."""

from urllib.parse import urlencode

import pytest
from alltests import ALL
from visit import screenshot

SCREENS = [(1920, 1080), (1080, 1920), (1024, 768), (3840, 2160)]
COINS = """bitcoin ethereum tether ripple binancecoin usd-coin solana tron staked-ether dogecoin figure-heloc cardano
    bitcoin-cash wrapped-bitcoin leo-token hyperliquid monero chainlink stellar litecoin avalanche-2 zcash pepe
    shiba-inu""".split()

# Describes the page's faults. "Ink" is the area that the glyphs cover, which may be wider or narrower than their box.
WRONG = """() => {
    const page = document.querySelector("section.page");
    const frame = page.getBoundingClientRect();
    const gap = parseFloat(getComputedStyle(page).gap);
    const cells = [...page.querySelectorAll(".cell")];
    const wrong = [];
    const rows = new Map();
    for (const cell of cells) {
        const box = cell.getBoundingClientRect();
        rows.set(Math.round(box.top), [...(rows.get(Math.round(box.top)) ?? []), box]);
    }
    const share = (boxes, side, whole) => boxes.reduce((sum, box) => sum + box[side] + gap, -gap) / whole;
    const shares = [...rows.values()].map((row) => share(row, "width", frame.width));
    shares.push(share([...rows.values()].map(([first]) => first), "height", frame.height));
    if (Math.min(...shares) < 0.995 || Math.max(...shares) > 1.005) wrong.push(`a hole: ${shares}`);
    for (const row of rows.values()) {
        const areas = row.map((box) => box.width * box.height);
        if (Math.max(...areas) > 1.01 * Math.min(...areas)) wrong.push(`areas of a row: ${areas}`);
    }
    const sizes = new Set(cells.map((cell) => getComputedStyle(cell.querySelector(".figure")).fontSize));
    if (sizes.size !== 1) wrong.push(`sizes: ${[...sizes]}`);
    const ink = (element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return range.getBoundingClientRect();
    };
    for (const cell of cells) {
        const box = cell.getBoundingClientRect();
        for (const part of cell.querySelectorAll("h2, .figure [aria-hidden], .change [aria-hidden], .cap")) {
            const { left, right, top, bottom } = ink(part);
            if (left < box.left - 1 || right > box.right + 1 || top < box.top - 1 || bottom > box.bottom + 1)
                wrong.push(`outside: ${part.textContent}`);
        }
        const parts = ["h2", ".subtitle", ".figure", ".spark", ".cap"].map((name) => cell.querySelector(name));
        const boxes = parts.filter((part) => part).map((part) => part.getBoundingClientRect());
        for (let index = 1; index < boxes.length; index += 1)
            if (boxes[index].top < boxes[index - 1].bottom - 3) wrong.push(`overlap in ${cell.dataset.key}`);
    }
    if (document.documentElement.scrollHeight > innerHeight || document.documentElement.scrollWidth > innerWidth)
        wrong.push("the page scrolls");
    return wrong;
}"""


@pytest.fixture(scope="module")
def board(shared_roost):
    """A display of 24 coins."""
    shared_roost.priced(*COINS)
    shared_roost.sort("mine")
    shared_roost.display("Wall")
    return shared_roost


def preview(count, style="line", **settings):
    """The path of a preview with this many coins on one page."""
    fields = {"form": "settings", "pages": "coins", "perPage": 24, "style": style, "showsClock": "true", **settings}
    return f"/displays/1/preview?{urlencode(fields)}&{urlencode([('coins', coin) for coin in COINS[:count]])}"


@pytest.mark.parametrize("style", ["price", "line", "cap"])
def test_every_count_of_coins_fills_the_grid_and_prices_on_a_page_have_one_size(style, board, visit):
    page = visit(board).page(preview(1, style))
    for count in range(1, 25) if ALL else (1, 2, 5, 7, 8, 13, 24):
        page.goto(preview(count, style))
        assert page.locator(".cell").count() == count
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate(WRONG) == [], (count, width, height)
            if count in (1, 7, 8, 24):
                screenshot(page, f"wall-{style}-{count}-{width}x{height}")


def test_the_longest_price_fills_its_cell(board, visit):
    """The price has the largest size that fits; these cells are high enough for any."""
    page = visit(board, viewport={"width": 1920, "height": 1080}).page(preview(9, "price"))
    filled = page.evaluate("""() => Math.max(...[...document.querySelectorAll(".cell")].map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell.querySelector(".figure [aria-hidden]"));
        const style = getComputedStyle(cell);
        const narrowest = Math.min(...[...document.querySelectorAll(".cell")].map((each) => each.clientWidth));
        return range.getBoundingClientRect().width / (narrowest - parseFloat(style.paddingLeft) * 2);
    }))""")
    assert 0.85 < filled <= 1.01, filled


# The distance of each price's decimal point from the left edge of its cell.
POINTS = """() => [...document.querySelectorAll(".figure [aria-hidden]")].map((price) => {
    const nodes = document.createTreeWalker(price, NodeFilter.SHOW_TEXT);
    while (nodes.nextNode()) {
        const at = nodes.currentNode.data.indexOf(".");
        if (at < 0) continue;
        const range = document.createRange();
        range.setStart(nodes.currentNode, at);
        range.setEnd(nodes.currentNode, at + 1);
        return range.getBoundingClientRect().left - price.closest(".cell").getBoundingClientRect().left;
    }
})"""


def test_decimal_points_align_if_no_price_gets_smaller(board, visit):
    page = visit(board, viewport={"width": 1080, "height": 1920}).page(preview(7))
    points = page.evaluate(POINTS)
    assert len(points) == 7 and max(points) - min(points) < 1.5, points
    size = "figure => getComputedStyle(figure).fontSize"
    before = page.locator(".figure").first.evaluate(size)
    page.evaluate("() => document.querySelectorAll('.pad').forEach((pad) => pad.remove())")
    points = page.evaluate(POINTS)
    assert max(points) - min(points) > 20, points
    assert page.locator(".figure").first.evaluate(size) == before


def test_decimal_points_do_not_align_if_a_price_would_not_fit(board, visit):
    page = visit(board, viewport={"width": 1920, "height": 1080}).page(preview(9, "price"))
    widths = page.locator(".pad").evaluate_all("pads => pads.map((pad) => pad.getBoundingClientRect().width)")
    assert widths and max(widths) < 1, widths


def test_symbol_price_and_direction_are_readable_at_a_fifth_of_their_size(board, visit):
    """A 43-inch 1080p screen three metres away looks like one of 384 pixels at 60 cm."""
    page = visit(board, viewport={"width": 1920, "height": 1080}).page(preview(8))
    sizes = page.evaluate("""() => ["h2", ".figure", ".change"].map((name) =>
        Math.min(...[...document.querySelectorAll(name)].map((each) => parseFloat(getComputedStyle(each).fontSize))))""")
    symbol, price, change = sizes
    assert symbol >= 36 and price >= 70 and change >= 32, sizes


@pytest.mark.parametrize("orientation", ["portrait", "portrait-left", "landscape"])
def test_a_page_is_rotated_if_the_screen_does_not_report_its_orientation(orientation, board, visit):
    lies = orientation == "landscape"
    size = {"width": 1080, "height": 1920} if lies else {"width": 1920, "height": 1080}
    page = visit(board, viewport=size).page(preview(6, orientation=orientation))
    screenshot(page, f"wall-{orientation}")
    turned = page.evaluate("""() => {
        const { width, height, left, top } = document.body.getBoundingClientRect();
        return [document.getElementById("screen").offsetWidth, width, height, left, top].map(Math.round);
    }""")
    assert turned == [size["height"], size["width"], size["height"], 0, 0]
    # Where the page's start edge is on the screen: on the right if the page is rotated clockwise.
    clock = page.locator(".clock").bounding_box()
    assert (clock["x"] > size["width"] / 2) == (orientation != "portrait-left"), clock
    assert (clock["y"] > size["height"] / 2) == (orientation == "portrait-left"), clock


def test_a_light_wall_has_a_light_background(board, visit):
    page = visit(board).page(preview(8, theme="light", headline="Party today"))
    screenshot(page, "wall-light")
    ground = page.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
    assert ground == "rgb(247, 246, 243)"
    assert page.locator(".headline").inner_text() == "Party today"
