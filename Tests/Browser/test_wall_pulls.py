"""Walls with the team's waiting pull requests."""

from github import connect
from playwright.sync_api import expect
from program import eventually
from visit import overflow, screenshot

ALLOW = "from=sections&isOnWalls=true"

# Titles and ages that are cut off or cover each other. A title that is too long ends with an ellipsis.
WRONG = """() => [...document.querySelectorAll("[data-page]:not([hidden]) .pull")].filter((pull) => {
    const box = pull.getBoundingClientRect();
    const [title, facts, age] = ["h3", ".pull-facts", ".pull-age"].map((name) => pull.querySelector(name).getBoundingClientRect());
    return title.right > age.left || facts.right > age.left || title.top < box.top || facts.bottom > box.bottom
        || age.right > box.right;
}).map((pull) => pull.textContent)"""


def test_a_wall_shows_prices_and_allowed_pull_requests_in_turn(calm_roost, visit):
    calm_roost.priced("bitcoin")
    connect(calm_roost)
    link = calm_roost.display("Wall")
    assert calm_roost.ask("POST", "/displays/1", "name=Wall&pages=coins&pages=pulls&secondsPerPage=5").status == 303
    page = visit(calm_roost).context.new_page()
    page.clock.install()
    page.goto(link)
    expect(page.locator(".cell")).to_be_visible()
    assert page.locator(".pull").count() == 0
    assert calm_roost.ask("POST", "/pulls/choices", ALLOW).status == 303
    expect(page.locator(".pull").first).to_be_visible()
    expect(page.locator(".pulls-title").first).to_contain_text("waiting pull requests")
    expect(page.locator(".cell")).to_be_hidden()
    # Every page of pull requests is shown before the prices are again.
    eventually("the prices", lambda: page.clock.run_for(5_000) or page.locator(".cell").is_visible())


def test_pages_of_pull_requests_fit_every_screen(calm_roost, visit):
    connect(calm_roost)
    assert calm_roost.ask("POST", "/pulls/choices", ALLOW).status == 303
    link = calm_roost.display("Wall")
    assert calm_roost.ask("POST", "/displays/1", "name=Wall&pages=pulls").status == 303
    page = visit(calm_roost).page(link)
    for width, height in ((1920, 1080), (1080, 1920), (1024, 600), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        expect(page.locator(".pull:visible").first).to_be_visible()
        screenshot(page, f"wall-pulls-{width}x{height}")
        assert overflow(page) == [0, 0] and page.evaluate(WRONG) == [], (width, height)
