"""Filtering, grouping and sorting the inbox."""

import re

import pytest
from github import asked, inbox, keys, pull, section
from playwright.sync_api import expect
from program import eventually
from visit import is_marked, mark


@pytest.fixture
def page(inbox_of_ada, visit):
    """The inbox; restores the default view afterwards."""
    yield visit(inbox_of_ada).page("/pulls")
    plain = "sort=age&group=none&drafts=shown&bots=shown&amberHours=24&redHours=72"
    assert inbox_of_ada.ask("POST", "/pulls/choices", plain).status == 303


def everything(roost):
    return {item["key"]: item for each in inbox(roost)["sections"] for item in each["items"]}


def choose(page, name):
    """Presses a button of the view's panel, opening it if needed."""
    panel = page.locator("#view")
    if panel.get_attribute("open") is None:
        panel.locator("summary").click()
    button = panel.get_by_role("button", name=name, exact=True)
    button.click()
    return button


def test_typing_filters_at_once_and_the_address_keeps_the_filter(inbox_of_ada, simulator, page):
    key, name = asked(simulator, inbox_of_ada, "Count the gullible otters")
    expect(pull(page, key)).to_be_visible()
    mark(page)
    page.get_by_role("searchbox").press_sequentially("gullible otters")
    eventually("one row", lambda: page.locator("li.pull:visible").count() == 1)
    expect(page).to_have_url(re.compile(r"/pulls\?text=gullible(\+|%20)otters$"))
    expect(page.locator("#pulls-turn .total")).to_have_text(re.compile(r"^1 of \d+$"))
    expect(page.locator("#pulls-mentions")).to_contain_text("Nothing here matches the filter.")
    assert is_marked(page) and keys(page) == [key]
    page.get_by_role("searchbox").fill("")
    eventually("all rows", lambda: len(keys(page)) > 20)
    expect(page).to_have_url(re.compile("/pulls$"))
    page.goto(f"/pulls?text=%23{name.rpartition('#')[2]}")
    assert key in keys(page)


def test_rows_are_filtered_by_author_or_label(inbox_of_ada, page):
    item = next(item for item in section(inbox_of_ada, "turn") if item["labels"])
    pulls = everything(inbox_of_ada)
    picker = page.get_by_role("combobox", name="Author", exact=True)
    page.locator("#view summary").click()

    def everybody():
        authors = {each["authorLogin"] for each in everything(inbox_of_ada).values()}
        return picker.locator("option").all_text_contents() == ["Anyone", *sorted(authors)]

    eventually("all authors", everybody)
    picker.select_option(item["authorLogin"])
    expect(page).to_have_url(re.compile(f"author={item['authorLogin']}"))
    eventually("only that author", lambda: set(page.locator("li.pull .facts bdi").all_text_contents())
               == {item["authorLogin"]})
    expect(picker).to_have_value(item["authorLogin"])
    eventually("all authors, still", everybody)
    assert all(pulls[key]["authorLogin"] == item["authorLogin"] for key in keys(page) if key in pulls)
    label = item["labels"][0]["name"]
    page.goto("/pulls")
    page.locator("#view summary").click()
    page.get_by_role("combobox", name="Label", exact=True).select_option(label)
    expect(page).to_have_url(re.compile(r"[?&]label="))
    eventually("only that label", lambda: all(
        label in [one["name"] for one in pulls[key]["labels"]] for key in keys(page) if key in pulls))
    assert item["key"] in keys(page)
    assert all(label in [one["name"] for one in pulls[key]["labels"]] for key in keys(page) if key in pulls)


def test_a_section_folds_and_stays_folded(page):
    section = page.locator("#pulls-turn")
    with page.expect_response(lambda response: response.url.endswith("/pulls/collapse")):
        section.locator("summary").click()
    expect(section.locator("li.pull").first).to_be_hidden()
    page.reload()
    expect(section.locator("summary")).to_be_visible()
    expect(section.locator("li.pull").first).to_be_hidden()
    page.keyboard.press("j")  # The first key loads the script.
    eventually("a focused row", lambda: page.evaluate("() => !!document.activeElement.closest('li.pull')"))
    assert page.evaluate("() => document.activeElement.closest('details').id") != "pulls-turn"
    with page.expect_response(lambda response: response.url.endswith("/pulls/collapse")):
        page.locator(".index").get_by_role("link", name="Your turn").click()
    expect(section.locator("li.pull").first).to_be_visible()
    page.reload()
    expect(section.locator("li.pull").first).to_be_visible()


@pytest.mark.parametrize("width", [390, 1280])
def test_a_heading_stays_above_its_rows_and_the_bar_jumps_to_the_next(width, page):
    page.set_viewport_size({"width": width, "height": 700})
    section = page.locator("#pulls-turn")
    section.locator("li.pull").nth(9).evaluate("(row) => row.scrollIntoView({ block: 'start' })")
    expect(section.locator("summary")).to_be_in_viewport(ratio=1)
    bar = page.locator(".index").bounding_box()
    assert abs(section.locator("summary").bounding_box()["y"] - bar["y"] - bar["height"]) < 2 and abs(bar["y"]) < 2
    link = page.locator(".index a").nth(1)
    link.click()
    target = page.locator(link.get_attribute("href"))
    expect(target.locator("summary")).to_be_in_viewport(ratio=1)
    expect(target.locator("summary")).to_be_focused()


def test_the_actions_cover_neither_checks_nor_figures(page):
    for row in page.locator("li.pull:visible").all()[:12]:
        row.hover()
        actions = row.locator(".actions").bounding_box()
        for part in row.locator("> :is(.checks, .size, .thread, .wait)").all():
            box = part.bounding_box()
            assert actions["x"] + actions["width"] <= box["x"] + 1, part.get_attribute("class")


def test_a_new_author_is_offered_by_the_picker(inbox_of_ada, simulator, page):
    picker = page.get_by_role("combobox", name="Author", exact=True, include_hidden=True)
    page.locator("#view summary").click()
    before = picker.locator("option").all_text_contents()
    newcomer = "a-newcomer"
    assert newcomer not in before
    page.evaluate("""(name) => {
        document.getElementById("authors").append(new Option(name, name));
        document.dispatchEvent(new CustomEvent("roost:morphed", { detail: document.body }));
    }""", newcomer)
    assert picker.locator("option").all_text_contents() == [*before, newcomer]
    expect(picker).to_have_value("")


def test_sorting_and_grouping_are_remembered(inbox_of_ada, page):
    def sizes():
        items = {item["key"]: item for item in section(inbox_of_ada, "turn")}
        shown = [items[key] for key in keys(page, "turn") if key in items]
        return [item["additions"] + item["deletions"] for item in shown]

    assert sizes() != sorted(sizes())
    button = choose(page, "Smallest")
    expect(button).to_have_attribute("aria-pressed", "true")
    eventually("the smallest first", lambda: sizes() == sorted(sizes()))
    expect(page.locator("#view")).to_have_attribute("open", "")
    choose(page, "Repository")
    groups = page.locator("#pulls-turn li.group")
    expect(groups.first).to_be_visible()
    below = page.locator("#pulls-turn ol > li").evaluate_all("""rows => {
        let group = "";
        return rows.map((row) => row.matches(".group")
            ? (group = row.querySelector("h3").firstChild.textContent.trim(), null)
            : [group, row.querySelector(".facts b").textContent]).filter(Boolean);
    }""")
    assert len(below) > 20 and all(group == repository for group, repository in below), below
    page.goto("/pulls")
    expect(groups.first).to_be_visible()
