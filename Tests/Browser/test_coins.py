"""A coin's page: its chart with pointer, finger and keys."""

import re

import pytest
from playwright.sync_api import expect
from program import eventually
from visit import is_marked, mark


@pytest.fixture
def page(calm_roost, visit):
    calm_roost.priced("bitcoin")
    page = visit(calm_roost).page("/coins/bitcoin")
    expect(reader(page)).to_be_visible()
    return page


def reader(page):
    return page.get_by_role("slider", name="Price in the chart")


def value(page):
    return page.locator(".chart-value")


def points(page):
    return page.locator("[data-chart]").get_attribute("data-chart").split("|")


def at(page):
    return int(reader(page).get_attribute("aria-valuenow"))


def test_the_arrow_keys_read_the_chart(page):
    last = len(points(page)) - 1
    reader(page).focus()
    assert at(page) == last
    expect(value(page)).to_contain_text(points(page)[last].split(" ", 1)[1])
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert at(page) == last - 2
    price = points(page)[last - 2].split(" ", 1)[1]
    expect(value(page)).to_contain_text(price)
    assert reader(page).get_attribute("aria-valuetext").startswith(f"{price}, ")
    page.keyboard.press("PageUp")
    assert at(page) == last
    page.keyboard.press("Home")
    assert at(page) == 0
    page.keyboard.press("ArrowLeft")
    assert at(page) == 0
    page.keyboard.press("End")
    assert at(page) == last


def test_the_value_disappears_with_the_focus(page):
    reader(page).focus()
    expect(value(page)).to_be_visible()
    page.keyboard.press("Tab")
    expect(value(page)).to_be_hidden()


def test_the_pointer_reads_the_nearest_point(page):
    box = reader(page).bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + 1, middle)
    expect(value(page)).to_contain_text(points(page)[0].split(" ", 1)[1])
    page.mouse.move(box["x"] + box["width"] - 1, middle)
    # The last point is now and the one before it a full hour: they may be less than a pixel apart.
    prices = [point.split(" ", 1)[1] for point in points(page)[-2:]]
    expect(value(page)).to_contain_text(re.compile("|".join(map(re.escape, prices))))
    inner = value(page).bounding_box()
    assert inner["x"] + inner["width"] <= box["x"] + box["width"] + 1
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] - 200)
    expect(value(page)).to_be_hidden()


def test_a_finger_reads_the_chart_and_the_page_still_scrolls(calm_roost, visit):
    calm_roost.priced("bitcoin")
    phone = visit(calm_roost, viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    page = phone.page("/coins/bitcoin")
    reader(page).tap(position={"x": 3, "y": 40})
    expect(value(page)).to_contain_text(points(page)[0].split(" ", 1)[1])
    assert reader(page).evaluate("element => getComputedStyle(element).touchAction") == "pan-y"


def test_a_redraw_keeps_the_selected_point_and_the_focus(page, calm_roost):
    mark(page)
    reader(page).focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    before = at(page)
    page.evaluate("() => document.addEventListener('roost:morphed', () => { document.body.dataset.morphed = ''; }, { once: true })")
    calm_roost.watch("solana")
    expect(page.locator("body[data-morphed]")).to_be_attached()
    expect(reader(page)).to_be_focused()
    assert at(page) == before
    # As if an element were inserted above the chart: a moved element loses the focus.
    page.evaluate("""() => {
        const [read, chart] = [document.activeElement, document.querySelector("[data-chart]")];
        chart.parentElement.append(chart);
        read.focus();
    }""")
    expect(reader(page)).to_be_focused()
    assert at(page) == before
    expect(value(page)).to_be_visible()
    # As if the chart had disappeared for a moment: a new element replaces it.
    page.evaluate("""() => {
        const chart = document.querySelector("[data-chart]");
        const drawn = chart.cloneNode(true);
        drawn.querySelectorAll("[data-owned]").forEach((made) => made.remove());
        chart.replaceWith(drawn);
        document.dispatchEvent(new CustomEvent("roost:morphed", { detail: document.body }));
    }""")
    expect(reader(page)).to_be_focused()
    assert at(page) == before
    expect(value(page)).to_be_visible()
    assert is_marked(page)


def test_a_redraw_does_not_take_the_focus(page, calm_roost):
    reader(page).focus()
    page.keyboard.press("Tab")
    expect(value(page)).to_be_hidden()
    page.evaluate("""() => {
        document.activeElement.blur();
        document.dispatchEvent(new CustomEvent("roost:morphed", { detail: document.body }));
    }""")
    expect(reader(page)).not_to_be_focused()


def test_a_range_is_a_link(page):
    page.get_by_role("link", name="30 days").click()
    expect(page).to_have_url(re.compile(r"/coins/bitcoin\?range=30d$"))
    expect(page.get_by_role("link", name="30 days")).to_have_attribute("aria-current", "true")
    expect(page.locator("[data-chart]")).to_be_visible()


def test_without_scripts_the_chart_is_a_picture_with_a_table(calm_roost, visit):
    calm_roost.priced("bitcoin")
    eventually("the chart", lambda: "data-chart" in calm_roost.get("/coins/bitcoin").text)
    page = visit(calm_roost, java_script_enabled=False).page("/coins/bitcoin")
    expect(page.get_by_role("img", name=re.compile("^Price over 7 days"))).to_be_visible()
    expect(page.get_by_role("slider")).to_have_count(0)
    page.get_by_text("Show as table").click()
    expect(page.locator(".chart-table tbody tr")).to_have_count(30)
    page.get_by_text("Add note").click()
    page.get_by_label("Category").fill("Layer 1")
    page.locator("#note").get_by_role("button", name="Save").click()
    expect(page.locator("#note")).to_contain_text("Category: Layer 1")
    expect(page.get_by_label("Category")).to_be_hidden()


def test_a_card_is_one_line_until_its_form_is_opened(page):
    cards = page.locator(".coin-side > .panel")
    assert cards.count() == 5
    for card in cards.all():
        assert card.bounding_box()["height"] < 64, card.text_content()
    page.get_by_text("Add holding").click()
    expect(page.get_by_label("Amount")).to_be_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_the_figures_fill_one_grid(width, page, calm_roost):
    assert calm_roost.ask("POST", "/coins/bitcoin/holdings", "amount=2").status == 303
    page.set_viewport_size({"width": width, "height": 900})
    page.reload()
    expect(page.locator(".figures .held")).to_be_visible()
    frame = page.locator(".figures").bounding_box()
    boxes = page.locator(".figures > div").evaluate_all("all => all.map((each) => each.getBoundingClientRect().toJSON())")
    rows = {}
    for each in boxes:
        rows.setdefault(round(each["top"]), []).append(each["width"])
    for widths in rows.values():
        assert abs(sum(widths) + len(widths) - 1 - frame["width"]) < 4, rows


def test_a_row_leads_to_the_coins_page_and_back(calm_roost, visit):
    calm_roost.priced("bitcoin")
    page = visit(calm_roost).page("/watchlist")
    page.get_by_role("link", name="Bitcoin", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Bitcoin")
    page.locator(".coin-back a").click()
    expect(page).to_have_url(re.compile("/watchlist$"))


LABELS = """() => [...document.querySelectorAll(".chart text")].filter((text) => getComputedStyle(text).display !== "none").map((text) => {
    const { left, right, top, bottom } = text.getBoundingClientRect();
    const { fill, stroke, fontSize } = getComputedStyle(text);
    const scale = text.ownerSVGElement.getBoundingClientRect().width / 640;
    return { left, right, top, bottom, size: parseFloat(fontSize) * scale, ink: fill, around: stroke };
})"""


def luminance(color):
    parts = [int(part) / 255 for part in re.findall(r"\d+", color)[:3]]
    red, green, blue = (part / 12.92 if part <= .04045 else ((part + .055) / 1.055) ** 2.4 for part in parts)
    return .2126 * red + .7152 * green + .0722 * blue


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("span", ["24h", "7d", "1y"])
def test_the_labels_of_the_axes_are_legible_on_a_phone(scheme, span, calm_roost, visit):
    calm_roost.priced("bitcoin")
    eventually("the chart", lambda: "data-chart" in calm_roost.get(f"/coins/bitcoin?range={span}").text)
    page = visit(calm_roost, viewport={"width": 390, "height": 844}, color_scheme=scheme).page(f"/coins/bitcoin?range={span}")
    labels = page.evaluate(LABELS)
    assert len(labels) >= 4
    for label in labels:
        lighter, darker = sorted((luminance(label["ink"]), luminance(label["around"])), reverse=True)
        assert (lighter + .05) / (darker + .05) >= 4.5
        assert label["size"] >= 12 and label["left"] >= 0 and label["right"] <= 390
    for at, one in enumerate(labels):
        for other in labels[at + 1:]:
            assert (one["right"] <= other["left"] or other["right"] <= one["left"] or one["bottom"] <= other["top"]
                    or other["bottom"] <= one["top"]), (one, other)
