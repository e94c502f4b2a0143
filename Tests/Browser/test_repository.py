"""A repository's details: next to the list, or instead of it on a phone."""

from playwright.sync_api import expect
from program import eventually
from repositories import loaded, names, row, rows
from visit import is_marked, mark


def test_a_click_shows_the_details_next_to_the_list(calm_roost, visit):
    page = visit(calm_roost).page("/repositories?since=0")
    loaded(page)
    mark(page)
    name = names(calm_roost, 3)[2]
    row(page, name).locator("a.name").click()
    expect(page.locator(".detail-side h2")).to_contain_text(name.split("/")[1])
    eventually("the address", lambda: name in page.url)
    assert is_marked(page)
    assert rows(page).first.is_visible()
    page.go_back()
    expect(page.locator(".detail-side")).to_be_hidden()
    assert is_marked(page)


def test_on_a_phone_the_details_replace_the_list_and_back_restores_it(calm_roost, visit):
    page = visit(calm_roost, viewport={"width": 390, "height": 844}).page("/repositories?since=0")
    loaded(page)
    name = names(calm_roost, 30)[29]
    link = row(page, name).locator("a.name")
    link.scroll_into_view_if_needed()
    page.evaluate("history.scrollRestoration = 'manual'")  # the browser may restore the position before Roost does, or after
    place = link.bounding_box()["y"]
    link.click()
    expect(page.locator(".detail-side h2")).to_be_visible()
    expect(page.locator(".list-side")).not_to_be_visible()
    # Meanwhile the details of the rows above have arrived.
    page.evaluate("""() => {
        for (const row of [...document.querySelectorAll(".list-side .repo")].slice(0, 20)) {
            const details = row.appendChild(document.createElement("div"));
            details.dataset.owned = "";
            details.style.height = "60px";
        }
    }""")
    page.go_back()
    expect(link).to_be_in_viewport()
    eventually("the row where it was", lambda: abs(link.bounding_box()["y"] - place) < 50)
