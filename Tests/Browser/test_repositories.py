"""The explorer: GitHub's public repositories in a long grouped list."""

import re

import pytest
from github import connect
from playwright.sync_api import expect
from program import eventually
from repositories import asked, bookmark, group_by, groups, keep, loaded, names, row, rows, scroll_to_end
from visit import is_marked, mark, overflow


@pytest.fixture
def explorer(make_roost):
    return make_roost(interval=3600)


def test_on_a_wide_screen_only_the_list_scrolls(explorer, visit):
    page = visit(explorer).page("/repositories?group=language")
    loaded(page)
    expect(page.locator(".index a").last).to_be_visible()
    # In one step: languages arrive meanwhile, and with them links before the last one.
    page.evaluate("() => [...document.querySelectorAll('.index a')].pop().click()")
    eventually("the list at its last group", lambda: page.evaluate("document.querySelector('.list-side').scrollTop"))
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    expect(page.locator(".repo-group > summary").last).to_be_in_viewport()


def test_a_newcomer_sees_trending_repositories_without_using_the_shared_rate_limit(explorer, simulator, visit):
    assert simulator.ask("DELETE", "/_simulator/requests").status == 200
    page = visit(explorer).page("/repositories")
    expect(page).to_have_url(f"{explorer.url}/repositories?trending=week")
    expect(page.locator(".tabs [aria-current]")).to_have_text("Trending")
    expect(page.locator(".live .freshness-live")).to_be_visible()
    assert asked(simulator, r"^/(api/v3/)?repositories") == []
    bookmark(explorer, names(explorer)[0])
    page.goto("/repositories")
    expect(page).to_have_url(f"{explorer.url}/bookmarks")
    page.get_by_role("link", name="All", exact=True).click()
    assert loaded(page) == 100


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_the_details_pane_appears_with_a_selection_and_names_stay_on_one_line(width, explorer, visit):
    page = visit(explorer, viewport={"width": width, "height": 900}).page("/repositories?since=0")
    loaded(page)
    expect(page.locator(".detail-side")).to_be_hidden()
    page.locator(".repo .name b").first.evaluate("one => (one.textContent = 'a-long-name-'.repeat(8))")
    page.locator(".repo .name span").nth(1).evaluate("one => (one.textContent = 'a-long-owner-'.repeat(8) + '/')")
    heights = "all => all.slice(0, 20).map((name) => name.getBoundingClientRect().height)"
    assert max(page.locator(".repo .name").evaluate_all(heights)) < 30
    assert overflow(page)[0] == 0
    rows(page).nth(5).locator("a.name").click()
    expect(page.locator(".detail-side h2")).to_be_visible()
    if width >= 1280:
        assert max(page.locator(".repo .name").evaluate_all(heights)) < 30
        expect(rows(page).nth(5)).to_be_visible()


def test_the_list_loads_and_grows_while_scrolling(explorer, visit):
    page = visit(explorer).page("/repositories?since=0")
    assert loaded(page) == 100
    mark(page)
    for least in (200, 300):
        scroll_to_end(page)
        loaded(page, least)
    keys = rows(page).evaluate_all("rows => rows.map((row) => row.dataset.key)")
    assert len(set(keys)) == len(keys) == 300
    assert keys == sorted(keys, key=lambda key: int(re.sub(r"\D", "", key))), "the rows are not in GitHub's order"
    assert is_marked(page)
    assert "pages=3" in page.url


def test_pictures_load_when_they_come_into_view(explorer, visit):
    page = visit(explorer).page("/repositories?since=0")
    loaded(page)
    pictures = page.locator(".list-side img.avatar")
    eventually("the pictures", lambda: pictures.count() == rows(page).count())
    here = "img => img.complete && img.naturalWidth > 0"
    eventually("the first pictures", lambda: pictures.first.evaluate(here))
    far = pictures.nth(70)
    assert not far.evaluate(here)
    far.scroll_into_view_if_needed()
    eventually("the far picture", lambda: far.evaluate(here))


def test_going_back_restores_the_scroll_position(explorer, visit):
    page = visit(explorer, viewport={"width": 390, "height": 844}).page("/repositories?since=0")
    loaded(page)
    scroll_to_end(page)
    loaded(page, 200)
    page.evaluate("scrollTo(0, document.body.scrollHeight / 2)")
    # Rows get their real height when they come into view, so the test remembers a row, not an offset.
    eventually("a saved scroll position", lambda: page.evaluate("scrollY > 0 && history.state?.top === scrollY"))
    left = page.evaluate(
        "document.elementFromPoint(innerWidth / 2, innerHeight / 2).closest('.repo').dataset.key"
    )
    page.goto(explorer.url + "/watchlist")
    page.go_back()
    loaded(page, 200)
    expect(page.locator(f'.repo[data-key="{left}"]')).to_be_in_viewport()


def test_groups_by_language_are_counted_folded_and_stay_folded(explorer, visit):
    connect(explorer)
    browser = visit(explorer)
    page = browser.page("/repositories?since=0")
    loaded(page)
    group_by(page, "Language")
    eventually("several languages", lambda: len([title for title, _, _ in groups(page) if "known" not in title]) > 3)
    eventually("every detail", lambda: not any("not known" in title for title, _, _ in groups(page)))
    for title, count, inside in groups(page):
        assert count == inside > 0, title
    first = page.locator("details.repo-group").first
    name = first.get_attribute("data-group")
    first.locator("summary").click()
    expect(first).not_to_have_attribute("open", "")
    again = visit(explorer).page("/repositories?since=0")
    group = again.locator(f'details.repo-group[data-group="{name}"]')
    expect(group).to_be_attached()
    eventually("the folded group on every page", lambda: again.reload() and group.get_attribute("open") is None)
    others = again.locator("details.repo-group[open]")
    assert others.count() == again.locator("details.repo-group").count() - 1


def test_the_index_jumps_to_a_group_and_opens_it(explorer, visit):
    page = visit(explorer).page("/repositories?group=ownerType")
    loaded(page)
    # By id: the list may grow and make another group the last.
    group = page.locator("details.repo-group").last.get_attribute("id")
    title = page.locator(f"details.repo-group#{group}")
    title.locator("summary").click()
    page.locator(f'.index a[href="#{group}"]').click()
    expect(title).to_have_attribute("open", "")
    expect(title.locator("summary")).to_be_in_viewport()
    expect(title.locator("summary")).to_be_focused()
    # The list grows, mostly above the group, which must not move without user input.
    scroll_to_end(page)
    loaded(page, 200)
    expect(title.locator("summary")).to_be_in_viewport()


def test_the_filter_narrows_the_loaded_rows(explorer, visit):
    page = visit(explorer).page("/repositories?since=0")
    loaded(page)
    name = names(explorer, 5)[4]
    page.locator("#text").fill(name)
    expect(rows(page)).to_have_count(1)
    expect(row(page, name)).to_be_visible()


def test_without_a_github_account_details_load_only_for_rows_on_screen(explorer, simulator, visit):
    assert simulator.ask("DELETE", "/_simulator/requests").status == 200
    page = visit(explorer).page("/repositories?since=0")
    loaded(page)
    eventually("a first detail", lambda: rows(page).first.locator(".stars").count() == 1)
    on_screen = page.evaluate("""() => [...document.querySelectorAll(".list-side li.repo")]
        .filter((row) => row.getBoundingClientRect().top < innerHeight).length""")
    eventually("every detail on screen", lambda: page.locator(".list-side .stars").count() >= on_screen)
    assert len(asked(simulator, r"/repos/[^/]+/[^/]+$")) <= on_screen + 5


def test_a_bookmark_set_in_one_tab_appears_in_another(explorer, visit):
    browser = visit(explorer)
    one, other, elsewhere = browser.page("/repositories?since=0"), browser.page("/repositories?since=0"), visit(explorer).page("/bookmarks")
    loaded(one)
    name = names(explorer)[0]
    expect(keep(other, name)).to_have_attribute("aria-pressed", "false")
    mark(one)
    mark(other)
    row(one, name).hover()
    keep(one, name).click()
    for page in (one, other):
        expect(keep(page, name)).to_have_attribute("aria-pressed", "true")
        assert is_marked(page)
    expect(row(elsewhere, name)).to_be_visible()
    keep(other, name).click()
    expect(keep(one, name)).to_have_attribute("aria-pressed", "false")
    expect(row(elsewhere, name)).to_have_count(0)


def test_search_results_have_the_same_rows_as_the_list(explorer, visit):
    page = visit(explorer).page("/repositories?since=0")
    page.locator("#q").fill("stars:>1000 language:Swift")
    page.locator("#q").press("Enter")
    eventually("results", lambda: rows(page).count() > 0)
    expect(page.locator(".list-side .stars + span").first).to_have_text("Swift")
    assert rows(page).count() == page.locator(".list-side .stars").count()
