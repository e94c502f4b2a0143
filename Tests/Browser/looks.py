"""How a page looks at every width: nothing to scroll sideways, nothing that axe-core finds wrong."""

from axe_playwright_python.sync_playwright import Axe
from visit import overflow, screenshot

WIDTHS = [(390, 844), (1280, 800), (1920, 1080)]


def violations(page):
    results = Axe().run(page).response["violations"]
    return [f"{each['id']}: {node['html'][:160]} {node['failureSummary']}" for each in results for node in each["nodes"]]


def looks_right(page, name, scheme):
    for width, height in WIDTHS:
        page.set_viewport_size({"width": width, "height": height})
        screenshot(page, f"{name}-{width}-{scheme}")
        assert overflow(page)[0] == 0, (width, scheme)
        assert violations(page) == [], (width, scheme)
