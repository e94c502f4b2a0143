"""The search of everything: the dialog by keyboard, and the page without JavaScript."""

import re

import pytest
from looks import violations
from playwright.sync_api import expect


@pytest.fixture(scope="module")
def found(team):
    """A conversation of Ada and Grace with a message about a zeppelin, and a watched coin."""
    team.roost.priced("bitcoin")
    conversation = team.pair()
    team.say("grace", conversation, "The zeppelin lands at noon")
    return team.roost, conversation


def dialog(page):
    return page.get_by_role("dialog", name="Search everything")


def field(page):
    return dialog(page).get_by_role("combobox", name="Search everything")


def active(page):
    return dialog(page).locator("[aria-selected=true]")


def opened(visit, roost, path="/watchlist", **options):
    page = visit(roost, **options).page(path)
    expect(page.locator("html")).to_have_class(re.compile("js"))
    return page


def typed(page, text):
    """Opens the dialog and types the text, once there is a field that takes it."""
    page.keyboard.press("Control+k")
    expect(field(page)).to_be_focused()
    page.keyboard.type(text)


def test_a_message_is_found_and_opened_by_keyboard(found, visit):
    roost, conversation = found
    page = opened(visit, roost)
    typed(page, "zepp")
    option = dialog(page).get_by_role("option").filter(has_text="zeppelin")
    expect(option).to_have_attribute("aria-selected", "true")
    expect(field(page)).to_have_attribute("aria-activedescendant", option.get_attribute("id"))
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(rf"/chat/{conversation}\?message="))


def test_arrows_choose_and_escape_returns_to_where_one_was(found, visit):
    roost, _ = found
    page = opened(visit, roost)
    link = page.get_by_role("link", name="Alerts", exact=True)
    link.focus()
    page.keyboard.press("Control+k")
    expect(active(page)).to_have_count(1)
    first = active(page).inner_text()
    page.keyboard.press("ArrowDown")
    expect(active(page)).not_to_have_text(first)
    page.keyboard.press("ArrowUp")
    expect(active(page)).to_have_text(first, use_inner_text=True)
    page.keyboard.press("ArrowUp")
    expect(dialog(page).get_by_role("option").last).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Escape")
    expect(dialog(page)).to_be_hidden()
    expect(link).to_be_focused()


def test_enter_waits_for_the_results_of_what_was_typed(found, visit):
    roost, _ = found
    page = opened(visit, roost)
    page.keyboard.press("Control+k")
    expect(active(page)).to_have_count(1)
    page.keyboard.type("bitcoin")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/coins/bitcoin$"))


def test_control_enter_opens_a_new_tab(found, visit):
    roost, _ = found
    page = opened(visit, roost)
    typed(page, "bitcoin")
    expect(active(page)).to_contain_text("Bitcoin")
    with page.context.expect_page() as tab:
        page.keyboard.press("Control+Enter")
    expect(tab.value).to_have_url(re.compile("/coins/bitcoin$"))
    expect(dialog(page)).to_be_visible()


def test_a_command_changes_the_theme_and_stays_on_the_page(found, visit):
    roost, _ = found
    page = opened(visit, roost, "/alerts")
    typed(page, "dark th")
    expect(active(page)).to_have_text("Dark theme")
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_class(re.compile("theme-dark"))
    expect(page).to_have_url(re.compile("/alerts$"))


def test_axe_finds_nothing_in_the_dialog_and_the_page(found, visit):
    roost, _ = found
    page = opened(visit, roost)
    typed(page, "bit")
    expect(active(page)).to_contain_text("Bitcoin")
    assert violations(page) == []
    page.goto("/search?q=bit")
    expect(page.get_by_role("heading", name="Coins")).to_be_visible()
    assert violations(page) == []


def test_the_page_shows_results_while_typing(found, visit):
    roost, _ = found
    page = opened(visit, roost, "/search")
    page.get_by_role("searchbox", name="Search everything").fill("zeppelin")
    expect(page.get_by_role("heading", name="Messages")).to_be_visible()
    expect(page).to_have_url(re.compile(r"q=zeppelin"))
    expect(page).to_have_title(re.compile("zeppelin · Search"))


def test_everything_works_without_javascript(found, visit):
    roost, conversation = found
    page = visit(roost, java_script_enabled=False).page("/watchlist")
    page.get_by_role("navigation", name="Main").get_by_role("link", name="Search").click()
    page.get_by_role("searchbox", name="Search everything").fill("zeppelin")
    page.get_by_role("button", name="Search").click()
    section = page.get_by_role("region", name="Messages")
    expect(section).to_contain_text("zeppelin")
    page.get_by_role("navigation", name="Kinds").get_by_role("link", name="Coins").click()
    expect(page.get_by_text("Nothing found.")).to_be_visible()
    page.get_by_role("navigation", name="Kinds").get_by_role("link", name="All").click()
    section.get_by_role("link").first.click()
    expect(page).to_have_url(re.compile(rf"/chat/{conversation}\?message="))
    page.goto("/search?q=dark+theme")
    page.get_by_role("button", name="Dark theme").click()
    expect(page.locator("html")).to_have_class(re.compile("theme-dark"))
