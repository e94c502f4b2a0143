"""How a page looks: nothing to scroll sideways, two weights of type, nothing that axe-core finds wrong.

On a phone by day and on a laptop by night; with `Tests/run --all` at every width by day and by night, where axe-core, which
takes longer than all else, still looks at one width by day and at one by night. It is the same page by day and by night:
to open it again takes longer than to look at it.
"""

from alltests import ALL
from axe_playwright_python.sync_playwright import Axe
from visit import overflow, screenshot

PHONE, LAPTOP, DESKTOP = (390, 844), (1280, 800), (1920, 1080)
NARROW = (320, 640)  # the narrowest phone, and a window at 400 percent
USUAL = {"light": PHONE, "dark": LAPTOP}
AXE = Axe()


def violations(page):
    """What axe-core finds wrong; it stays in the page, since to load it takes as long as to run it."""
    if not page.evaluate("() => 'axe' in window"):
        page.evaluate(AXE.axe_script)
    results = page.evaluate("() => axe.run({ resultTypes: ['violations'] })")["violations"]
    return [f"{each['id']}: {node['html'][:160]} {node['failureSummary']}" for each in results for node in each["nodes"]]


def weights(page):
    return set(page.evaluate("""() => [...document.querySelectorAll("body, body *")]
        .filter((element) => element.checkVisibility() && element.innerText?.trim())
        .map((element) => getComputedStyle(element).fontWeight)"""))


def looks_right(page, name):
    for scheme, usual in USUAL.items():
        page.emulate_media(color_scheme=scheme)
        for size in [NARROW, PHONE, LAPTOP, DESKTOP] if ALL else [NARROW, usual]:
            page.set_viewport_size({"width": size[0], "height": size[1]})
            screenshot(page, f"{name}-{size[0]}-{scheme}")
            assert overflow(page)[0] == 0, (size, scheme)
            if size == NARROW:
                assert weights(page) <= {"400", "600"}, scheme
            if size == usual:
                assert violations(page) == [], (size, scheme)
