"""Checks a page's appearance: no sideways scrolling, two font weights, no accessibility violations.

Uses a phone in light mode and a laptop in dark mode; with `Tests/run --all` every width in both. axe-core, the slowest check,
runs at one width in each mode. Both modes use the same page, because loading it again takes longer than checking it.
"""

from alltests import ALL
from axe_playwright_python.sync_playwright import Axe
from visit import overflow, screenshot

PHONE, LAPTOP, DESKTOP = (390, 844), (1280, 800), (1920, 1080)
NARROW = (320, 640)  # the narrowest phone, and a window at 400 percent
USUAL = {"light": PHONE, "dark": LAPTOP}
AXE = Axe()


def violations(page):
    """The violations that axe-core finds. Keeps axe-core in the page, because loading it takes as long as running it."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.axe_script)
    results = page.evaluate("() => axe.run({ resultTypes: ['violations'] })")["violations"]
    return [f"{each['id']}: {node['html'][:160]} {node['failureSummary']}" for each in results for node in each["nodes"]]


def weights(page):
    return set(page.evaluate("""() => [...document.querySelectorAll("body, body *")]
        .filter((element) => element.checkVisibility() && element.innerText?.trim())
        .map((element) => getComputedStyle(element).fontWeight)"""))


def small_fields(page):
    """Fields with text of less than 16 px, which iOS zooms in on."""
    return page.evaluate("""() => [...document.querySelectorAll("input, select, textarea")]
        .filter((field) => !["hidden", "file", "checkbox", "radio", "submit", "button", "range", "color"].includes(field.type))
        .filter((field) => parseFloat(getComputedStyle(field).fontSize) < 16)
        .map((field) => field.outerHTML.slice(0, 160))""")


def looks_right(page, name):
    for scheme, usual in USUAL.items():
        page.emulate_media(color_scheme=scheme)
        for size in [NARROW, PHONE, LAPTOP, DESKTOP] if ALL else [NARROW, usual]:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            screenshot(page, f"{name}-{size[0]}-{scheme}")
            assert overflow(page)[0] == 0, (size, scheme)
            if size == NARROW:
                assert weights(page) <= {"400", "600"}, scheme
                assert small_fields(page) == [], scheme
            if size == usual:
                assert violations(page) == [], (size, scheme)
