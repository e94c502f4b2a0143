"""What is wrong is said at its field, what was typed is kept, and passwords never are."""

from accounts import PASSWORD, refused, send, sign_in
from playwright.sync_api import expect
from program import NOBODY
from visit import pixels


def shown(page, **fields):
    for name, text in fields.items():
        expect(page.locator(f'[name="{name}"]').first).to_have_value(text)


def test_a_wrong_password_and_a_wrong_name_read_alike_and_keep_the_name(calm_roost, visit):
    page = visit(calm_roost, NOBODY).page("/login?next=/watchlist")
    for name in ("ada", "nobody-by-that-name", "<b>ada</b>"):
        sign_in(page, name, "not the password at all")
        expect(page.locator(".form-error")).to_have_text("The name or the password is wrong.")
        shown(page, username=name, password="")
        expect(page.locator("#password")).to_be_focused()
    sign_in(page)
    expect(page).to_have_url(f"{calm_roost.url}/watchlist")


def test_after_many_wrong_tries_one_reads_how_long_to_wait(calm_roost, visit):
    page = visit(calm_roost, NOBODY).page("/login")
    for _ in range(6):
        sign_in(page, "grace", "not the password at all")
        expect(page.locator(".form-error")).to_be_visible()
    sign_in(page, "grace", "not the password at all")
    expect(page.locator(".form-error")).to_contain_text("There were too many wrong tries. Try again in")
    shown(page, username="grace", password="")
    sign_in(page)
    expect(page).to_have_url(f"{calm_roost.url}/")  # another's wrong tries keep nobody out


def test_a_weak_password_is_refused_with_the_reason(calm_roost, visit):
    page = visit(calm_roost).page("/settings/security")
    for weak in ("password1234", "ada-ada-ada-ada", "zzzzzzzzzzzzzzz"):
        send(page, "Change password", current=calm_roost.PASSWORD, password=weak)
        refused(page, "password", "")
        shown(page, current="", password="")


def test_a_wrong_current_password_is_refused_at_its_field(calm_roost, visit):
    page = visit(calm_roost).page("/settings/security")
    send(page, "Change password", current="not the password at all", password=PASSWORD)
    refused(page, "current", "not your password")
    shown(page, current="", password="")


def test_a_wrong_password_deletes_no_account_and_leaves_the_question_open(calm_roost, visit):
    calm_roost.add_user("grace", "--owner")
    page = visit(calm_roost).page("/settings/security")
    page.get_by_text("Delete my account …").click()
    page.locator("#delete-password").fill("not the password at all")
    page.get_by_role("button", name="Delete my account for good").click()
    refused(page, "delete-password", "not your password")
    expect(page.locator("#password-error")).to_have_count(0)


def test_a_wrong_address_keeps_the_name_beside_it(calm_roost, visit):
    page = visit(calm_roost, java_script_enabled=False).page("/settings")
    send(page, "Save", displayName="Ada ‮ Lovelace", email="ada@example")
    expect(page.locator(".field-error").first).to_be_visible()
    shown(page, email="ada@example")
    expect(page.locator("footer .person")).to_contain_text("ada")


def test_a_file_that_is_no_picture_is_refused_at_its_field(calm_roost, visit, tmp_path):
    page = visit(calm_roost).page("/settings")
    for name, content in {"note.png": b"no picture", "empty.png": b""}.items():
        file = tmp_path / name
        file.write_bytes(content)
        page.get_by_label("Picture").set_input_files(file)
        page.get_by_role("button", name="Upload").click()
        refused(page, "avatar", "")


def test_a_picture_of_many_megabytes_is_made_small_before_it_is_sent(calm_roost, visit):
    page = visit(calm_roost).page("/settings")
    photograph = {"name": "photograph.png", "mimeType": "image/png", "buffer": pixels(1200, 900)}
    assert len(photograph["buffer"]) > 3_000_000
    page.get_by_label("Picture").set_input_files(photograph)
    page.get_by_role("button", name="Upload").click()
    expect(page.locator("#notice")).to_contain_text("Your profile is saved.")
    picture = page.locator(".portrait img")
    size = picture.evaluate("(image) => image.decode().then(() => [image.naturalWidth, image.naturalHeight])")
    assert size == [256, 192]  # the browser sends 512, Roost keeps 256


def test_a_file_of_many_megabytes_is_refused_in_words(calm_roost, visit):
    for scripts in (True, False):
        page = visit(calm_roost, java_script_enabled=scripts).page("/settings")
        film = {"name": "film.png", "mimeType": "image/png", "buffer": bytes(3_000_000)}
        page.get_by_label("Picture").set_input_files(film)
        page.get_by_role("button", name="Upload").click()
        expect(page.locator("main")).to_contain_text("What was sent is larger than Roost takes.")


def test_a_token_without_a_name_and_a_link_for_nobody_are_refused(calm_roost, visit):
    page = visit(calm_roost, java_script_enabled=False).page("/settings/tokens")
    page.get_by_label("read and write").check()
    page.get_by_label("in a year").check()
    send(page, "Create token", name="   ")
    refused(page, "token-name", "Name the token")
    expect(page.get_by_label("read and write")).to_be_checked()
    expect(page.get_by_label("in a year")).to_be_checked()
    page.goto("/members/invitations")
    page.get_by_label("30 days").check()
    page.locator("form.stack").evaluate("(form) => { form.noValidate = true; }")
    send(page, "Make a link", note="Neighbours", uses="0")
    refused(page, "uses", "100")
    shown(page, note="Neighbours", uses="0")
    expect(page.get_by_label("30 days")).to_be_checked()
