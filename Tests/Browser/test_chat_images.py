"""Images and files: picked, pasted or dropped, uploaded before the message, and shown small and upright."""

import base64
import re
import struct

import pytest
from chat import composer, hand_over, has_status, meanwhile, message, open_chat, picture, shown_picture, write
from playwright.sync_api import expect
from program import eventually

ON_ITS_WAY = re.compile("sent|delivered|read")
FILES = re.compile(r"/api/v1/conversations/[^/]+/files$")
PHOTOGRAPH = """async () => {
    const canvas = document.createElement("canvas");
    canvas.width = 900;
    canvas.height = 300;
    canvas.getContext("2d").fillRect(0, 0, 900, 100);
    const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg"));
    return btoa(String.fromCharCode(...new Uint8Array(await blob.arrayBuffer())));
}"""


def attach(page, *files):
    page.locator("#composer input[type=file]").set_input_files(list(files))


def attached(page):
    return page.locator("#composer .attachments li")


def is_uploaded(page):
    """Waits until every chosen file is uploaded."""
    expect(attached(page).first).to_be_visible()
    expect(attached(page).locator("progress")).to_have_count(0)


def last_image(page):
    return page.locator("#messages .picture img").last


def test_a_picture_that_the_browser_cannot_show_says_so_and_offers_the_download(team, visit):
    chat = team.group("Formats")
    page = open_chat(visit, team, "ada", chat)
    heic = b"\0\0\0\x18ftypheic\0\0\0\0mif1heic" + bytes(100)
    attach(page, {"name": "beach.heic", "mimeType": "image/heic", "buffer": heic})
    is_uploaded(page)
    write(page, "Beach")
    sent = message(page, "Beach")
    shown = sent.locator(".preview img")
    expect(shown).to_be_visible()
    shown.scroll_into_view_if_needed()
    eventually("the sentence", lambda: shown.evaluate("(image) => image.naturalWidth && image.currentSrc.endsWith('/thumbnail')"))
    expect(sent.locator("a.file")).to_have_attribute("download", "beach.heic")


def test_a_picked_image_is_previewed_and_seen_by_the_others(team, visit):
    chat = team.group("Picked")
    adas, graces = (open_chat(visit, team, who, chat) for who in ("ada", "grace"))
    attach(adas, picture())
    expect(attached(adas).locator("img")).to_be_visible()
    is_uploaded(adas)
    write(adas, "The clock")
    expect(attached(adas)).to_have_count(0)
    expect(message(graces, "The clock").locator(".picture img")).to_be_visible()
    assert shown_picture(graces) == 640  # the thumbnail that Ada's browser made of 900 pixels
    # Until her page has it from Roost, it shows a smaller preview.
    eventually("the same at Ada’s", lambda: shown_picture(adas) == 640)
    [sent] = team.messages(chat)
    assert sent["file"]["name"] == "clock.png" and sent["text"] == "The clock"
    whole = team.roost.get(sent["file"]["url"], guest=team.guests["grace"])
    assert whole.headers["Content-Type"] == "image/png"
    assert struct.unpack(">II", whole.body[16:24]) == (900, 600)


@pytest.mark.parametrize("kind", ["paste", "drop"])
def test_a_pasted_or_dropped_image_needs_no_text(kind, team, visit):
    chat = team.group(f"By {kind}")
    adas, graces = (open_chat(visit, team, who, chat) for who in ("ada", "grace"))
    hand_over(adas, kind, "#composer textarea" if kind == "paste" else "#history", picture("wide.png", 660, 12))
    expect(attached(adas).locator("img")).to_be_visible()
    composer(adas).press("Enter")
    expect(last_image(graces)).to_be_visible()
    assert shown_picture(graces) == 640
    assert team.texts(chat) == [""]


def test_a_message_waits_for_its_image_and_is_not_lost(team, visit):
    chat = team.group("Slow upload")
    page = open_chat(visit, team, "ada", chat)
    held = []
    page.route(FILES, lambda route: held.append(route))
    attach(page, picture())
    meanwhile(page, "the upload", lambda: held)
    expect(attached(page).locator("progress")).to_be_visible()
    write(page, "With a picture")
    expect(composer(page)).to_have_value("With a picture")
    assert team.texts(chat) == []
    held.pop().continue_()
    has_status(page, "With a picture", ON_ITS_WAY)
    expect(composer(page)).to_have_value("")
    assert team.messages(chat)[0]["file"]["name"] == "clock.png"


def test_a_failed_upload_can_be_retried_or_removed(team, visit):
    chat = team.group("Failing upload")
    page = open_chat(visit, team, "ada", chat)
    page.route(FILES, lambda route: route.abort())
    attach(page, picture("first.png", 20, 20), picture("second.png", 20, 20))
    for number in range(2):
        expect(attached(page).nth(number)).to_contain_text("Roost does not answer.")
    page.unroute(FILES)
    attached(page).nth(0).get_by_role("button", name="Try again").click()
    attached(page).nth(1).get_by_role("button", name="Remove").click()
    expect(attached(page)).to_have_count(1)
    is_uploaded(page)
    write(page, "One of two")
    has_status(page, "One of two", ON_ITS_WAY)
    assert [each["file"]["name"] for each in team.messages(chat)] == ["first.png"]


def test_several_images_become_messages_in_their_order(team, visit):
    chat = team.group("Several")
    page = open_chat(visit, team, "ada", chat)
    names = ["one.png", "two.png", "three.png"]
    for name in names:
        attach(page, picture(name, 20, 20))
    # The first choice loads the script; choices during the load keep their order.
    expect(attached(page)).to_have_text([re.compile(name) for name in names])
    is_uploaded(page)
    write(page, "Three of them")
    sent = eventually("three messages", lambda: (found := team.messages(chat))[2:] and found)
    assert [message["file"]["name"] for message in sent] == names
    assert team.texts(chat) == ["Three of them", "", ""]


def test_a_photograph_held_upright_is_shown_upright(team, visit):
    """Cameras store their orientation in EXIF tag 0x0112; 6 is a quarter turn."""
    chat = team.group("Upright")
    page = open_chat(visit, team, "ada", chat)
    plain = base64.b64decode(page.evaluate(PHOTOGRAPH))
    tiff = b"MM\0*\0\0\0\x08" + b"\0\x01" + struct.pack(">HHIHH", 0x0112, 3, 1, 6, 0) + b"\0\0\0\0"
    exif = b"Exif\0\0" + tiff
    turned = plain[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + plain[2:]
    attach(page, {"name": "photograph.jpg", "mimeType": "image/jpeg", "buffer": turned})
    is_uploaded(page)
    composer(page).press("Enter")
    # 300 × 900 scaled to 640 high is 213 wide; until it is sent, the browser shows its own smaller preview.
    eventually("the picture as it was sent", lambda: shown_picture(page) == 213)
    [sent] = eventually("the message", lambda: team.messages(chat))
    assert (sent["file"]["width"], sent["file"]["height"]) == (300, 900)


def test_a_file_is_shown_with_its_name(team, visit):
    chat = team.group("File")
    adas, graces = (open_chat(visit, team, who, chat) for who in ("ada", "grace"))
    attach(adas, {"name": "tides.csv", "mimeType": "text/csv", "buffer": b"time,height\n"})
    is_uploaded(adas)
    composer(adas).press("Enter")
    link = graces.locator("#messages a.file")
    expect(link).to_contain_text("tides.csv")
    with graces.expect_download() as download:
        link.click()
    assert download.value.suggested_filename == "tides.csv"


def test_a_file_that_is_too_large_is_refused_before_the_upload(team, visit, tmp_path):
    page = open_chat(visit, team, "ada", team.group("Too large"))
    asked = []
    page.route(FILES, lambda route: asked.append(route))
    film = tmp_path / "film.bin"
    film.write_bytes(bytes(10 * 1024 * 1024 + 1))
    attach(page, film)  # from the disk: bytes on their way through the browser's pipe take long on a busy machine
    expect(attached(page)).to_contain_text("film.bin is larger than 10 MB.")
    assert asked == []
