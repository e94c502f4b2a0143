"""A pull request's page, and the pane next to the inbox."""

import re

import pytest
from github import asked, connect, fails, first_of, keys, pull
from looks import looks_right, violations
from playwright.sync_api import expect
from program import eventually
from visit import overflow

WIDE = {"width": 1400, "height": 900}
PHONE = {"width": 390, "height": 844}


def address(key, rest=""):
    """The page of a pull request on github.com."""
    return "/pulls/" + key.split("/", 1)[1] + rest


def files_of(roost, key):
    """The changed files, once GitHub has answered."""
    answer = roost.get("/api/v1" + address(key, "/files"))
    return answer.json["items"] if answer.status == 200 else []


def details_of(roost, key):
    answer = roost.get("/api/v1" + address(key))
    return answer.json.get("details") if answer.status == 200 else None


def ready(roost, key):
    """Waits until Roost has the pull request's details."""
    return eventually("the details", lambda: details_of(roost, key))


def where(roost, condition):
    """The first pull request of the inbox whose details and files meet a condition."""
    seen = []
    for part in roost.get("/api/v1/pulls").json["sections"]:
        for item in part["items"]:
            if item["key"] in seen:
                continue
            seen.append(item["key"])
            details = ready(roost, item["key"])
            if condition(details, files_of(roost, item["key"])):
                return item["key"]
    raise AssertionError(f"None of {len(seen)} pull requests fits")


@pytest.fixture
def first(inbox_of_ada):
    return first_of(inbox_of_ada, "turn")


@pytest.fixture
def many(inbox_of_ada):
    """A pull request with several files that have a diff."""
    return where(inbox_of_ada, lambda details, files: sum("patch" in file for file in files) >= 3)


def test_the_page_says_what_it_is_and_why_it_is_my_turn(first, inbox_of_ada, simulator, visit):
    ready(inbox_of_ada, first["key"])
    page = visit(inbox_of_ada).page(address(first["key"]))
    expect(page.locator(".pull-title")).to_have_text(first["title"])
    expect(page.locator(".turn")).to_contain_text(first["reasons"][0])
    expect(page.locator(".pull-pane .freshness")).to_contain_text("Updated")
    expect(page.get_by_role("region", name="Conversation")).to_be_visible()
    expect(page.get_by_role("link", name="Open on GitHub").first).to_have_attribute("href", first["htmlURL"])
    page.get_by_role("link", name="Pull requests", exact=True).last.click()
    expect(page).to_have_url(re.compile("/pulls$"))


def test_a_title_of_the_inbox_opens_the_page_without_javascript(first, inbox_of_ada, visit):
    ready(inbox_of_ada, first["key"])
    page = visit(inbox_of_ada, java_script_enabled=False).page("/pulls")
    pull(page, first["key"]).locator("a.name").click()
    expect(page.locator(".pull-title")).to_have_text(first["title"])
    page.get_by_role("link", name=re.compile("^Files")).click()
    expect(page.locator(".file").first).to_be_visible()


def test_files_open_are_viewed_and_arranged_without_javascript(many, inbox_of_ada, visit):
    page = visit(inbox_of_ada, java_script_enabled=False).page(address(many, "/files"))
    file = page.locator(".file:has(a:text('Show the changes'))").first
    name = file.locator(".path").inner_text()
    if file.locator("details").get_attribute("open") is None:
        file.locator("summary").click()
    file.get_by_role("link", name="Show the changes").click()
    opened = page.locator(".file").filter(has_text=name).first
    expect(opened.locator("table.diff, .message, .picture-pair").first).to_be_visible()
    page.get_by_role("button", name="Side by side").click()
    expect(page.get_by_role("button", name="Side by side")).to_have_attribute("aria-pressed", "true")
    page.get_by_role("button", name="Unified").click()
    expect(page.get_by_role("button", name="Unified")).to_have_attribute("aria-pressed", "true")
    for pressed in ("true", "false"):
        page.get_by_role("button", name="Hide whitespace").click()
        expect(page.get_by_role("button", name="Hide whitespace")).to_have_attribute("aria-pressed", pressed)
    box = page.locator(".viewed-box").first
    box.click()
    expect(page.locator(".viewed-box").first).to_have_attribute("aria-pressed", "true")
    page.locator(".viewed-box").first.click()
    expect(page.locator(".viewed-box").first).to_have_attribute("aria-pressed", "false")


def test_diffs_load_when_they_are_near_and_stay_while_the_page_updates(many, inbox_of_ada, visit):
    page = visit(inbox_of_ada).page(address(many, "/files"))
    diff = page.locator(".file-diff table.diff").first
    expect(diff).to_be_visible()
    diff.evaluate("(table) => { table.dataset.probe = 'same' }")
    box = page.locator(".viewed-box").last
    box.click()
    expect(box).to_have_attribute("aria-pressed", "true")
    expect(diff).to_have_attribute("data-probe", "same")
    box.click()
    expect(box).to_have_attribute("aria-pressed", "false")
    page.get_by_role("button", name="Side by side").click()
    expect(page.locator(".file-diff table.split").first).to_be_visible()
    page.get_by_role("button", name="Unified").click()
    expect(page.locator(".file-diff table.diff:not(.split)").first).to_be_visible()


def test_a_large_diff_shows_its_first_lines_before_the_others(calm_roost, simulator, visit):
    connect(calm_roost)
    key = simulator.happen(request={"login": "ada", "title": "Move the gauges"})["pull"]["key"]
    simulator.happen(push={"pull": key, "files": 1, "largeLines": 3_000})
    path = f"/pulls/{key.replace('#', '/')}"
    eventually("the pull request", lambda: "pull-timeline" in calm_roost.get(path).text)
    page = visit(calm_roost).page(f"{path}/files?diffs=unified")
    box = page.locator("[data-diff*='tides.csv']")
    expect(box).to_be_attached()
    box.evaluate("""(box) => {
        const count = () => counts.push(box.querySelectorAll(".diff tr").length);
        window.counts = [];
        new MutationObserver(count).observe(box, { childList: true, subtree: true });
        const details = box.closest("details");
        details.open = true;
        details.scrollIntoView();
    }""")
    eventually("all lines", lambda: page.evaluate("counts.at(-1) > 3000"))
    assert any(0 < count < 1_000 for count in page.evaluate("counts"))
    numbers = box.evaluate("box => [...box.querySelectorAll('.line-added')].map(({ previousSibling }) => +previousSibling.textContent)")
    assert len(numbers) > 1_000 and numbers == sorted(numbers)


@pytest.mark.parametrize("script", [True, False])
def test_all_lines_of_a_file_are_shown_on_demand(script, inbox_of_ada, simulator, visit):
    key, _ = asked(simulator, inbox_of_ada, "Carry the threes")
    ready(inbox_of_ada, key)
    page = visit(inbox_of_ada, java_script_enabled=script).page(address(key, "/files?open=docs/engine.md" if not script else "/files"))
    table = page.locator("table.diff").last if script else page.locator("table.diff")
    expect(table).to_be_visible()
    file = page.locator(".file", has=page.locator(".path", has_text="engine.md"))
    expect(file).not_to_contain_text("// The end")
    file.get_by_role("link", name="Show all lines").click()
    expect(file.locator("table.diff")).to_contain_text("// The end")
    link = file.get_by_role("link", name="Show only the changes")
    if script:
        expect(link).to_be_focused()
    link.click()
    expect(file.locator("table.diff")).not_to_contain_text("// The end")


def test_keys_move_through_files_and_mark_them_as_viewed(many, inbox_of_ada, visit):
    page = visit(inbox_of_ada).page(address(many, "/files"))
    files = page.locator(".file")
    page.keyboard.press("n")
    expect(files.nth(0).locator("summary").first).to_be_focused()
    page.keyboard.press("n")
    expect(files.nth(1).locator("summary").first).to_be_focused()
    page.keyboard.press("p")
    expect(files.nth(0).locator("summary").first).to_be_focused()
    page.keyboard.press("v")
    expect(files.nth(0).locator(".viewed-box")).to_have_attribute("aria-pressed", "true")
    expect(files.nth(0).locator("details").first).not_to_have_attribute("open", "")
    expect(files.nth(1).locator("summary").first).to_be_focused()
    eventually("the mark in Roost", lambda: files_of(inbox_of_ada, many)[0]["isViewed"])
    page.keyboard.press("p")
    page.keyboard.press("v")
    expect(files.nth(0).locator(".viewed-box")).to_have_attribute("aria-pressed", "false")
    eventually("no mark in Roost", lambda: not files_of(inbox_of_ada, many)[0]["isViewed"])


def test_keys_move_through_threads(inbox_of_ada, visit):
    def has_threads(details, files):
        return sum(len(entry.get("threads", [])) for entry in details["timeline"]) > 1

    key = where(inbox_of_ada, has_threads)
    page = visit(inbox_of_ada).page(address(key))
    threads = page.locator(".code-thread")
    for index in (0, 1):
        page.keyboard.press("]")
        expect(threads.nth(index).locator("> summary")).to_be_focused()
        expect(threads.nth(index)).to_have_attribute("open", "")
    page.keyboard.press("[")
    expect(threads.nth(0).locator("> summary")).to_be_focused()


def test_the_pane_follows_the_list(inbox_of_ada, simulator, visit):
    page = visit(inbox_of_ada, elsewhere=simulator.github_url, viewport=WIDE).page("/pulls")
    rows = keys(page)
    titles = {item["key"]: item["title"] for part in inbox_of_ada.get("/api/v1/pulls").json["sections"] for item in part["items"]}
    pane = page.locator(".detail-side")
    expect(pane).to_be_hidden()
    for key in rows[:2]:
        page.keyboard.press("j")
        expect(pane.locator(".pull-title")).to_have_text(titles[key])
        expect(pull(page, key).locator("a.name")).to_have_attribute("aria-current", "true")
        expect(pull(page, key).locator("a.name")).to_be_focused()
    page.keyboard.press("n")
    expect(pane.locator(".file").first).to_be_visible()
    page.keyboard.press("n")
    expect(pane.locator(".file summary").first).to_be_focused()
    assert page.url.endswith("/pulls") and overflow(page)[0] == 0
    page.keyboard.press("Escape")
    expect(pane).to_be_hidden()
    page.keyboard.press("j")
    with page.context.expect_page() as opened:
        page.keyboard.press("o")
    expect(opened.value).to_have_url(re.compile(re.escape(simulator.github_url)))
    # Closed by the reader, it stays closed until a click.
    expect(pane).to_be_hidden()
    pull(page, rows[0]).locator("a.name").click()
    expect(pane.locator(".pull-title")).to_have_text(titles[rows[0]])


def test_the_pane_names_the_next_one_before_it_is_shown(inbox_of_ada, simulator, visit):
    page = visit(inbox_of_ada, elsewhere=simulator.github_url, viewport=WIDE).page("/pulls")
    rows = keys(page)
    with page.expect_response(lambda answer: answer.url.endswith(address(rows[1], "/prefetch"))) as answered:
        page.keyboard.press("j")
    assert answered.value.request.method == "POST" and answered.value.status == 204


def test_e_marks_it_done_and_z_brings_it_back(first, inbox_of_ada, visit):
    ready(inbox_of_ada, first["key"])
    page = visit(inbox_of_ada).page(address(first["key"]))
    page.keyboard.press("e")
    expect(page.locator("#notice")).to_contain_text("done")
    page.keyboard.press("z")
    expect(page.locator("#notice")).to_contain_text("is back in your inbox")
    expect(page.locator(".pull-title")).to_have_text(first["title"])


def test_enter_opens_the_page(first, inbox_of_ada, visit):
    page = visit(inbox_of_ada, viewport=WIDE).page("/pulls")
    page.keyboard.press("j")
    expect(pull(page, keys(page)[0]).locator("a.name")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator(".pull-page")).to_be_visible()


def test_on_a_phone_a_title_opens_the_page(first, inbox_of_ada, visit):
    ready(inbox_of_ada, first["key"])
    page = visit(inbox_of_ada, viewport=PHONE).page("/pulls")
    pull(page, first["key"]).locator("a.name").click()
    expect(page.locator(".pull-page .pull-title")).to_have_text(first["title"])
    assert overflow(page)[0] == 0


def test_a_refresh_shows_what_happened(calm_roost, simulator, visit):
    connect(calm_roost)
    key = first_of(calm_roost, "turn")["key"]
    name = "#".join(key.split("/", 1)[1].rsplit("/", 1))
    ready(calm_roost, key)
    page = visit(calm_roost).page(address(key))
    expect(page.locator(".pull-timeline")).to_be_visible()
    # The first look: nothing is new.
    expect(page.locator(".new-chip")).to_have_count(0)
    simulator.happen(comment={"pull": name, "text": "Something new", "author": "grace"})
    page.get_by_role("button", name="Refresh").click()
    entry = page.locator(".entry").filter(has_text="Something new")
    expect(entry).to_be_visible()


def test_github_fails_and_the_last_state_stays_with_its_age(inbox_of_ada, simulator, visit):
    key = first_of(inbox_of_ada, "turn")["key"]
    ready(inbox_of_ada, key)
    page = visit(inbox_of_ada).page(address(key))
    entries = page.locator(".entry").count()
    assert entries > 0
    simulator.spoil("500")
    fails(inbox_of_ada)
    page.get_by_role("button", name="Refresh").click()
    expect(page.locator(".pull-pane .freshness-stale")).to_contain_text("GitHub is temporarily unavailable")
    expect(page.locator(".pull-pane .freshness-stale time").first).to_be_visible()
    assert page.locator(".entry").count() == entries


def test_the_page_refuses_what_no_account_sees(inbox_of_ada, visit):
    assert inbox_of_ada.get("/pulls/lovelace-labs/analytical-engine/999999").status in (200, 404)
    eventually("the answer", lambda: inbox_of_ada.get("/pulls/lovelace-labs/analytical-engine/999999").status == 404)


@pytest.mark.parametrize("rest", ["", "/files", "/files?diffs=split"])
def test_the_page_fits_and_has_no_accessibility_violations(rest, many, inbox_of_ada, visit):
    page = visit(inbox_of_ada, reduced_motion="reduce").page(address(many, rest))
    expect(page.locator("table.diff, .entry").first).to_be_visible()
    looks_right(page, "pull-page" + re.sub(r"\W", "-", rest))


def test_the_pane_has_no_accessibility_violations(inbox_of_ada, visit):
    page = visit(inbox_of_ada, viewport=WIDE, reduced_motion="reduce").page("/pulls")
    page.keyboard.press("j")
    expect(page.locator(".detail-side .pull-timeline")).to_be_visible()
    assert violations(page) == []
    assert overflow(page)[0] == 0
