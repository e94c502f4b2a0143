"""Avatars: the browser scales pictures down; a large file that it cannot scale is refused."""

from playwright.sync_api import expect
from visit import pixels


def test_a_large_picture_is_scaled_down_before_the_upload(shared_roost, visit):
    page = visit(shared_roost).page("/settings")
    photograph = {"name": "photograph.png", "mimeType": "image/png", "buffer": pixels(1200, 900)}
    assert len(photograph["buffer"]) > 3_000_000
    page.get_by_label("Picture").set_input_files(photograph)
    page.get_by_role("button", name="Upload").click()
    expect(page.locator("#notice")).to_contain_text("Profile saved.")
    picture = page.locator(".portrait img")
    size = picture.evaluate("(image) => image.decode().then(() => [image.naturalWidth, image.naturalHeight])")
    assert size == [128, 96]  # the browser sends 512, Roost keeps 128


def test_a_large_file_that_is_no_picture_is_refused_with_a_reason(shared_roost, visit):
    for scripts in (True, False):
        page = visit(shared_roost, java_script_enabled=scripts).page("/settings")
        film = {"name": "film.png", "mimeType": "image/png", "buffer": bytes(3_000_000)}
        page.get_by_label("Picture").set_input_files(film)
        page.get_by_role("button", name="Upload").click()
        expect(page.locator("main")).to_contain_text("The request is larger than Roost accepts.")
