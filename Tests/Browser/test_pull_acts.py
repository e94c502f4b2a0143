"""Acting on a pull request: each act happens once, asks first where it must, and keeps what was typed when it is refused."""

import re

import pytest
from github import asked, connect, inbox, keys, pull
from playwright.sync_api import expect
from program import eventually

TITLE = "Carry the tens"


@pytest.fixture
def inbox_of_ada(calm_roost, simulator):
    """An inbox of this test's own: after a reset GitHub gives a new pull request the number of one that an earlier test
    acted on, whose drafts and details a shared Roost still has."""
    assert simulator.ask("DELETE", "/_simulator/requests").status < 300
    connect(calm_roost)
    return calm_roost


def address(key):
    """The page of a pull request on github.com: its key is HOST/OWNER/NAME/NUMBER."""
    return "/pulls/" + key.partition("/")[2]


def acts(simulator, key, ending):
    """The requests that changed something about this pull request."""
    owner, name, number = key.split("/")[1:]
    paths = [f"/repos/{owner}/{name}/{kind}/{number}{ending}" for kind in ("issues", "pulls")]
    return [each for each in simulator.requests() if each["method"] != "GET" and each["path"] in paths]


def form(page, act):
    return page.locator(f"form[data-form={act}]")


def opened(page, key):
    """Opens the page and waits for GitHub's first answer, with which the forms appear."""
    page.goto(address(key))
    expect(form(page, "comment")).to_be_visible()
    return page


def newest(simulator, roost, **more):
    return asked(simulator, roost, TITLE, **more)


@pytest.mark.parametrize("script", [True, False])
def test_a_comment_is_sent_as_typed_and_shown(script, inbox_of_ada, simulator, visit):
    key, _ = newest(simulator, inbox_of_ada)
    page = opened(visit(inbox_of_ada, java_script_enabled=script).page("about:blank"), key)
    form(page, "comment").get_by_label("Comment").fill("Could this overflow?\nI think so.")
    form(page, "comment").get_by_role("button", name="Comment", exact=True).click()
    expect(page.locator("#notice")).to_contain_text("Comment added.")
    expect(page.get_by_text("Could this overflow?")).to_be_visible()
    assert len(acts(simulator, key, "/comments")) == 1
    expect(form(page, "comment").get_by_label("Comment")).to_have_value("")


def test_a_form_that_is_sent_again_does_nothing_again(inbox_of_ada, simulator, visit):
    key, _ = newest(simulator, inbox_of_ada)
    page = opened(visit(inbox_of_ada).page("about:blank"), key)
    fields = form(page, "comment").evaluate(
        "(form) => Object.fromEntries([...new FormData(form), ['act', 'comment'], ['body', 'Once']])")
    for _ in range(2):
        answer = page.request.post(address(key) + "/acts", form=fields, headers={"Origin": inbox_of_ada.url})
        assert answer.ok, answer.text()
    assert len(acts(simulator, key, "/comments")) == 1


@pytest.mark.parametrize("script", [True, False])
def test_an_approval_asks_first(script, inbox_of_ada, simulator, visit):
    key, _ = newest(simulator, inbox_of_ada)
    page = opened(visit(inbox_of_ada, java_script_enabled=script).page("about:blank"), key)
    review = form(page, "review")
    review.get_by_label("Approve").check()
    review.get_by_label("Review", exact=True).fill("Well done")
    review.get_by_role("button", name="Send review").click()
    expect(page.get_by_role("heading", name="Approve?")).to_be_visible()
    assert not acts(simulator, key, "/reviews")
    expect(page.get_by_label("Review", exact=True)).to_have_value("Well done")
    page.get_by_role("button", name="Approve").click()
    expect(page.locator("#notice")).to_contain_text("Approved.")
    assert len(acts(simulator, key, "/reviews")) == 1


def test_a_review_with_a_comment_on_lines_is_a_draft_until_it_is_sent(inbox_of_ada, simulator, visit):
    key, _ = newest(simulator, inbox_of_ada)
    page = opened(visit(inbox_of_ada).page("about:blank"), key)
    page.goto(address(key) + "/files")
    file = page.locator(".file:has(form[data-form=lineComment])").first
    file.get_by_text("Comment on lines").click()
    lines = file.locator("form[data-form=lineComment]")
    line = file.locator(".diff td.number:nth-child(2):not(:empty)").first.inner_text()
    lines.get_by_label("To line").fill(line)
    lines.get_by_label("Comment", exact=True).fill("Why here?")
    lines.get_by_role("button", name="Add to review").click()
    expect(page.locator("#notice")).to_contain_text("Comment added to your review.")
    assert not acts(simulator, key, "/reviews"), "nothing is sent yet"
    expect(page.locator(".draft-comments")).to_contain_text("Why here?")
    review = form(page, "review")
    review.get_by_label("Request changes").check()
    review.get_by_role("button", name="Send review").click()
    expect(page.locator("#notice")).to_contain_text("Changes requested.")
    assert len(acts(simulator, key, "/reviews")) == 1
    expect(page.locator(".draft-comments")).to_have_count(0)


@pytest.mark.parametrize("script", [True, False])
def test_what_github_refuses_stays_typed_with_its_words(script, inbox_of_ada, simulator, visit):
    key, _ = newest(simulator, inbox_of_ada)
    page = opened(visit(inbox_of_ada, java_script_enabled=script).page("about:blank"), key)
    simulator.spoil("act-422", "/repos")
    form(page, "comment").get_by_label("Comment").fill("My <long> text")
    form(page, "comment").get_by_role("button", name="Comment", exact=True).click()
    text = page.get_by_role("textbox", name="Text")
    expect(text).to_have_value("My <long> text")
    expect(page.locator(".field-error")).to_contain_text("GitHub refused this: “This pull request is locked”")
    simulator.ask("DELETE", "/_simulator/faults")
    page.get_by_role("button", name="Comment", exact=True).click()
    expect(page.locator("#notice")).to_contain_text("Comment added.")
    expect(page.get_by_text("My <long> text")).to_be_visible()


def test_an_act_whose_result_is_unknown_takes_a_tick_to_be_sent_again(inbox_of_ada, simulator, visit):
    key, _ = newest(simulator, inbox_of_ada)
    page = opened(visit(inbox_of_ada).page("about:blank"), key)
    simulator.spoil("502", "/repos")
    form(page, "comment").get_by_label("Comment").fill("Perhaps twice")
    form(page, "comment").get_by_role("button", name="Comment", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("Roost doesn’t know whether GitHub did this")
    simulator.ask("DELETE", "/_simulator/faults")
    tick = page.get_by_label("Send again: I looked at GitHub")
    assert tick.evaluate("(box) => !box.validity.valid"), "the browser asks for it"
    tick.check()
    page.get_by_role("button", name="Comment", exact=True).click()
    expect(page.locator("#notice")).to_contain_text("Comment added.")
    # The simulated GitHub did it before it answered 502, too.
    expect(page.get_by_text("Perhaps twice")).to_have_count(2)


def test_a_push_while_someone_writes_is_said_and_the_draft_stays(inbox_of_ada, simulator, visit):
    key, name = newest(simulator, inbox_of_ada)
    page = opened(visit(inbox_of_ada).page("about:blank"), key)
    review = form(page, "review")
    head = review.locator("[name=head]").input_value()
    review.get_by_label("Approve").check()
    review.get_by_label("Review", exact=True).fill("Well done")
    simulator.happen(push={"pull": name})
    page.locator(".source-line").get_by_role("button", name="Refresh").click()
    expect(page.locator(".commits, .entry-commits").last).to_be_visible()
    expect(review.get_by_label("Review", exact=True)).to_have_value("Well done")
    assert review.locator("[name=head]").input_value() == head, "the commit that was on the page when it was opened"
    review.get_by_role("button", name="Send review").click()
    page.get_by_role("button", name="Approve").click()
    expect(page.get_by_text("Someone pushed to this pull request since you opened it.")).to_be_visible()
    assert not acts(simulator, key, "/reviews")
    page.get_by_role("link", name="Back to the pull request").click()
    expect(form(page, "review").get_by_label("Review", exact=True)).to_have_value("Well done")


@pytest.mark.parametrize("script", [True, False])
def test_a_merge_asks_first_and_happens_the_chosen_way(script, inbox_of_ada, simulator, visit):
    page = visit(inbox_of_ada, java_script_enabled=script).page("about:blank")
    for _ in range(8):  # some of the simulated pull requests have conflicts
        key, _ = newest(simulator, inbox_of_ada)
        opened(page, key)
        if form(page, "merge").count():
            break
    form(page, "merge").get_by_label("How to merge").select_option("squash")
    form(page, "merge").get_by_role("button", name="Merge…", exact=True).click()
    expect(page.get_by_role("heading", name="Squash and merge?")).to_be_visible()
    assert not acts(simulator, key, "/merge")
    page.get_by_role("button", name="Squash and merge").click()
    expect(page.locator("#notice")).to_contain_text("Merged.")
    assert len(acts(simulator, key, "/merge")) == 1
    eventually("the merge is shown", lambda: inbox_of_ada.get(f"/api/v1{address(key)}").json["state"] == "merged")


def test_what_is_typed_stays_when_another_form_is_sent(inbox_of_ada, simulator, visit):
    key, _ = newest(simulator, inbox_of_ada)
    page = opened(visit(inbox_of_ada).page("about:blank"), key)
    review = form(page, "review").get_by_label("Review", exact=True)
    comment = form(page, "comment").get_by_label("Comment")
    review.fill("Half a thought")
    comment.fill("Sent at once")
    form(page, "comment").get_by_role("button", name="Comment", exact=True).click()
    expect(page.locator("#notice")).to_contain_text("Comment added.")
    expect(review).to_have_value("Half a thought")
    expect(comment).to_have_value("")
    form(page, "review").get_by_role("button", name="Save draft").click()
    expect(page.locator("#notice")).to_contain_text("Draft saved.")
    expect(review).to_have_value("Half a thought")
    review.fill("Another thought")
    form(page, "discardDraft").get_by_role("button", name="Discard draft").click()
    expect(page.locator("#notice")).to_contain_text("Draft discarded.")
    expect(review).to_have_value("")


def test_what_github_refused_is_put_back_until_it_is_sent(inbox_of_ada, simulator, visit):
    key, _ = newest(simulator, inbox_of_ada)
    page = opened(visit(inbox_of_ada).page("about:blank"), key)
    comment = form(page, "comment").get_by_label("Comment")
    send = form(page, "comment").get_by_role("button", name="Comment", exact=True)
    simulator.spoil("act-422", "/repos")
    comment.fill("My <long> text")
    send.click()
    expect(page.get_by_role("textbox", name="Text")).to_have_value("My <long> text")
    page.get_by_role("link", name="Back to the pull request").click()
    expect(comment).to_have_value("My <long> text")
    simulator.ask("DELETE", "/_simulator/faults")
    send.click()
    expect(page.locator("#notice")).to_contain_text("Comment added.")
    expect(comment).to_have_value("")


def test_what_is_typed_in_the_pane_stays_while_it_shows_something_else(inbox_of_ada, visit):
    page = visit(inbox_of_ada, viewport={"width": 1400, "height": 900}).page("/pulls")
    rows = keys(page)
    pane = page.locator(".detail-side")
    comment = pane.locator("form[data-form=comment] textarea")

    def show(key):
        pull(page, key).locator("a.name").click()
        expect(pull(page, key).locator("a.name")).to_have_attribute("aria-current", "true")
        expect(comment).to_have_attribute("id", f"comment-{key}-body")

    show(rows[0])
    comment.fill("Half a thought")
    pane.get_by_role("link", name=re.compile("^Files")).click()
    expect(pane.locator(".file").first).to_be_visible()
    expect(comment).to_have_value("Half a thought")
    show(rows[1])
    expect(comment).to_have_value("")
    show(rows[0])
    expect(comment).to_have_value("Half a thought")
    comment.fill("")
    show(rows[1])
    show(rows[0])
    expect(comment).to_have_value("")


def test_a_token_without_the_scope_gets_its_name(make_roost, simulator, visit):
    name = simulator.happen(request={"login": "ada", "title": TITLE})["pull"]["key"]
    simulator.happen(token={"value": "ghp_withoutscope", "login": "ada", "scopes": ["read:org"]})
    roost = make_roost(interval=3600)
    made = roost.ask("POST", "/api/v1/github-accounts", {"token": "ghp_withoutscope"})
    assert made.status == 201, made.text
    eventually("the inbox", lambda: all(source["state"] == "loaded" for source in inbox(roost)["sources"]))
    page = opened(visit(roost).page("about:blank"), "github.com/" + name.replace("#", "/"))
    form(page, "comment").get_by_label("Comment").fill("Hello")
    form(page, "comment").get_by_role("button", name="Comment", exact=True).click()
    expect(page.get_by_role("alert")).to_contain_text("lacks the scope “repo”, which it needs to comment")
    expect(page.get_by_role("textbox", name="Text")).to_have_value("Hello")


def test_a_pull_request_is_closed_and_reopened(inbox_of_ada, simulator, visit):
    key, _ = newest(simulator, inbox_of_ada)
    page = opened(visit(inbox_of_ada).page("about:blank"), key)
    page.get_by_role("button", name="Close pull request…").click()
    expect(page.get_by_role("heading", name="Close pull request?")).to_be_visible()
    page.get_by_role("button", name="Close pull request").click()
    expect(page.locator("#notice")).to_contain_text("Closed.")
    page.get_by_role("button", name="Reopen pull request").click()
    expect(page.locator("#notice")).to_contain_text("Reopened.")
    expect(page.get_by_role("button", name="Close pull request…")).to_be_visible()


def test_keys_lead_to_the_forms(inbox_of_ada, simulator, visit):
    key, _ = newest(simulator, inbox_of_ada)
    page = opened(visit(inbox_of_ada).page("about:blank"), key)
    page.keyboard.press("c")
    expect(form(page, "comment").get_by_label("Comment")).to_be_focused()
    page.keyboard.type("acv")
    expect(form(page, "comment").get_by_label("Comment")).to_have_value("acv")
    page.locator("h1").evaluate("() => document.activeElement.blur()")
    page.keyboard.press("a")
    review = form(page, "review")
    expect(review.get_by_label("Review", exact=True)).to_be_focused()
    expect(review.get_by_label("Approve")).to_be_checked()
    assert not acts(simulator, key, "/reviews")


@pytest.mark.parametrize("width", [390, 1280, 1920])
def test_the_forms_fit_and_can_be_read(width, inbox_of_ada, simulator, visit):
    key, _ = newest(simulator, inbox_of_ada)
    page = opened(visit(inbox_of_ada, viewport={"width": width, "height": 800}).page("about:blank"), key)
    expect(form(page, "review")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    for each in page.locator(".pull-forms textarea").all():
        box = each.bounding_box()
        assert box["x"] >= 0 and box["x"] + box["width"] <= width
