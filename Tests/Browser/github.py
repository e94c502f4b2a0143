"""GitHub accounts and pull requests for the tests."""

import re

from program import eventually


def token(login, fine_grained=False):
    """A user's token in the simulated GitHub: the login and zeros, as `GitHubTokens` generates it."""
    letters = "Simulated" + "".join(sign for sign in login if sign.isascii() and sign.isalnum())
    if fine_grained:
        return f"github_pat_11{letters.ljust(20, '0').upper()}_{letters.ljust(59, '0')}"
    return f"ghp_{letters.ljust(36, '0')}"


def connect(roost, login="ada", guest=None, **more):
    """Connects an account with its token and waits for its first pull requests.

    On a busy machine the simulated GitHub may answer too late; a user would try again.
    """
    def try_once():
        made = roost.ask("POST", "/api/v1/github-accounts", {"token": token(login), **more}, guest=guest)
        return made if made.status != 503 else None

    made = eventually("an answer of GitHub", try_once, 60)
    assert made.status == 201, made.text
    eventually("the inbox", lambda: all(source["state"] == "loaded" for source in inbox(roost, guest)["sources"]))
    return made.json


def inbox(roost, guest=None):
    answer = roost.get("/api/v1/pulls", guest=guest)
    assert answer.status == 200, answer.text
    return answer.json


def section(roost, id, guest=None):
    return next(section["items"] for section in inbox(roost, guest)["sections"] if section["id"] == id)


def first_of(roost, id, guest=None):
    """The first row of a section, once there is one."""
    return eventually(f"a row of {id}", lambda: section(roost, id, guest))[0]


def try_again(roost, guest=None):
    """Does what "Try again" on a page does."""
    eventually("another try", lambda: "flash" not in roost.ask("POST", "/pulls/refresh", "", guest=guest).headers["Location"])


def try_until(roost, what, condition):
    """Tries again until the condition holds. Checks the condition first, because a try in progress shows as loading."""
    def holds():
        if condition():
            return True
        try_again(roost)
        return False

    eventually(what, holds, 60, every=2)


def fails(roost):
    """Tries again until GitHub's error is reported."""
    try_until(roost, "an error", lambda: inbox(roost)["sources"][0]["state"] == "failed")


def refresh(roost, guest=None):
    """Tries again until GitHub has answered; Roost rests for up to half a minute after a slow refresh."""
    before = [source.get("updatedAt") for source in inbox(roost, guest)["sources"]]

    def is_newer():
        if all(new.get("updatedAt") != old for new, old in zip(inbox(roost, guest)["sources"], before)):
            return True
        try_again(roost, guest)  # again, because two responses in one second have the same time
        return False

    eventually("a response from GitHub", is_newer, 40, every=2)


def asked(simulator, roost, title, **more):
    """Requests ada's review and waits for it in Roost; returns the row's key and GitHub's name."""
    name = simulator.happen(request={"login": "ada", "title": title, **more})["pull"]["key"]
    refresh(roost)
    return f"github.com/{name.replace('#', '/')}", name


def act(page, key, name):
    """Presses a row's button, which appears on hover."""
    row = pull(page, key)
    row.hover()
    row.get_by_role("button", name=re.compile(f"^{name}")).click()


def away(page):
    """Opens the panel of hidden pull requests and returns it."""
    from playwright.sync_api import expect  # the benchmarks import this file without a browser

    panel = page.locator("#hidden-pulls")
    expect(panel).to_be_visible()
    if panel.get_attribute("open") is None:
        panel.locator("summary").click()
    return panel


def pull(page, key):
    return page.locator(f'li.pull[data-key="{key}"]')


def keys(page, id=None):
    """The keys of the rows in one list, or in all."""
    return page.locator(f"#pulls-{id} li.pull" if id else "li.pull").evaluate_all("rows => rows.map((row) => row.dataset.key)")


def waiting(page):
    """The count next to "Pull requests" in the navigation."""
    return page.locator('nav a[href="/pulls"] .count')


def agrees(page, roost):
    """Waits until the navigation shows Roost's count, which the simulation may change at any time; returns it."""
    def count():
        wanted = len(section(roost, "turn"))
        return waiting(page).text_content() == str(wanted) and wanted

    return eventually("Roost's count on the page", count)
