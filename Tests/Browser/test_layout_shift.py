"""Nothing on a page moves while it loads, and nothing moves when a box is ticked."""

import pytest
from playwright.sync_api import expect
from program import NOBODY, Program
from reading import ready
from visit import idle

WATCH = """
    globalThis.shifts = [];
    new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) {
            const moved = entry.sources.map(({ node, previousRect, currentRect }) =>
                [node?.outerHTML ?? node?.nodeValue ?? "", previousRect.y, currentRect.y].join(" | ").slice(0, 200));
            if (!entry.hadRecentInput) globalThis.shifts.push({ value: entry.value, moved });
        }
    }).observe({ type: "layout-shift", buffered: true });
"""
LIMIT = 0.005
# Everything the page requested has arrived and is painted.
SETTLED = """() => document.readyState === "complete" && document.documentElement.classList.contains("js")
    && [...document.images].every((image) => image.complete || image.loading === "lazy")"""
PAINTED = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


@pytest.fixture(scope="module")
def demo():
    demo = Program("demo", "--listen", "127.0.0.1:0", "--assets", ".").start()
    yield demo
    demo.stop()


def first(demo, path, name="id"):
    return demo.get(f"/api/v1/{path}", guest=NOBODY).json["items"][0][name]


def settle(page):
    ready(page)
    page.wait_for_function(SETTLED)
    for _ in range(3):  # for scripts that load when the page is idle
        idle(page)
    page.evaluate(PAINTED)


@pytest.fixture
def opened(demo, visit):
    """Opens a page of the demo without its live changes, which are not part of loading."""
    held = []

    def open_page(path, width):
        browser = visit(demo, NOBODY, viewport={"width": width, "height": 844}, service_workers="block")
        browser.context.add_init_script(WATCH)
        browser.context.route("**/changes?*", lambda route: held.append(route))
        page = browser.page(path)
        settle(page)
        return page

    yield open_page
    for route in held:
        route.abort()


PAGES = ["/", "/pulls", "/repositories", "/repositories?trending=week", "/bookmarks", "/watchlist", "/coins/bitcoin",
         "/alerts", "/reading", "article", "/gists", "chat", "/displays", "/settings", "/settings/github"]


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("path", PAGES)
def test_nothing_moves_while_a_page_loads(path, width, demo, opened):
    if path == "article":
        path = f"/reading/{first(demo, 'articles?list=all')}"
    elif path == "chat":
        # The quietest conversation: in others, the demo's sample users may write at any moment.
        path = f"/chat/{demo.get('/api/v1/conversations', guest=NOBODY).json['items'][-1]['id']}"
    page = opened(path, width)
    shifts = page.evaluate("() => globalThis.shifts")
    assert sum(each["value"] for each in shifts) < LIMIT, shifts


@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize("path", ["/reading", "/bookmarks"])
def test_a_ticked_box_moves_nothing_and_every_row_can_scroll_clear_of_the_bar(path, width, opened):
    page = opened(path, width)
    if path == "/bookmarks" and width == 390:
        page.locator("label.edit").click()
    rows = page.locator(".live :is(.article, .repo)")
    tops = "rows => rows.map((row) => row.getBoundingClientRect().top)"
    before = rows.evaluate_all(tops)
    box = rows.first.get_by_role("checkbox")
    box.check()
    bar = page.locator("#bulk")
    expect(bar).to_be_in_viewport(ratio=1)
    expect(page.locator("#chosen")).to_contain_text("1 selected")
    assert rows.evaluate_all(tops) == before
    for name in ("Add tag", "Remove tag"):
        expect(bar.get_by_role("button", name=name, exact=True)).to_be_visible()
    page.evaluate("""() => {
        scrollTo(0, document.documentElement.scrollHeight);
        const side = document.querySelector(".list-side");
        if (side) side.scrollTop = side.scrollHeight;
    }""")
    last = rows.last.bounding_box()
    assert last["y"] + last["height"] <= bar.bounding_box()["y"], "the last row is under the bar"
    box.uncheck()
    expect(bar).to_be_hidden()


def test_without_scripts_the_bar_appears_with_the_first_tick(demo, visit):
    page = visit(demo, NOBODY, java_script_enabled=False).page("/reading")
    bar = page.locator("#bulk")
    expect(bar).to_be_hidden()
    page.locator(".article").first.get_by_role("checkbox").check()
    expect(bar.get_by_role("button", name="Remove star", exact=True)).to_be_in_viewport()


def test_a_first_visit_to_the_reading_list_stays_within_its_budget_and_pictures_reserve_their_size(opened):
    page = opened("/reading", 1280)
    pictures = page.locator(".article img.picture")
    assert pictures.count() >= 3
    for picture in pictures.all():
        picture.scroll_into_view_if_needed()
    page.wait_for_function("() => [...document.images].every((image) => image.complete)")
    assert all(pictures.evaluate_all("all => all.map((each) => each.naturalWidth > 0 && each.width > 0 && each.height > 0 && each.hasAttribute('width') && each.hasAttribute('height'))"))
    sizes = page.evaluate("""() => Object.fromEntries(["navigation", "resource"].flatMap((type) =>
        performance.getEntriesByType(type).map((each) => [each.name, each.transferSize])))""")
    assert sum(sizes.values()) < 150_000, sizes
