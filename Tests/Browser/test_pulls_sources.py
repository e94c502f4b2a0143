"""Several accounts and hosts in one inbox."""

import pytest
from github import agrees, connect, inbox, keys, pull, refresh, section, try_again
from playwright.sync_api import expect
from program import Simulator, eventually
from test_pulls_outage import REST


@pytest.fixture(scope="module")
def enterprise():
    """A second simulated GitHub, as a GitHub Enterprise host."""
    simulator = Simulator("--seed", 7).start()
    yield simulator
    simulator.stop()


@pytest.fixture
def two_hosts(make_roost, enterprise):
    """A Roost configured with the enterprise host."""
    return make_roost("--github-hosts", enterprise.github_url, interval=3600)


def source_lines(page):
    return page.locator(".source-line > b")


def test_two_accounts_and_an_enterprise_host_share_one_inbox(two_hosts, simulator, enterprise, visit):
    name = enterprise.github_url.partition("//")[2]
    connect(two_hosts)
    page = visit(two_hosts).page("/pulls")
    expect(page.locator("li.pull").first).to_be_visible()
    expect(source_lines(page)).to_have_count(0)  # a single account is not named
    connect(two_hosts, "grace")
    connect(two_hosts, "ada", host=enterprise.github_url)
    expect(source_lines(page)).to_have_text(["ada at github.com", "grace at github.com", f"ada at {name}"])
    hosts = {item["host"] for item in section(two_hosts, "turn")}
    assert hosts == {"github.com", name}
    eventually("rows of both hosts", lambda: {key.split("/")[0] for key in keys(page)} == hosts)
    mine = simulator.happen(request={"login": "ada", "title": "For ada"})["pull"]["key"]
    hers = simulator.happen(request={"login": "grace", "author": "ada", "title": "For grace"})["pull"]["key"]
    ours = enterprise.happen(request={"login": "ada", "title": "For the company"})["pull"]["key"]
    refresh(two_hosts)
    wanted = [("github.com", mine, "For ada"), ("github.com", hers, "For grace"), (name, ours, "For the company")]
    for host, key, title in wanted:
        expect(pull(page, f"{host}/{key.replace('#', '/')}")).to_contain_text(title)
    row = pull(page, f"{name}/{ours.replace('#', '/')}")
    expect(row.locator("a.out")).to_have_attribute("href", f"{enterprise.github_url}/{ours.replace('#', '/pull/')}")
    expect(row.locator("a.name")).to_have_attribute("href", f"/pulls/{ours.replace('#', '/')}?host={name.replace(':', '%3A')}")
    agrees(page, two_hosts)


def test_a_host_that_does_not_answer_does_not_affect_the_others(two_hosts, simulator, enterprise, visit):
    name = enterprise.github_url.partition("//")[2]
    connect(two_hosts)
    connect(two_hosts, host=enterprise.github_url)
    page = visit(two_hosts).page("/pulls")
    enterprise.spoil("503-html")
    try:
        try_again(two_hosts)
        expect(page.locator(".error")).to_have_count(1)
        expect(page.locator(".error")).to_contain_text(
            f"ada at {name}: GitHub is temporarily unavailable. Please try again later. Try again in a few moments.")
        assert {key.split("/")[0] for key in keys(page)} == {"github.com", name}

        def states():
            return {source["host"]: source["state"] for source in inbox(two_hosts)["sources"]}

        eventually("both results", lambda: states() == {"github.com": "loaded", name: "failed"})
    finally:
        enterprise.clear()
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".error")).to_have_count(0, timeout=REST)
