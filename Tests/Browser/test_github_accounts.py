"""GitHub accounts: signed in there, pasted, disconnected; each person's own, and no token anywhere."""

import base64
import re
import sqlite3

import pytest
from accounts import refused, send
from github import connect, fails, inbox, refresh, token
from playwright.sync_api import expect
from program import eventually

APP = ("--github-client-id", "roost-in-tests", "--github-client-secret", "a secret of the tests")


@pytest.fixture
def signed_up(make_roost, simulator):
    """A Roost with an OAuth app at the simulated GitHub."""
    simulator.happen(app={"clientID": APP[1], "clientSecret": APP[3]})
    return make_roost(*APP, interval=3600)


def go_to_github(roost, simulator, visit):
    page = visit(roost, elsewhere=simulator.github_url).page("/settings/github")
    page.get_by_role("button", name="Go to GitHub").click()
    expect(page.get_by_role("heading")).to_have_text("Authorize the application")
    return page


def test_one_goes_to_github_and_comes_back_connected(signed_up, simulator, visit):
    page = go_to_github(signed_up, simulator, visit)
    expect(page.locator("body")).to_contain_text("It asks for: repo read:org")
    send(page, "Authorize", login="ada")
    expect(page).to_have_url(re.compile(re.escape(f"{signed_up.url}/settings/github?flash=") + r"[\w-]+$"))
    expect(page.locator("#notice")).to_contain_text("ada at github.com is connected.")
    expect(page.locator("li.account")).to_contain_text("Ada Lovelace connected")
    page.goto("/pulls")
    expect(page.locator("#pulls-turn li.pull").first).to_be_visible()


def test_a_no_at_github_is_said_and_connects_nobody(signed_up, simulator, visit):
    page = go_to_github(signed_up, simulator, visit)
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#notice")).to_contain_text("You did not allow it at GitHub. Nothing was connected.")
    expect(page.locator("li.account")).to_have_count(0)


def test_an_answer_that_was_not_asked_for_is_not_taken(signed_up, simulator, visit):
    page = visit(signed_up).page("/settings/github/callback?code=stolen&state=made-up")
    expect(page.locator("#notice .trouble")).to_contain_text("This answer from GitHub was not asked for here, or came too late.")
    expect(page.locator("li.account")).to_have_count(0)


@pytest.mark.parametrize("scripts", [True, False])
def test_a_token_is_pasted_and_disconnected_in_two_steps(scripts, calm_roost, simulator, visit):
    page = visit(calm_roost, java_script_enabled=scripts).page("/settings/github")
    send(page, "Connect", githubToken="ghp_" + "0" * 36, host="github.com")
    if scripts:
        refused(page, "githubToken", "GitHub does not take this token")
    expect(page.locator("#githubToken-error")).to_contain_text("GitHub does not take this token")
    expect(page.locator("#githubToken")).to_have_value("")
    expect(page.locator("#host")).to_have_value("github.com")
    assert "ghp_" not in page.content()
    send(page, "Connect", githubToken=token("ada"))
    expect(page.locator("#notice")).to_contain_text("ada at github.com is connected.")
    account = page.locator("li.account")
    expect(account).to_contain_text("connected")
    button = account.get_by_role("button", name="Disconnect ada at github.com")
    expect(button).to_be_hidden()
    account.locator("summary").click()
    expect(account).to_contain_text("Roost deletes the token and forgets this account’s pull requests.")
    button.click()
    expect(page.locator("#notice")).to_contain_text("Disconnected. Roost has deleted the token")
    expect(account).to_have_count(0)
    expect(page.locator("main")).to_contain_text("No GitHub account is connected.")
    assert inbox(calm_roost)["sources"] == []


def test_what_a_token_may_not_is_said_with_what_it_means(calm_roost, simulator, visit):
    simulator.happen(token={"value": "ghp_" + "1" * 36, "login": "alan", "scopes": ["public_repo"]})
    page = visit(calm_roost).page("/settings/github")
    send(page, "Connect", githubToken="ghp_" + "1" * 36)
    expect(page.locator("li.account")).to_contain_text("Without repo Roost sees public repositories only.")
    expect(page.locator("li.account")).to_contain_text(
        "Without read:org Roost cannot tell which team a review was asked of.")
    send(page, "Connect", githubToken=token("grace", fine_grained=True))
    expect(page.locator("li.account", has_text="Grace")).to_contain_text("fine-grained token")


def test_what_is_not_set_up_is_explained(calm_roost, visit):
    page = visit(calm_roost).page("/settings/github")
    expect(page.locator("main")).to_contain_text("Signing in with a code needs --github-client-id")
    expect(page.get_by_role("button", name="Get a code")).to_have_count(0)


def test_a_member_sees_nothing_of_anothers_accounts(calm_roost, simulator, visit):
    grace = calm_roost.add_user("grace")
    account = connect(calm_roost)
    page = visit(calm_roost, grace).page("/settings/github")
    expect(page.locator("main")).to_contain_text("No GitHub account is connected.")
    assert calm_roost.get("/api/v1/github-accounts", guest=grace).json["items"] == []
    assert calm_roost.ask("POST", f"/settings/github/{account['id']}/disconnect", "", guest=grace).status == 404
    assert calm_roost.ask("DELETE", f"/api/v1/github-accounts/{account['id']}", guest=grace).status == 404
    assert [item["login"] for item in calm_roost.get("/api/v1/github-accounts").json["items"]] == ["ada"]


def test_the_token_stands_nowhere_but_sealed(make_roost, simulator, tmp_path, visit):
    roost = make_roost("--log-level", "trace", "--access-log", tmp_path / "access.log", interval=3600)
    page = visit(roost).page("/settings/github")
    send(page, "Connect", githubToken=token("ada"))
    expect(page.locator("#notice")).to_contain_text("is connected.")
    eventually("the inbox", lambda: all(source["state"] == "loaded" for source in inbox(roost)["sources"]))
    simulator.spoil("500", "/graphql")
    fails(roost)
    simulator.clear()
    refresh(roost)
    secret = token("ada").encode()
    shapes = [secret, base64.b64encode(secret)[:-4], secret.hex().encode(), secret[::-1]]
    for path in ["/", "/pulls", "/pulls/rows", "/settings", "/settings/github", "/settings/github/accounts", "/members/log",
                 "/api/v1/github-accounts", "/api/v1/pulls"]:
        body = roost.get(path).body
        assert body and not any(shape in body for shape in shapes), path
    log = "\n".join(roost.lines).encode() + (tmp_path / "access.log").read_bytes()
    assert "Pull requests could not be fetched" in log.decode() and not any(shape in log for shape in shapes)
    copy = tmp_path / "copy.sqlite"
    assert roost.command("backup", str(copy)).returncode == 0
    files = [each for each in roost.data.rglob("*") if each.is_file()] + [copy]
    assert any(each.name.endswith("-wal") for each in files)
    for each in files:
        assert not any(shape in each.read_bytes() for shape in shapes), each
    rows = sqlite3.connect(copy).execute("SELECT login FROM github_accounts").fetchall()
    assert rows == [("ada",)]
    account = roost.get("/api/v1/github-accounts").json["items"][0]
    assert roost.ask("DELETE", f"/api/v1/github-accounts/{account['id']}").status == 204
    roost.stop()
    for each in (each for each in roost.data.rglob("*") if each.is_file()):
        assert not any(shape in each.read_bytes() for shape in shapes), each
