"""The demo's page of components: it fits, and stays readable in high contrast and with a contrast theme of the system."""

import pytest
from looks import looks_right, violations
from playwright.sync_api import expect
from program import Program
from test_budget import costs_little, heard
from visit import Visit, overflow

PATH = "/settings/components"


@pytest.fixture(scope="module")
def demo():
    demo = Program("demo", "--listen", "127.0.0.1:0", "--assets", ".").start()
    yield demo
    demo.stop()


@pytest.fixture
def open_page(browser, demo):
    visits = []

    def opened(path=PATH, **options):
        visits.append(Visit(browser, demo.url, **options))
        return visits[-1].page(path)

    yield opened
    for visit in visits:
        visit.close()


def test_the_settings_lead_to_all_components(open_page):
    page = open_page("/settings")
    page.get_by_role("link", name="Components", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Components")
    looks_right(page, "components")
    page.get_by_role("button", name="Open menu").click()
    expect(page.locator("#sample-menu")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator("#sample-menu")).to_be_hidden()


def test_the_page_stays_within_its_budget(open_page, demo):
    page = open_page("about:blank", service_workers="block")
    bodies = heard(page)
    page.goto(demo.url + PATH)
    expect(page.locator("html.js")).to_be_attached()
    costs_little(bodies)


COLOURS = """() => [getComputedStyle(document.querySelector(".part")).borderTopColor,
    getComputedStyle(document.querySelector(".facts")).color]"""
LUMA = """(colour) => {
    const canvas = new OffscreenCanvas(1, 1).getContext("2d");
    canvas.fillStyle = colour;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue] = canvas.getImageData(0, 0, 1, 1).data;
    return (2126 * red + 7152 * green + 722 * blue) / 10000;
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_more_contrast_strengthens_lines_and_soft_text(scheme, open_page):
    strong_page = open_page(color_scheme=scheme, contrast="more")
    usual, strong = (
        [page.evaluate(LUMA, colour) for colour in page.evaluate(COLOURS)]
        for page in (open_page(color_scheme=scheme), strong_page))
    for before, after in zip(usual, strong):
        assert after < before - 20 if scheme == "light" else after > before + 20, (usual, strong)
    assert violations(strong_page) == []


def test_a_contrast_theme_of_the_system_shows_icons_and_everything_fits(open_page):
    page = open_page(forced_colors="active", color_scheme="dark", viewport={"width": 390, "height": 844})
    assert overflow(page)[0] == 0
    arrow = page.locator("summary").first.evaluate("(summary) => getComputedStyle(summary, '::after').backgroundColor")
    text = page.locator("summary").first.evaluate("(summary) => getComputedStyle(summary).color")
    assert arrow == text
    assert violations(page) == []


def test_reduced_motion_stops_all_transitions(open_page):
    page = open_page(reduced_motion="reduce")
    moving = page.evaluate("""() => [...document.querySelectorAll("*")].filter((element) => {
        const { transitionDuration, animationName } = getComputedStyle(element);
        return parseFloat(transitionDuration) > 0 || animationName !== "none";
    }).length""")
    assert moving == 0
