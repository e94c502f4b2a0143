"""Everything works with the keyboard, and the focus is always visible."""

from accounts import invite
from playwright.sync_api import expect
from program import NOBODY, eventually
from visit import order, row

FOCUS = """() => {
    const element = document.activeElement;
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    const copy = element.cloneNode(true);
    for (const hidden of copy.querySelectorAll("[aria-hidden=true]")) hidden.remove();
    return {
        name: element.getAttribute("aria-label") || copy.textContent.trim() || element.id,
        outline: style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2,
        inside: box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth
            && box.width > 4 && box.height > 4,
        seen: element.checkVisibility({ opacityProperty: true, visibilityProperty: true }),
    };
}"""


# The same after the animation that reveals it. A redraw may restart the animation, so it waits up to two seconds for a
# stop to become visible.
STOP = """async () => {
    const end = performance.now() + 2000;
    const limit = new Promise((resolve) => setTimeout(resolve, 2000));
    for (;;) {
        await new Promise(requestAnimationFrame);
        await Promise.race([limit, Promise.allSettled(document.getAnimations().map((motion) => motion.finished))]);
        const stop = (%s)();
        if (performance.now() > end || (stop.outline && stop.inside && stop.seen)) return stop;
    }
}""" % FOCUS


def walk(page, limit=90):
    """Tabs once through the page; returns the focused elements in order."""
    stops = []
    for _ in range(limit):
        page.keyboard.press("Tab")
        if page.evaluate("() => document.activeElement === document.body"):
            return stops
        stops.append(page.evaluate(STOP))
    raise AssertionError(f"the focus never leaves the page: {[stop['name'] for stop in stops]}")


def test_the_first_tab_stop_skips_to_the_content(calm_roost, visit):
    page = visit(calm_roost).page("/watchlist")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    expect(page.get_by_role("link", name="Skip to content")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.locator("#content")).to_be_focused()
    page.keyboard.press("Tab")
    expect(page.get_by_role("combobox")).to_be_focused()


def test_every_tab_stop_is_visible_and_in_order(calm_roost, visit):
    calm_roost.priced("bitcoin", "solana")
    calm_roost.sort("mine")
    calm_roost.display("Kitchen")
    frame = ["Skip to content", "Roost, home", "Home", "Search", "Pull requests", "Repositories", "Bookmarks",
             "Watchlist", "Reading", "Chat", "Displays", "Settings"]
    wanted = {
        "/": [*frame, "Today", "Arrange the tiles", "Hide the first steps", "Connect GitHub", "Add coins", "Save a page",
              "Invite someone", "Watchlist", "Bitcoin", "Solana", "Arrange Watchlist",
              "Displays in trouble", "Show all", "Arrange Displays in trouble"],
        "/watchlist": [*frame, "q", "Search"],
        "/displays": [*frame, "Kitchen: Settings"],
        "/pulls": frame,
        "/pulls/sections": [*frame, "inbox"],
    }
    tabs = ["Profile", "Dates and numbers", "Security", "Tokens", "Outgoing webhooks", "GitHub", "All my data", "Home", "Inbox",
            "Bookmarks", "Watchlist", "Alerts", "Reading", "Chat notifications", "Displays", "Members", "Invitations", "Sessions",
            "Log", "Webhook addresses", "Status"]
    for path in ("/settings", "/settings/formats", "/settings/security", "/settings/tokens", "/settings/webhooks",
                 "/settings/github", "/settings/data", "/settings/home", "/settings/status", "/members", "/members/invitations",
                 "/members/invitations/1", "/members/sessions", "/members/log", "/members/webhooks"):
        wanted[path] = [*frame, *tabs]
    invite(visit(calm_roost).page())
    page = visit(calm_roost).page()
    for path, first in wanted.items():
        page.goto(path)
        stops = walk(page)
        assert [stop["name"] for stop in stops][:len(first)] == first, path
        assert [stop["name"] for stop in stops][-3:] == ["Auto", "Light", "Dark"], path
        hidden = [stop for stop in stops if not (stop["outline"] and stop["inside"] and stop["seen"])]
        assert hidden == [], path


def test_every_tab_stop_before_signing_in_is_visible(calm_roost, visit):
    link = invite(visit(calm_roost).page())
    page = visit(calm_roost, NOBODY).page("/login")
    for path in ("/login", "/join", link, "/reset/AAAA-BBBB-CCCC-DDDD"):
        page.goto(path)
        page.evaluate("() => document.activeElement.blur()")
        stops = walk(page)
        assert stops, path
        hidden = [stop for stop in stops if not (stop["outline"] and stop["inside"] and stop["seen"])]
        assert hidden == [], path


def test_the_watchlist_works_with_the_keyboard_alone(calm_roost, visit):
    calm_roost.priced("bitcoin", "solana")
    calm_roost.sort("mine")
    page = visit(calm_roost).page("/watchlist")

    def tab_to(name):
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate(FOCUS)["name"] == name:
                return
        raise AssertionError(f"no Tab leads to {name}")

    tab_to("q")
    page.keyboard.type("cardano")
    expect(page.locator("#coin-options [role=option]").first).to_contain_text("Cardano")
    page.keyboard.press("Enter")
    expect(row(page, "cardano")).to_be_visible()
    tab_to("Move Cardano up")
    page.keyboard.press("Space")
    eventually("Cardano second", lambda: order(page) == ["bitcoin", "cardano", "solana"])
    tab_to("Remove Cardano")
    page.keyboard.press("Enter")
    expect(row(page, "cardano")).to_have_count(0)
    expect(page.get_by_role("button", name="Undo").first).to_be_visible()
    expect(page.get_by_role("link", name="Solana", exact=True)).to_be_focused()
    page.keyboard.press("z")
    expect(row(page, "cardano")).to_be_visible()


def test_a_display_is_created_and_changed_with_the_keyboard(calm_roost, visit):
    page = visit(calm_roost).page("/displays")
    page.get_by_label("New display", exact=True).focus()
    page.keyboard.type("Kitchen")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Secret link for Kitchen")).to_be_visible()
    page.get_by_text("Kitchen: Settings").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_label("Seconds per page")).to_be_visible()
