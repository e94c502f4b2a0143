"""Connecting GitHub accounts by signing in or with a token, and disconnecting them."""

import re

import pytest
from accounts import refused, send
from github import inbox, token
from playwright.sync_api import expect

APP = ("--github-client-id", "roost-in-tests", "--github-client-secret", "a secret of the tests")


@pytest.fixture
def signed_up(make_roost, simulator):
    """A Roost with an OAuth app on the simulated GitHub."""
    simulator.happen(app={"clientID": APP[1], "clientSecret": APP[3]})
    return make_roost(*APP, interval=3600)


def go_to_github(roost, simulator, visit):
    page = visit(roost, elsewhere=simulator.github_url).page("/settings/github")
    page.get_by_role("button", name="Go to GitHub").click()
    expect(page.get_by_role("heading")).to_have_text("Authorize the application")
    return page


def test_a_user_connects_by_signing_in_on_github(signed_up, simulator, visit):
    page = go_to_github(signed_up, simulator, visit)
    expect(page.locator("body")).to_contain_text("It asks for: repo read:org")
    send(page, "Authorize", login="ada")
    expect(page).to_have_url(re.compile(re.escape(f"{signed_up.url}/settings/github?flash=") + r"[\w-]+$"))
    expect(page.locator("#notice")).to_contain_text("ada at github.com is connected.")
    expect(page.locator("li.account")).to_contain_text("Ada Lovelace connected")
    page.goto("/pulls")
    expect(page.locator("#pulls-turn li.pull").first).to_be_visible()


def test_a_token_is_pasted_and_disconnected_in_two_steps(calm_roost, simulator, visit):
    page = visit(calm_roost).page("/settings/github")
    send(page, "Connect", githubToken="ghp_" + "0" * 36, host="github.com")
    refused(page, "githubToken", "GitHub rejected this token")
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
    expect(page.locator("#notice")).to_contain_text("Disconnected. Roost deleted the token")
    expect(account).to_have_count(0)
    expect(page.locator("main")).to_contain_text("No GitHub account yet.")
    assert inbox(calm_roost)["sources"] == []
