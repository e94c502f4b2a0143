"""One repository's page: its figures, its README made harmless, and what it shows while GitHub does not answer."""

import pytest
from github import connect
from playwright.sync_api import expect
from program import eventually
from repositories import asked, loaded, names, page_of, row, rows, scroll_to_end
from visit import is_marked, mark


@pytest.fixture
def opened(calm_roost, visit):
    """A page with the details of the first repository of the list, and its name."""
    name = names(calm_roost)[0]
    page = visit(calm_roost).page(f"/repositories/{name}")
    expect(page.locator(".counts dd").first).to_be_visible()
    return page, name


def test_the_figures_are_githubs(calm_roost, opened):
    page, name = opened
    detail = calm_roost.get(f"/api/v1/repositories/{name}").json["detail"]
    tally = page.locator(".detail-side .counts").first
    expect(tally).to_contain_text(f"{detail['stars']:,}")
    expect(tally).to_contain_text(f"{detail['forks']:,}")
    expect(page.locator(".detail-side").get_by_role("link", name="Open on GitHub")).to_have_attribute("target", "_blank")


def test_a_click_shows_it_beside_the_list(calm_roost, visit):
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


def test_on_a_phone_it_takes_the_lists_place_and_gives_it_back(calm_roost, visit):
    page = visit(calm_roost, viewport={"width": 390, "height": 844}).page("/repositories?since=0")
    loaded(page)
    name = names(calm_roost, 30)[29]
    link = row(page, name).locator("a.name")
    link.scroll_into_view_if_needed()
    place = page.evaluate("scrollY")
    link.click()
    expect(page.locator(".detail-side h2")).to_be_visible()
    expect(page.locator(".list-side")).not_to_be_visible()
    page.go_back()
    expect(link).to_be_in_viewport()
    assert abs(page.evaluate("scrollY") - place) < 50


def test_a_hostile_readme_does_nothing(make_roost, simulator, visit):
    roost = make_roost(interval=3600)
    connect(roost)
    page = visit(roost).page("/repositories/keys")
    for name in [item["fullName"] for item in page_of(roost)["items"]][:12]:
        page.goto(f"/repositories/{name}")
        expect(page.locator(".readme, .no-readme")).to_be_visible()
        assert page.locator(".readme script, .readme iframe, .readme style, .readme form, .readme svg, .readme [style]").count() == 0
        addresses = page.locator(".readme a[href]").evaluate_all("(links) => links.map((one) => one.getAttribute('href'))")
        for address in addresses:
            assert address.startswith(("https://", "http://", "mailto:", "#readme-", f"{roost.url}")), address
        pictures = page.locator(".readme img").evaluate_all("(images) => images.map((one) => one.getAttribute('src'))")
        assert all(picture.startswith("/pictures/") for picture in pictures), pictures


def test_nothing_is_left_of_the_limit_and_the_page_says_until_when(calm_roost, simulator, visit):
    page = visit(calm_roost).page("/repositories?since=0")
    loaded(page)
    name = names(calm_roost, 60)[59]
    simulator.happen(limit={"login": "", "resource": "core", "remaining": 0})
    page = visit(calm_roost).page(f"/repositories/{name}")
    expect(page.locator(".detail-side")).to_contain_text("rate limit exceeded")
    expect(page.locator(".detail-side h2")).to_contain_text(name.split("/")[1])
    expect(page.locator(".detail-side").get_by_role("link", name="Open on GitHub")).to_be_visible()


def test_whoever_scrolls_through_a_thousand_can_still_open_one(calm_roost, simulator, visit):
    assert simulator.ask("DELETE", "/_simulator/requests").status == 200
    page = visit(calm_roost).page("/repositories?since=0")
    for least in range(100, 1_001, 100):
        loaded(page, least)
        scroll_to_end(page)
    name = names(calm_roost, 40)[39]
    page = visit(calm_roost).page(f"/repositories/{name}")
    expect(page.locator(".detail-side .counts dd").first).to_be_visible()
    expect(page.locator(".detail-side .error")).to_have_count(0)
    assert len(asked(simulator, r"^/(api/v3/)?(repos|repositories)")) < 60


def test_a_renamed_one_is_found_under_its_old_name(calm_roost, simulator, visit):
    name = names(calm_roost)[0]
    owner = name.split("/")[0]
    simulator.happen(repository={"fullName": name, "rename": f"{owner}/new-name-of-it"})
    page = visit(calm_roost).page(f"/repositories/{name}")
    expect(page.locator(".detail-side h2")).to_contain_text("new-name-of-it")


def test_one_that_is_not_there_is_said_to_be_gone(calm_roost, visit):
    page = visit(calm_roost).page("/repositories/nobody/has-this-one")
    expect(page.locator(".detail-side")).to_contain_text("no such repository")


def test_a_private_one_is_its_members_alone(make_roost, simulator, visit):
    roost = make_roost(interval=3600)
    name = names(roost)[0]
    simulator.happen(repository={"fullName": name, "private": True})
    connect(roost)
    grace = roost.add_user("grace")
    mine = roost.get(f"/api/v1/repositories/{name}")
    theirs = roost.get(f"/api/v1/repositories/{name}", guest=grace)
    assert theirs.status == 404, theirs.text
    assert mine.status in (200, 404)
