"""Scans QR codes on a page."""

import base64

import zxingcpp

GREY = """async (png) => {
    const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${png}`)).blob());
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context.drawImage(image, 0, 0);
    const { data } = context.getImageData(0, 0, image.width, image.height);
    let grey = "";
    for (let at = 0; at < data.length; at += 4) grey += String.fromCharCode((data[at] + data[at + 1] + data[at + 2]) / 3);
    return { width: image.width, height: image.height, grey: btoa(grey) };
}"""


def scan(page):
    """The text of the only QR code on the page, read from a screenshot."""
    blank = page.context.new_page()  # decodes the picture, which the page's own policy forbids
    picture = blank.evaluate(GREY, base64.b64encode(page.screenshot()).decode())
    blank.close()
    shape = (picture["height"], picture["width"])
    found = zxingcpp.read_barcodes(memoryview(base64.b64decode(picture["grey"])).cast("B", shape=shape))
    assert len(found) == 1, [each.text for each in found]
    return found[0].text
