"""The explorer and the bookmarks with the keyboard alone."""

import pytest
from playwright.sync_api import expect
from program import eventually
from repositories import asked, bookmark, bookmarks, keep, loaded, names, row, rows
from test_keyboard import FOCUS


@pytest.fixture
def explorer(shared_inbox, simulator):
    """Shared by all tests of this file; removes every bookmark afterwards."""
    yield shared_inbox
    for item in bookmarks(shared_inbox):
        assert shared_inbox.ask("DELETE", f"/api/v1/bookmarks/{item['fullName']}").status == 204


@pytest.fixture
def page(explorer, simulator, visit):
    page = visit(explorer, elsewhere=simulator.github_url).page("/repositories?since=0")
    loaded(page)
    return page


@pytest.fixture
def kept(explorer, simulator, visit):
    """A page of three bookmarks, and their names in order."""
    bookmark(explorer, *names(explorer, 3))
    page = visit(explorer, elsewhere=simulator.github_url).page("/bookmarks")
    expect(rows(page)).to_have_count(3)
    return page, page.locator(".list-side a.name").all_text_contents()


def current(page):
    """The name in the focused row."""
    return page.evaluate("() => document.activeElement.closest('.repo')?.querySelector('.name').textContent")


def is_on(page, name):
    eventually(f"the focus on {name}", lambda: current(page) == name)
    focus = page.evaluate(FOCUS)
    assert focus["outline"] and focus["inside"] and focus["seen"], focus


def test_j_and_k_move_between_rows_and_stop_at_the_ends(page, explorer):
    listed = names(explorer, 12)
    for name in listed:
        page.keyboard.press("j")
        is_on(page, name)
    page.keyboard.press("k")
    is_on(page, listed[-2])
    for _ in listed:
        page.keyboard.press("k")
    is_on(page, listed[0])


def test_folded_rows_are_skipped(explorer, visit):
    page = visit(explorer).page("/repositories?group=ownerType")
    loaded(page)
    groups = page.locator("details.repo-group")
    groups.first.locator("summary").click()
    expect(groups.first).not_to_have_attribute("open", "")
    page.keyboard.press("j")
    is_on(page, groups.nth(1).locator("a.name").first.text_content())
    groups.first.locator("summary").click()


def test_enter_shows_the_details_and_keeps_the_rows(page, explorer):
    name = names(explorer, 2)[1]
    page.keyboard.press("j")
    is_on(page, names(explorer)[0])
    page.keyboard.press("j")
    is_on(page, name)
    page.keyboard.press("Enter")
    expect(page.locator(".detail-side h2")).to_have_text(name)
    expect(row(page, name).locator("a.name")).to_have_attribute("aria-current", "page")
    expect(rows(page)).to_have_count(100)


def opened_on_github(page):
    with page.context.expect_page() as opened:
        page.keyboard.press("o")
    return opened.value


def test_o_opens_a_row_on_github(page, explorer, simulator):
    page.keyboard.press("j")
    is_on(page, names(explorer)[0])
    opened = opened_on_github(page)
    expect(opened).to_have_url(f"{simulator.github_url}/{names(explorer)[0]}")
    assert opened.evaluate("() => opener") is None


def test_without_a_focused_row_o_and_b_act_on_the_shown_repository(explorer, simulator, visit):
    name = names(explorer, 3)[2]
    page = visit(explorer, elsewhere=simulator.github_url).page(f"/repositories/{name}")
    button = page.locator(".detail-side [data-act=bookmark]")
    expect(button).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("b")
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(opened_on_github(page)).to_have_url(f"{simulator.github_url}/{name}")
    page.bring_to_front()
    page.keyboard.press("b")
    expect(button).to_have_attribute("aria-pressed", "false")
    assert bookmarks(explorer) == []


def test_b_adds_and_removes_a_bookmark_and_keeps_the_focus(page, explorer):
    name = names(explorer)[0]
    page.keyboard.press("j")
    is_on(page, name)
    for pressed in ("true", "false"):
        page.keyboard.press("b")
        expect(keep(page, name)).to_have_attribute("aria-pressed", pressed)
        is_on(page, name)
    assert bookmarks(explorer) == []


def test_r_refreshes(page, simulator):
    before = len(asked(simulator, r"/repositories"))
    # Roost does not request again what is less than five seconds old.
    eventually("GitHub asked again", lambda: page.keyboard.press("r") or len(asked(simulator, r"/repositories")) > before,
               every=0.3)


def test_escape_closes_the_view_menu(page):
    page.keyboard.press("j")
    page.locator("#view > summary").click()
    expect(page.locator("#view")).to_have_attribute("open", "")
    page.keyboard.press("Escape")
    expect(page.locator("#view")).not_to_have_attribute("open", "")
    expect(page.locator("#view > summary")).to_be_focused()


def test_t_opens_a_bookmarks_tags_and_note_and_escape_closes_them(kept):
    page, (name, *_) = kept
    page.keyboard.press("j")
    is_on(page, name)
    page.keyboard.press("t")
    field = page.locator("#editor input[name=tags]")
    expect(field).to_be_focused()
    page.keyboard.type("read, later")
    page.keyboard.press("Enter")
    expect(row(page, name).locator(".tags-of")).to_contain_text("later")
    expect(field).to_be_hidden()
    page.keyboard.press("t")
    expect(field).to_be_focused()
    page.keyboard.press("Escape")
    expect(field).to_be_hidden()
    is_on(page, name)


def test_x_selects_bookmarks(kept):
    page, listed = kept
    for name in listed[:2]:
        page.keyboard.press("j")
        is_on(page, name)
        page.keyboard.press("x")
        expect(row(page, name).get_by_role("checkbox")).to_be_checked()
    expect(page.locator("#chosen")).to_contain_text("2 selected")
    page.keyboard.press("x")
    expect(row(page, listed[1]).get_by_role("checkbox")).not_to_be_checked()
    expect(page.locator("#chosen")).to_contain_text("1 selected")


def test_b_removes_a_bookmark_and_moves_the_focus(kept):
    page, listed = kept
    page.keyboard.press("j")
    is_on(page, listed[0])
    page.keyboard.press("b")
    expect(rows(page)).to_have_count(2)
    expect(page.locator("#notice")).to_contain_text(listed[0])
    is_on(page, listed[1])


def test_fast_first_keys_are_not_lost(page, explorer):
    """The first key loads the keyboard script; the test delays it until three keys are pressed."""
    held = []
    page.route("**/keyboard.js", lambda route: held.append(route))
    # Chromium sends no keys to a page before its first paint.
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    for _ in range(3):
        page.keyboard.press("j")
    eventually("the script asked for", lambda: page.wait_for_timeout(20) or held)
    for each in held:
        each.continue_()
    is_on(page, names(explorer, 3)[2])
