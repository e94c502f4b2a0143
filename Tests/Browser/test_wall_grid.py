"""A wall's page is composed: for 1 to 24 coins, on screens of four shapes, in every style."""

from urllib.parse import urlencode

import pytest
from alltests import ALL
from visit import screenshot

SCREENS = [(1920, 1080), (1080, 1920), (1024, 768), (3840, 2160)]
COINS = """bitcoin ethereum tether ripple binancecoin usd-coin solana tron staked-ether dogecoin figure-heloc cardano
    bitcoin-cash wrapped-bitcoin leo-token hyperliquid monero chainlink stellar litecoin avalanche-2 zcash pepe
    shiba-inu""".split()

# What is wrong with the page, in words. Ink is where the text lies: its box may be wider, or narrower.
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
    """The wall with so many of the coins, all on one page."""
    fields = {"form": "settings", "perPage": 24, "style": style, "showsClock": "true", **settings}
    return f"/displays/1/preview?{urlencode(fields)}&{urlencode([('coins', coin) for coin in COINS[:count]])}"


@pytest.mark.parametrize("style", ["price", "line", "cap"])
def test_no_count_of_coins_leaves_a_hole_and_a_page_has_one_size_of_price(style, board, visit):
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
    """The largest size in which it fits: here the cells are high enough for any."""
    page = visit(board, viewport={"width": 1920, "height": 1080}).page(preview(9, "price"))
    filled = page.evaluate("""() => Math.max(...[...document.querySelectorAll(".cell")].map((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell.querySelector(".figure [aria-hidden]"));
        const style = getComputedStyle(cell);
        const narrowest = Math.min(...[...document.querySelectorAll(".cell")].map((each) => each.clientWidth));
        return range.getBoundingClientRect().width / (narrowest - parseFloat(style.paddingLeft) * 2);
    }))""")
    assert 0.85 < filled <= 1.01, filled


# For each price how far its point is from the left of its cell.
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


def test_points_stand_under_one_another_where_that_makes_no_price_smaller(board, visit):
    page = visit(board, viewport={"width": 1080, "height": 1920}).page(preview(7))
    points = page.evaluate(POINTS)
    assert len(points) == 7 and max(points) - min(points) < 1.5, points
    size = "figure => getComputedStyle(figure).fontSize"
    before = page.locator(".figure").first.evaluate(size)
    page.evaluate("() => document.querySelectorAll('.pad').forEach((pad) => pad.remove())")
    points = page.evaluate(POINTS)
    assert max(points) - min(points) > 20, points
    assert page.locator(".figure").first.evaluate(size) == before


def test_points_are_not_aligned_where_a_price_would_not_fit(board, visit):
    page = visit(board, viewport={"width": 1920, "height": 1080}).page(preview(9, "price"))
    widths = page.locator(".pad").evaluate_all("pads => pads.map((pad) => pad.getBoundingClientRect().width)")
    assert widths and max(widths) < 1, widths


def test_symbol_price_and_direction_can_be_read_at_a_fifth_of_their_size(board, visit):
    """From three metres a 1080p screen of 43 inches looks as one of 384 pixels does from sixty centimetres."""
    page = visit(board, viewport={"width": 1920, "height": 1080}).page(preview(8))
    sizes = page.evaluate("""() => ["h2", ".figure", ".change"].map((name) =>
        Math.min(...[...document.querySelectorAll(name)].map((each) => parseFloat(getComputedStyle(each).fontSize))))""")
    symbol, price, change = sizes
    assert symbol >= 36 and price >= 70 and change >= 32, sizes


@pytest.mark.parametrize("orientation", ["portrait", "portrait-left", "landscape"])
def test_a_page_is_turned_where_its_screen_does_not_say_how_it_hangs(orientation, board, visit):
    lies = orientation == "landscape"
    size = {"width": 1080, "height": 1920} if lies else {"width": 1920, "height": 1080}
    page = visit(board, viewport=size).page(preview(6, orientation=orientation))
    screenshot(page, f"wall-{orientation}")
    turned = page.evaluate("""() => {
        const { width, height, left, top } = document.body.getBoundingClientRect();
        return [document.getElementById("screen").offsetWidth, width, height, left, top].map(Math.round);
    }""")
    assert turned == [size["height"], size["width"], size["height"], 0, 0]
    # Where the page's own beginning is on the screen: at the right of a page turned to the right.
    clock = page.locator(".clock").bounding_box()
    assert (clock["x"] > size["width"] / 2) == (orientation != "portrait-left"), clock
    assert (clock["y"] > size["height"] / 2) == (orientation == "portrait-left"), clock


def test_a_light_wall_is_light(board, visit):
    page = visit(board).page(preview(8, theme="light", headline="Party today"))
    screenshot(page, "wall-light")
    ground = page.locator("body").evaluate("body => getComputedStyle(body).backgroundColor")
    assert ground == "rgb(247, 246, 243)"
    assert page.locator(".headline").inner_text() == "Party today"
