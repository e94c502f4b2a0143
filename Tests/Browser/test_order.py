"""Sorting and the user's own order."""

import pytest
from playwright.sync_api import expect
from program import eventually
from visit import order, row

COINS = ["bitcoin", "ethereum", "solana", "cardano"]


@pytest.fixture
def page(calm_roost, visit):
    calm_roost.priced(*COINS)
    calm_roost.sort("mine")
    return visit(calm_roost).page("/watchlist")


def saved(page):
    return [item["coinId"] for item in page.request.get("/api/v1/watchlist").json()["items"]]


def stays(page, wanted):
    """Waits for this order on the page and on the server, and expects it after a reload."""
    eventually(f"the order {wanted}", lambda: order(page) == wanted)
    eventually("the saved order", lambda: saved(page) == wanted)
    page.reload()
    assert order(page) == wanted


def grip(page, coin):
    row(page, coin).hover()
    return row(page, coin).locator("[data-grip]").bounding_box()


def centre(box):
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def head(page, name):
    return page.locator("th").filter(has=page.get_by_role("button", name=name, exact=True))


def test_column_heads_sort_the_list_in_both_directions(page, calm_roost):
    keys = {
        "Coin": lambda item: item["name"].lower(),
        "Price": lambda item: float(item["currentPrice"]),
        "24 h": lambda item: float(item["priceChange24h"]),
    }

    def sorted_by(key, reverse):
        return [item["coinId"] for item in sorted(calm_roost.items(), key=key, reverse=reverse)]

    for name, directions in {
        "Coin": ("ascending", "descending"),
        "Price": ("descending", "ascending"),
        "24 h": ("descending", "ascending"),
    }.items():
        for direction in directions:
            page.get_by_role("button", name=name, exact=True).click()
            expect(head(page, name)).to_have_attribute("aria-sort", direction)
            assert page.locator("[aria-sort]").count() == 1
            # Another CoinGecko response may still arrive and change the order.
            wanted = lambda: sorted_by(keys[name], direction == "descending")
            eventually(f"{name}, {direction}", lambda: order(page) == wanted())
    page.get_by_role("button", name="My order").click()
    expect(page.get_by_role("button", name="My order")).to_have_attribute("aria-pressed", "true")
    assert order(page) == COINS


def test_a_phone_offers_four_sort_orders(calm_roost, visit):
    calm_roost.priced(*COINS)
    page = visit(calm_roost, viewport={"width": 390, "height": 844}).page("/watchlist")
    for name in ("Name (A-Z)", "Price (High-Low)", "24h Change (Best-Worst)", "My order"):
        page.get_by_role("button", name=name).click()
        expect(page.get_by_role("button", name=name)).to_have_attribute("aria-pressed", "true")
    assert order(page) == COINS


def test_a_coin_is_moved_with_the_keyboard(page):
    page.get_by_role("button", name="Move Cardano up").focus()
    page.keyboard.press("Enter")
    eventually("Cardano third", lambda: order(page) == ["bitcoin", "ethereum", "cardano", "solana"])
    expect(page.get_by_role("button", name="Move Cardano up")).to_be_focused()
    page.keyboard.press("Enter")
    stays(page, ["bitcoin", "cardano", "ethereum", "solana"])
    expect(page.get_by_role("button", name="Move Bitcoin up")).to_be_disabled()
    expect(page.get_by_role("button", name="Move Solana down")).to_be_disabled()


def test_a_coin_is_dragged_with_the_mouse(page):
    start, target = centre(grip(page, "bitcoin")), centre(row(page, "solana").bounding_box())
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0], start[1] + 20, steps=4)
    page.mouse.move(start[0], target[1] + 10, steps=12)
    page.mouse.up()
    stays(page, ["ethereum", "solana", "bitcoin", "cardano"])


def test_escape_puts_a_dragged_coin_back(page):
    start = centre(grip(page, "bitcoin"))
    page.mouse.move(*start)
    page.mouse.down()
    page.mouse.move(start[0], start[1] + 150, steps=10)
    assert order(page) != COINS
    page.keyboard.press("Escape")
    page.mouse.up()
    stays(page, COINS)


def test_a_coin_is_dragged_with_a_finger(calm_roost, visit):
    calm_roost.priced(*COINS)
    calm_roost.sort("mine")
    phone = visit(calm_roost, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = phone.page("/watchlist")
    page.locator("label.edit").tap()
    session = phone.context.new_cdp_session(page)
    handle = row(page, "cardano").locator("[data-grip]")
    expect(handle).to_be_visible()
    x, y = centre(handle.bounding_box())
    top = row(page, "bitcoin").bounding_box()["y"] + 4

    def touch(kind, *points):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": a, "y": b} for a, b in points]})

    touch("touchStart", (x, y))
    for step in range(1, 13):
        touch("touchMove", (x, y + (top - y) * step / 12))
    touch("touchEnd")
    stays(page, ["cardano", "bitcoin", "ethereum", "solana"])


def test_a_sorted_list_has_no_drag_handles(page):
    page.get_by_role("button", name="Coin", exact=True).click()
    expect(head(page, "Coin")).to_have_attribute("aria-sort", "ascending")
    row(page, "bitcoin").hover()
    expect(row(page, "bitcoin").locator("[data-grip]")).to_be_hidden()
    expect(page.get_by_role("button", name="Move Bitcoin up")).to_have_count(0)
