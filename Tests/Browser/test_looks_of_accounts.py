"""The account pages at every width, with long names, names in other scripts, and long lists."""

import re
from urllib.parse import urlencode

import pytest
from accounts import invite, manage, send
from looks import looks_right
from playwright.sync_api import expect
from program import NOBODY, Roost
from visit import pixels

PEOPLE = {"grace": "Grace Hopper", "李小龙": "李 小龙", "Добрыня": "Добрыня Никитич из Рязани",
          "محمد": "محمد بن موسى الخوارزمي",
          "a" * 64: "The very long name of somebody who really could not decide at a"}
LINKS = {"The new neighbours": 10, "": 1, "Office, third floor, the people beside the kitchen, visitors": 20}
DEVICES = ["Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "curl/8.5", ""]


@pytest.fixture(scope="module")
def house(running_simulator, tmp_path_factory):
    """A Roost with several users, many sessions, and links and tokens of every kind."""
    roost = Roost(running_simulator, tmp_path_factory.mktemp("house") / "data", interval=3600).start()

    def post(path, **fields):
        made = roost.ask("POST", path, urlencode(fields))
        assert made.status == 303, made.text
        return made.headers["Location"]

    roost.links = []
    for note, uses in LINKS.items():
        page = roost.get(post("/members/invitations", note=note, days=7, uses=uses)).text
        roost.links.append(re.search(r'/join/[0-9A-Z-]{19}', page)[0])
    for name, shown in PEOPLE.items():
        roost.ask("POST", "/api/v1/users", {
            "username": name, "displayName": shown, "password": roost.PASSWORD,
            "joinCode": roost.links[0].rpartition("/")[2]}, guest=NOBODY)
        for device in DEVICES:
            roost.ask("POST", "/api/v1/sessions", {"username": name, "password": roost.PASSWORD},
                      headers={"User-Agent": device}, guest=NOBODY)
    for password in (roost.PASSWORD, "not the password at all"):
        roost.ask("POST", "/api/v1/sessions", {"username": "ada", "password": password}, guest=NOBODY)
    post("/members/invitations/2/revoke")
    post("/members/2/role", role="owner")
    post("/settings/tokens", name="Home automation in the kitchen, with a name that goes on", scope="write", days=0)
    post("/settings/tokens", name="Backup", scope="read", days=90)
    yield roost
    roost.stop()


def goes_to(path):
    return lambda roost, page: page.goto(path)


def with_a_picture(roost, page):
    page.goto("/settings")
    page.get_by_label("Picture").set_input_files({"name": "me.png", "mimeType": "image/png", "buffer": pixels(64, 64)})
    page.get_by_role("button", name="Upload").click()
    expect(page.locator(".portrait img")).to_be_visible()


def with_no_picture(roost, page):
    page.goto("/settings")
    page.get_by_label("Picture").set_input_files({"name": "me.png", "mimeType": "image/png", "buffer": b"no picture"})
    page.get_by_role("button", name="Upload").click()
    expect(page.locator("#avatar-error")).to_be_visible()


def wrong_password(roost, page):
    page.goto("/settings/security")
    send(page, "Change password", current="not the password at all", password="password1234")
    expect(page.locator("#current-error")).to_be_visible()


def about_to_delete(roost, page):
    page.goto("/settings/security")
    page.get_by_text("Delete my account …").click()
    expect(page.locator("#delete-password")).to_be_visible()


def a_new_token(roost, page):
    page.goto("/settings/tokens")
    send(page, "Create token", name="Backup")
    expect(page.get_by_role("textbox", name="Token “Backup”")).to_be_visible()


def managed(roost, page):
    manage(page, "Grace Hopper").get_by_text("Remove …").click()


def a_reset_link(roost, page):
    manage(page, "Grace Hopper").get_by_role("button", name="Create reset link").click()
    expect(page.get_by_role("img", name="QR code of the link")).to_be_visible()


def a_new_link(roost, page):
    invite(page)


def a_wrong_sign_in(roost, page):
    page.goto("/login?next=/watchlist")
    page.get_by_text("Forgot your password?").click()
    send(page, "Sign in", username="nobody-by-that-name", password="not the password at all")
    expect(page.locator(".form-error")).to_be_visible()


def joining(roost, page):
    page.goto(roost.links[2])


def a_weak_password(roost, page):
    page.goto(roost.links[2])
    send(page, "Join", username="alan", password="password1234")
    expect(page.locator("#password-error")).to_be_visible()


def a_closed_link(roost, page):
    page.goto(roost.links[1])


MEMBERS = {"profile": goes_to("/settings"), "picture": with_a_picture, "no-picture": with_no_picture,
           "security": goes_to("/settings/security"), "wrong-password": wrong_password, "delete": about_to_delete,
           "tokens": goes_to("/settings/tokens"), "new-token": a_new_token, "members": goes_to("/members"),
           "managed": managed, "reset-link": a_reset_link, "invitations": goes_to("/members/invitations"),
           "new-link": a_new_link, "poster": goes_to("/members/invitations/1"), "sessions": goes_to("/members/sessions"),
           "log": goes_to("/members/log"), "status": goes_to("/settings/status")}
STRANGERS = {"login": goes_to("/login"), "signed-out": goes_to("/login?out=1"), "wrong-sign-in": a_wrong_sign_in,
             "join": joining, "weak-password": a_weak_password, "code": goes_to("/join?code=x"), "closed": a_closed_link}


@pytest.mark.parametrize("name", [*MEMBERS, *STRANGERS])
def test_a_page_fits_and_has_no_accessibility_violations(name, house, visit):
    guest = None if name in MEMBERS else NOBODY
    page = visit(house, guest, reduced_motion="reduce").page("about:blank")
    (MEMBERS | STRANGERS)[name](house, page)
    looks_right(page, name)


def test_the_setup_fits_and_has_no_accessibility_violations(make_roost, visit):
    roost = make_roost(settled=False)
    page = visit(roost, NOBODY, reduced_motion="reduce").page("/setup")
    looks_right(page, "setup")
