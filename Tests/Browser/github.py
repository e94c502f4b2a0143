"""GitHub accounts and pull requests, as the tests of the browser and of the program use them."""

import re

from program import eventually


def token(login, fine_grained=False):
    """A token of somebody in the simulated GitHub: letters of the login and zeros, as `GitHubTokens` makes them."""
    letters = "Simulated" + "".join(sign for sign in login if sign.isascii() and sign.isalnum())
    if fine_grained:
        return f"github_pat_11{letters.ljust(20, '0').upper()}_{letters.ljust(59, '0')}"
    return f"ghp_{letters.ljust(36, '0')}"


def connect(roost, login="ada", guest=None, **more):
    """Connects an account by its token and waits for its first pull requests."""
    made = roost.ask("POST", "/api/v1/github-accounts", {"token": token(login), **more}, guest=guest)
    assert made.status == 201, made.text
    eventually("the inbox", lambda: all(source["state"] == "loaded" for source in inbox(roost, guest)["sources"]))
    return made.json


def inbox(roost, guest=None):
    answer = roost.get("/api/v1/pulls", guest=guest)
    assert answer.status == 200, answer.text
    return answer.json


def section(roost, id, guest=None):
    return next(section["items"] for section in inbox(roost, guest)["sections"] if section["id"] == id)


def try_again(roost, guest=None):
    """What a reader's "Try again" does."""
    eventually("a new try", lambda: "flash" not in roost.ask("POST", "/pulls/refresh", "", guest=guest).headers["Location"])


def try_until(roost, what, condition):
    """Tries again until Roost knows it; a refresh that was under way before may take the first try for itself."""
    def holds():
        try_again(roost)
        return condition()

    eventually(what, holds, 60, every=2)


def fails(roost):
    """Tries again until GitHub's error has come."""
    try_until(roost, "an error", lambda: inbox(roost)["sources"][0]["state"] == "failed")


def refresh(roost, guest=None):
    """Tries again, until GitHub has answered after it; Roost rests up to half a minute after a refresh that was slow."""
    before = [source.get("updatedAt") for source in inbox(roost, guest)["sources"]]
    try_again(roost, guest)
    eventually("an answer of GitHub", lambda: all(
        new.get("updatedAt") != old for new, old in zip(inbox(roost, guest)["sources"], before)), 40)


def asked(simulator, roost, title, **more):
    """A new request for ada's review; answers the row's key, and the name at GitHub, once Roost knows it."""
    name = simulator.happen(request={"login": "ada", "title": title, **more})["pull"]["key"]
    refresh(roost)
    return f"github.com/{name.replace('#', '/')}", name


def act(page, key, name):
    """Presses one of the buttons of a row, as a mouse finds them."""
    row = pull(page, key)
    row.hover()
    row.get_by_role("button", name=re.compile(f"^{name}")).click()


def away(page):
    """The panel of what was put away, opened."""
    from playwright.sync_api import expect  # the benchmarks use the rest of this file, and no browser

    panel = page.locator("#hidden-pulls")
    expect(panel).to_be_visible()
    if panel.get_attribute("open") is None:
        panel.locator("summary").click()
    return panel


def pull(page, key):
    """The row of a pull request."""
    return page.locator(f'li.pull[data-key="{key}"]')


def keys(page, id=None):
    """The rows of one list, or of all."""
    return page.locator(f"#pulls-{id} li.pull" if id else "li.pull").evaluate_all("rows => rows.map((row) => row.dataset.key)")


def waiting(page):
    """The figure beside "Pull requests" in the navigation."""
    return page.locator('nav a[href="/pulls"] .count')


def has_title(page, count):
    from playwright.sync_api import expect

    expect(page).to_have_title(re.compile(rf"^\({count}\) Pull requests" if count else "^Pull requests"))
