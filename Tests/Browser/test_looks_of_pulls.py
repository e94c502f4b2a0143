"""The inbox and its settings at every width in light and dark mode."""

import re

import pytest
from github import asked, connect, fails, inbox, pull, refresh, section, try_again, try_until
from looks import looks_right
from playwright.sync_api import expect
from visit import overflow

LONG = "Bump the-dependency-whose-name-goes-on-and-on-without-any-blank from 1.2.3-rc.1 to 1.2.4 in /services/ingest"


def full(roost, simulator, page):
    """A full inbox with one pull request that has every kind of fact."""
    key, name = asked(simulator, roost, LONG)
    simulator.happen(approve={"pull": name}, thread={"pull": name}, fail={"pull": name})
    try_until(roost, "the thread", lambda: any(
        item.get("unresolvedThreads") for section in inbox(roost)["sections"] for item in section["items"]
        if f"{item['host']}/{item['repositoryFullName']}/{item['number']}" == key))
    page.goto("/pulls")
    expect(pull(page, key)).to_contain_text("open")


def grouped(roost, simulator, page):
    page.goto("/pulls?group=repository&sort=size&text=kestrel")
    expect(page.locator("li.group").first).to_be_visible()
    page.locator("#view summary").click()


def with_errors(roost, simulator, page):
    simulator.spoil("500")
    fails(roost)
    page.goto("/pulls?text=almanac")
    expect(page.locator(".error")).to_be_visible()


def put_away(roost, simulator, page):
    refresh(roost)  # the errors are over
    page.goto("/pulls?text=nothing+fits+this")
    for item in section(roost, "turn")[:2]:
        assert roost.ask("POST", f"/api/v1/pulls/{item['key']}/done", "").status < 300
    page.locator("#hidden-pulls summary").click()


def sections(roost, simulator, page):
    if "Engine" not in roost.get("/pulls/sections").text:
        made = roost.ask("POST", "/pulls/sections", "name=Engine&query=repo%3Alovelace-labs%2Fanalytical-engine+is%3Aopen")
        assert made.status == 303
    page.goto("/pulls/sections")


def the_keys(roost, simulator, page):
    page.goto("/pulls/keys")


def snooze_menu(roost, simulator, page):
    page.goto("/pulls")
    expect(page.locator("li.pull").first).to_be_visible()
    page.keyboard.press("j")
    page.keyboard.press("s")
    expect(page.get_by_role("button", name="for a week")).to_be_visible()


def snooze_page(roost, simulator, page):
    page.goto(f"/pulls/{section(roost, 'turn')[0]['key']}/snooze")


def home(roost, simulator, page):
    page.goto("/")
    expect(page.locator(".brief li").first).to_be_visible()


PAGES = [full, grouped, with_errors, put_away, sections, the_keys, snooze_menu, snooze_page, home]


@pytest.mark.parametrize("prepare", PAGES, ids=lambda each: each.__name__)
def test_the_inbox_fits_and_has_no_accessibility_violations(prepare, inbox_of_ada, simulator, visit):
    page = visit(inbox_of_ada, reduced_motion="reduce").page("/pulls/keys")
    prepare(inbox_of_ada, simulator, page)
    looks_right(page, f"pulls-{prepare.__name__}")


# The heights of the rows, and whether each line of facts starts where the dot before a fact is clipped.
ROWS = """() => [...document.querySelectorAll("li.pull")].map((row) => {
    const facts = row.querySelector(".facts");
    const left = facts.getBoundingClientRect().left;
    let above = 0;
    const begins = [...facts.children].every((fact) => {
        const box = fact.getBoundingClientRect();
        const isNewLine = box.top > above;
        above = box.top;
        return !isNewLine || Math.abs(box.left - left) < 1;
    });
    return [row.offsetHeight, begins, facts.innerText.includes("·")];
})"""


@pytest.mark.parametrize("width", [320, 390, 1280, 1920])
def test_rows_have_equal_heights_and_no_line_ends_with_a_dot(width, inbox_of_ada, visit):
    page = visit(inbox_of_ada, viewport={"width": width, "height": 900}).page("/pulls")
    expect(page.locator("li.pull").first).to_be_visible()
    rows = page.evaluate(ROWS)
    assert len(rows) > 10 and all(begins and not has_dot for _, begins, has_dot in rows)
    if width == 390:
        heights = sorted(height for height, _, _ in rows)
        assert heights[len(heights) // 2] <= 100 and heights[-1] <= 120, heights
    if width >= 1280:
        assert {height for height, _, _ in rows} == {56}
        assert len({height for height, _, _ in rows}) == 1, sorted({height for height, _, _ in rows})


# Gives every row the longest names that GitHub allows, or leaves them as they are.
LENGTHEN = """(isLong) => isLong && document.querySelectorAll("li.pull").forEach((row, at) => {
    row.querySelector(".facts b").textContent = "an-organisation-with-quite-a-long-name/" + "a-repository-of-many-words-".repeat(1 + at % 3);
    row.querySelector(".facts bdi").textContent = "somebody-whose-login-has-39-characters-";
})"""
# What each row cuts off: the repository, the main reason, or part of a fact.
CUT = """() => [...document.querySelectorAll("li.pull")].flatMap((row) => {
    const facts = row.querySelector(".facts");
    const more = facts.querySelector(".facts small");
    const within = (inner, outer) => inner.left >= outer.left - 1 && inner.right <= outer.right + 1
        && inner.top >= outer.top - 1 && inner.bottom <= outer.bottom + 1;
    const boxOf = (element) => {
        const range = new Range();
        range.selectNodeContents(element);
        return range.getBoundingClientRect();
    };
    const whole = [...facts.children].filter((fact) => fact !== more && !within(boxOf(fact), row.getBoundingClientRect()));
    const frame = more.getBoundingClientRect();
    const parts = [...more.children].filter((fact) => {
        const box = boxOf(fact);
        return !within(box, frame) && box.top < frame.bottom - 1 && box.left < frame.right;
    });
    return [...whole, ...parts].map((fact) => fact.textContent);
})"""


@pytest.mark.parametrize("is_long", [False, True], ids=["usual", "long"])
@pytest.mark.parametrize("width", [390, 768, 1280, 1920])
def test_the_repository_and_the_main_reason_are_never_cut_and_no_fact_is_shown_in_part(width, is_long, inbox_of_ada, visit):
    page = visit(inbox_of_ada, viewport={"width": width, "height": 900}).page("/pulls")
    expect(page.locator("li.pull").nth(10)).to_be_visible()
    page.evaluate(LENGTHEN, is_long)
    assert page.evaluate(CUT) == []
    assert overflow(page)[0] == 0
    if width == 1920 and not is_long:  # with enough room nothing is left out
        assert page.evaluate("""() => [...document.querySelectorAll(".facts small")].some((more) =>
            more.lastElementChild.getBoundingClientRect().bottom <= more.getBoundingClientRect().bottom + 1)""")


def test_labels_that_do_not_fit_are_counted(inbox_of_ada, visit):
    page = visit(inbox_of_ada).page("/pulls")
    items = [item for item in section(inbox_of_ada, "turn") if item["labels"]]
    assert any(len(item["labels"]) > 1 for item in items)
    for width, most in [(1280, 1), (1920, 2)]:
        page.set_viewport_size({"width": width, "height": 900})
        for item in items:
            row = pull(page, item["key"]).first  # a custom section may show it again
            count = len(item["labels"])
            assert row.locator("bdi.label:visible").count() == min(count, most)
            counted = [int(re.search(r"\d+", text)[0]) for text in row.locator("span.label:visible").all_text_contents()]
            assert counted == ([count - most] if count > most else []), (item["key"], width)


def code(roost, simulator, page):
    page.goto("/settings/github")
    page.get_by_role("button", name="Get a code").click()
    expect(page.get_by_role("region", name="Sign in with a code").locator(".address")).to_be_visible()


def denied(roost, simulator, page):
    """Declines the code on GitHub."""
    simulator.happen(device={"decision": "deny"})
    expect(page.get_by_role("alert")).to_be_visible()


def accounts(roost, simulator, page):
    simulator.happen(token={"value": "ghp_" + "1" * 36, "login": "alan", "scopes": ["public_repo"]})
    connect(roost)
    connect(roost, "grace")
    made = roost.ask("POST", "/api/v1/github-accounts", {"token": "ghp_" + "1" * 36})
    assert made.status == 201
    simulator.happen(revoke={"login": "grace"})
    try_again(roost)
    page.goto("/settings/github")
    expect(page.locator("li.account.over")).to_be_visible()
    page.locator("li.account summary").first.click()


def a_wrong_token(roost, simulator, page):
    page.goto("/settings/github")
    page.get_by_label("Token", exact=True).fill("ghp_" + "0" * 36)
    page.get_by_role("button", name="Connect", exact=True).click()
    expect(page.locator("#githubToken-error")).to_be_visible()


def unconnected(roost, simulator, page):
    page.goto("/pulls")
    expect(page.locator(".connect")).to_be_visible()


def unconnected_home(roost, simulator, page):
    page.goto("/")


def test_the_github_settings_fit_in_every_state(make_roost, simulator, visit):
    app = ("roost-in-tests", "a secret of the tests")
    simulator.happen(app={"clientID": app[0], "clientSecret": app[1], "interval": 1})
    roost = make_roost("--github-client-id", app[0], "--github-client-secret", app[1], interval=3600)
    page = visit(roost, reduced_motion="reduce").page("/")
    for prepare in (unconnected, unconnected_home, code, denied, a_wrong_token, accounts):
        prepare(roost, simulator, page)
        looks_right(page, f"github-{prepare.__name__}")
