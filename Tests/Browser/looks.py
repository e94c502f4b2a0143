"""How a page looks: nothing to scroll sideways, two weights of type, nothing that axe-core finds wrong.

On a phone by day and on a laptop by night; with `Tests/run --all` at every width by day and by night, where axe-core, which
takes longer than all else, still looks at one width by day and at one by night.
"""

from alltests import ALL
from axe_playwright_python.sync_playwright import Axe
from visit import overflow, screenshot

PHONE, LAPTOP, DESKTOP = (390, 844), (1280, 800), (1920, 1080)
NARROW = (320, 640)  # the narrowest phone, and a window at 400 percent
USUAL = {"light": PHONE, "dark": LAPTOP}


def violations(page):
    results = Axe().run(page).response["violations"]
    return [f"{each['id']}: {node['html'][:160]} {node['failureSummary']}" for each in results for node in each["nodes"]]


def weights(page):
    return set(page.evaluate("""() => [...document.querySelectorAll("body, body *")]
        .filter((element) => element.checkVisibility() && element.innerText?.trim())
        .map((element) => getComputedStyle(element).fontWeight)"""))


def looks_right(page, name, scheme):
    page.set_viewport_size({"width": NARROW[0], "height": NARROW[1]})
    screenshot(page, f"{name}-{NARROW[0]}-{scheme}")
    assert overflow(page)[0] == 0, (NARROW, scheme)
    assert weights(page) <= {"400", "600"}
    for size in [PHONE, LAPTOP, DESKTOP] if ALL else [USUAL[scheme]]:
        page.set_viewport_size({"width": size[0], "height": size[1]})
        screenshot(page, f"{name}-{size[0]}-{scheme}")
        assert overflow(page)[0] == 0, (size, scheme)
        if size == USUAL[scheme]:
            assert violations(page) == [], (size, scheme)
