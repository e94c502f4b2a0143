"""The inbox as its reader wants it: filtered, grouped, sorted, with lists of one's own."""

import re

import pytest
from accounts import fill, refused
from github import asked, inbox, keys, pull, refresh, section
from playwright.sync_api import expect
from program import eventually
from visit import is_marked, mark


@pytest.fixture
def page(inbox_of_ada, visit):
    """The inbox; how it is viewed is as it was at first."""
    yield visit(inbox_of_ada).page("/pulls")
    plain = "sort=age&group=none&drafts=shown&bots=shown&amberHours=24&redHours=72"
    assert inbox_of_ada.ask("POST", "/pulls/choices", plain).status == 303


def everything(roost):
    """Every pull request of the inbox, by its key."""
    return {item["key"]: item for each in inbox(roost)["sections"] for item in each["items"]}


def choose(page, name):
    """Presses a button of the view's panel, which stays open or is opened."""
    panel = page.locator("#view")
    if panel.get_attribute("open") is None:
        panel.locator("summary").click()
    button = panel.get_by_role("button", name=name, exact=True)
    button.click()
    return button


def test_typing_filters_at_once_and_the_address_keeps_it(inbox_of_ada, simulator, page):
    key, name = asked(simulator, inbox_of_ada, "Count the gullible otters")
    expect(pull(page, key)).to_be_visible()
    mark(page)
    page.get_by_role("searchbox").press_sequentially("gullible otters")
    eventually("one row", lambda: page.locator("li.pull:visible").count() == 1)
    expect(page).to_have_url(re.compile(r"/pulls\?text=gullible(\+|%20)otters$"))
    expect(page.locator("#pulls-turn .total")).to_have_text(re.compile(r"^1 of \d+$"))
    expect(page.locator("#pulls-mentions")).to_contain_text("Nothing here fits the filter.")
    assert is_marked(page) and keys(page) == [key]
    page.get_by_role("searchbox").fill("")
    eventually("all rows", lambda: len(keys(page)) > 20)
    expect(page).to_have_url(re.compile("/pulls$"))
    page.goto(f"/pulls?text=%23{name.rpartition('#')[2]}")
    assert key in keys(page)


def test_one_author_or_one_label_is_shown(inbox_of_ada, page):
    item = next(item for item in section(inbox_of_ada, "turn") if item["labels"])
    page.locator("#view summary").click()
    page.get_by_label("Author", exact=True).fill(item["authorLogin"])
    page.get_by_role("button", name="Filter", exact=True).click()
    expect(page).to_have_url(re.compile(f"author={item['authorLogin']}"))
    expect(page.locator("li.pull .facts", has_text=re.compile(rf"· {item['authorLogin']}\b")).first).to_be_visible()
    pulls = everything(inbox_of_ada)
    assert all(pulls[key]["authorLogin"] == item["authorLogin"] for key in keys(page) if key in pulls)
    label = item["labels"][0]["name"]
    page.goto(f"/pulls?label={label}")
    assert item["key"] in keys(page)
    assert all(label in [one["name"] for one in pulls[key]["labels"]] for key in keys(page) if key in pulls)


def test_it_is_sorted_and_grouped_and_remembers_it(inbox_of_ada, page):
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


def test_drafts_and_bots_are_left_out(inbox_of_ada, page):
    pulls = everything(inbox_of_ada)
    drafts, bots = ({key for key, item in pulls.items() if item[what]} for what in ("isDraft", "isFromBot"))
    assert drafts & set(keys(page)) and bots & set(keys(page))
    choose(page, "Only these")
    expect(page.locator("li.pull:not(:has(.chip:text-is('draft')))")).to_have_count(0)
    assert set(keys(page)) <= drafts
    drafts_group = page.get_by_role("group", name="Drafts")
    drafts_group.get_by_role("button", name="Hidden").click()
    expect(page.locator("li.pull .chip:text-is('draft')")).to_have_count(0)
    page.get_by_role("group", name="Bots").get_by_role("button", name="Hidden").click()
    eventually("no bots", lambda: not bots & set(keys(page)))
    assert keys(page)


def test_an_own_section_finds_by_githubs_search_and_is_moved_and_removed(inbox_of_ada, page):
    page.goto("/pulls/sections")
    wanted = {"Engine": "repo:lovelace-labs/analytical-engine is:open", "Drafts of mine": "author:@me draft:true"}
    for name, query in wanted.items():
        form = page.locator('form[action="/pulls/sections"]')
        form.get_by_label("Name").fill(name)
        form.get_by_label("Search").fill(query)
        form.get_by_role("button", name="Add").click()
        expect(page.locator("#notice")).to_contain_text("The section is in your inbox now.")
    page.goto("/pulls")
    engine, drafts = (page.get_by_role("region", name=name, exact=True) for name in ("Engine", "Drafts of mine"))
    expect(engine.locator("li.pull").first).to_contain_text("lovelace-labs/analytical-engine")
    assert page.locator("section.pulls h2").all_text_contents()[-2].startswith("Engine")
    page.goto("/pulls/sections")
    page.get_by_role("button", name="Move Drafts of mine up").click()
    page.goto("/pulls")
    assert page.locator("section.pulls h2").all_text_contents()[-1].startswith("Engine")
    page.goto("/pulls/sections")
    page.get_by_role("button", name="Remove Drafts of mine").click()
    expect(page.locator("#notice")).to_contain_text("The section is removed.")
    page.goto("/pulls")
    expect(engine).to_be_visible()
    expect(drafts).to_have_count(0)


def test_a_section_that_cannot_be_is_refused_at_its_field(page):
    page.goto("/pulls/sections")
    form = page.locator('form[action="/pulls/sections"]')
    form.get_by_label("Name").fill("Everything")
    form.get_by_label("Search").fill(" ")
    form.get_by_role("button", name="Add").click()
    refused(page, "new-query", "Please say what to search for.")
    expect(form.get_by_label("Name")).to_have_value("Everything")


def test_the_waits_that_are_marked_are_the_readers_own(inbox_of_ada, page):
    page.goto("/pulls/sections")
    form = fill(page, amberHours="1", redHours="8760")
    form.get_by_role("button", name="Save").click()
    expect(page.locator("#notice")).to_contain_text("Saved.")
    page.goto("/pulls")
    expect(page.locator("li.pull .wait.amber").first).to_be_visible()
    expect(page.locator("li.pull .wait.amber").first).to_have_text(re.compile(", long$"))
    expect(page.locator("li.pull .wait.red")).to_have_count(0)
    page.goto("/pulls/sections")
    fill(page, amberHours="1", redHours="2").get_by_role("button", name="Save").click()
    page.goto("/pulls")
    expect(page.locator("li.pull .wait.red").first).to_have_text(re.compile(", far too long$"))


def test_a_bot_of_ones_own_list_needs_no_answer(inbox_of_ada, simulator, page):
    key = simulator.happen(open={"author": "ada", "title": "Asked by a machine"})["pull"]["key"]
    simulator.happen(comment={"pull": key, "author": "labs-automation"})
    refresh(inbox_of_ada)

    def awaits():
        mine = next(item for item in section(inbox_of_ada, "yours") if item["id"] == key)
        return "a comment awaits your answer" in mine["reasons"]

    assert awaits()
    page.goto("/pulls/sections")
    fill(page, botLogins="labs-automation no!").get_by_role("button", name="Save").click()
    refused(page, "bots-botLogins", "“no!” is not a GitHub login.")
    fill(page, botLogins="labs-automation").get_by_role("button", name="Save").click()
    expect(page.locator("#notice")).to_contain_text("Saved.")
    assert not awaits()
    fill(page, botLogins="").get_by_role("button", name="Save").click()
    eventually("the machine's word again", awaits)
