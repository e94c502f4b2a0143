"""Account actions in a browser."""

from playwright.sync_api import expect

PASSWORD = "seven geese over reeds"


def fill(page, button=None, **fields):
    """Fills these fields in the form that has all of them (and the button, if named); returns the form."""
    form = page.locator("form")
    if button:
        form = form.filter(has=page.get_by_role("button", name=button, exact=True))
    for name in fields:
        form = form.filter(has=page.locator(f'[name="{name}"]'))
    for name, text in fields.items():
        form.locator(f'[name="{name}"]').fill(text)
    return form


def send(page, button, **fields):
    fill(page, button, **fields).get_by_role("button", name=button, exact=True).click()


def sign_in(page, name="ada", password="a lantern over water"):
    send(page, "Sign in", username=name, password=password)


def invite(page, note="The new neighbours", uses="1"):
    """Creates a join link on the owner's page; returns its address."""
    page.goto("/members/invitations")
    send(page, "Create link", note=note, uses=uses)
    link = page.get_by_role("textbox", name=f"Join link: {note}", exact=True)
    expect(link).to_be_visible()
    return link.input_value()


def member(page, name):
    return page.locator("li.display").filter(has=page.locator(".main .name", has_text=name))


def manage(page, name):
    """Opens a member's menu; returns the row."""
    page.goto("/members")
    member(page, name).locator("summary").get_by_text("Manage").click()
    return member(page, name)


def told_signed_out(page):
    expect(page.locator("#banner")).to_contain_text("You are signed out.")
    expect(page.locator("#banner").get_by_role("link", name="Sign in")).to_be_visible()


def person(page):
    """The signed-in user's name in the footer."""
    return page.locator("footer .person")


def refused(page, field, words):
    """Expects an error at its field, which is marked as invalid and focused."""
    box = page.locator(f"#{field}")
    expect(page.locator(f"#{field}-error")).to_contain_text(words)
    expect(box).to_have_attribute("aria-invalid", "true")
    assert f"{field}-error" in box.get_attribute("aria-describedby").split()
    expect(box).to_be_focused()
