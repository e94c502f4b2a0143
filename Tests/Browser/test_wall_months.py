"""A wall over months: hours of the day, commands, a day of errors, and a signed-out screen."""

import re
from datetime import datetime, timedelta, timezone
from urllib.parse import urlencode

import pytest
from chat import meanwhile
from playwright.sync_api import expect
from program import eventually
from visit import is_marked, mark

# Milliseconds by which a clock is set forward at a time: a poll ends without an answer after 45 seconds on that clock.
STEP = 15_000
EAST, WEST = "Etc/GMT-5", "Etc/GMT+5"  # five hours ahead of UTC, and five behind


def set_up(roost, **settings):
    """Changes settings of the only display."""
    answer = roost.ask("POST", "/displays/1", urlencode({"name": "Wall", **settings}))
    assert answer.status == 303, answer.text


def command(roost, kind):
    assert roost.ask("POST", "/displays/1/command", urlencode({"kind": kind})).status == 303


def around_now(hours):
    """From an hour ago to an hour from now, on a clock this many hours ahead of UTC."""
    now = datetime.now(timezone.utc) + timedelta(hours=hours)
    return [f"{now + timedelta(hours=shift):%H:%M}" for shift in (-1, 1)]


def is_root(page, name):
    return page.evaluate("name => document.documentElement.classList.contains(name)", name)


def test_black_hours_follow_the_screens_clock_and_start_without_a_reload(calm_roost, visit):
    calm_roost.priced("bitcoin")
    link = calm_roost.display("Wall")
    east = visit(calm_roost, timezone_id=EAST).page(link)
    west = visit(calm_roost, timezone_id=WEST).page(link)
    mark(east)
    from_, until = around_now(5)
    set_up(calm_roost, **{f"black{end}{day}": time for day in range(7) for end, time in (("From", from_), ("Until", until))})
    expect(east.locator("html")).to_have_class(re.compile(r"\bblack\b"))
    expect(east.locator(".cell")).to_be_hidden()
    expect(west.locator(".cell")).to_be_visible()
    assert not is_root(west, "black")
    set_up(calm_roost, **{f"black{end}{day}": "" for day in range(7) for end in ("From", "Until")})
    expect(east.locator(".cell")).to_be_visible()
    assert is_marked(east)


def test_a_wall_is_dimmed_as_set_during_its_hours(calm_roost, visit):
    calm_roost.priced("bitcoin")
    link = calm_roost.display("Wall")
    from_, until = around_now(5)
    set_up(calm_roost, dimming=40, dimFrom=from_, dimUntil=until)
    shade = "rect => rect.getAttribute('fill-opacity')"
    east = visit(calm_roost, timezone_id=EAST).page(link)
    eventually("a shade", lambda: east.locator(".shade rect").evaluate(shade) == "0.4")
    west = visit(calm_roost, timezone_id=WEST).page(link)
    eventually("no shade", lambda: west.locator(".shade rect").evaluate(shade) == "0")
    corner = "() => document.elementFromPoint(200, 200).closest('.shade')"
    assert east.evaluate(corner) is None, "the shade intercepts clicks"


def test_a_theme_and_an_orientation_change_without_a_reload(calm_roost, visit):
    calm_roost.priced("bitcoin")
    page = visit(calm_roost).page(calm_roost.display("Wall"))
    mark(page)
    set_up(calm_roost, theme="light", orientation="portrait", language="de", headline="Feierabend um fünf")
    root = page.locator("html")
    expect(root).to_have_class(re.compile(r"\blight\b"))
    expect(root).to_have_class(re.compile(r"\bturn-portrait\b"))
    expect(page.locator(".headline")).to_have_text("Feierabend um fünf")
    expect(page.locator("[data-today]")).to_have_text(re.compile(r"(tag|woch), \d+\. "))
    set_up(calm_roost, showsClock="", form="settings", pages="coins", theme="dark", orientation="auto")
    expect(root).not_to_have_class(re.compile(r"\blight\b|turn-portrait"))
    expect(page.locator("[data-clock]")).to_have_count(0)
    assert is_marked(page)


# [hours, time, result of look()] in UTC; 23 November 2026 is a Monday.
HOURS = """async () => {
    const { look } = await import(document.querySelector("script[src]").src.replace(/[^/]+$/, "wall-schedule.js"));
    const at = (day, hour, minute) => +new Date(2026, 10, day, hour, minute);
    const night = [1320, 360];
    const black = [night, null, null, null, null, null, [60, 60]];
    const hours = { theme: "time", day: [420, 1140], dim: [1320, 420], dimming: 40, black };
    const times = [[23, 12, 0], [23, 22, 0], [24, 5, 59], [24, 6, 0], [24, 22, 0], [23, 0, 59], [23, 1, 0], [22, 0, 59], [22, 1, 0],
        [24, 7, 0], [24, 19, 0]];
    return times.map((time) => {
        const { isLight, isBlack, dimming } = look(hours, at(...time));
        return `${time}: ${[isLight ? "light" : "dark", ...(isBlack ? ["black"] : []), dimming].join(" ")}`;
    });
}"""


def test_the_screen_computes_the_same_hours_as_the_server(calm_roost, visit):
    """The same cases as in WallScheduleTests.swift."""
    page = visit(calm_roost).page(calm_roost.display("Wall"))
    assert page.evaluate(HOURS) == [
        "23,12,0: light 0", "23,22,0: dark black 40", "24,5,59: dark black 40", "24,6,0: dark 40", "24,22,0: dark 40",
        "23,0,59: dark black 40", "23,1,0: dark 40", "22,0,59: dark 40", "22,1,0: dark black 40", "24,7,0: light 0",
        "24,19,0: dark 0"]


def test_a_night_begins_while_the_server_is_down(calm_roost, visit):
    calm_roost.priced("bitcoin")
    link = calm_roost.display("Wall")
    from_, until = around_now(8)
    set_up(calm_roost, reloadAt="", **{f"black{end}{day}": time for day in range(7)
                                       for end, time in (("From", from_), ("Until", until))})
    browser = visit(calm_roost, timezone_id=EAST)
    page = browser.context.new_page()
    page.clock.install()
    page.goto(link)
    expect(page.locator(".cell")).to_be_visible()
    browser.context.set_offline(True)
    page.clock.fast_forward("03:00:00")
    expect(page.locator("html")).to_have_class(re.compile(r"\bblack\b"))
    page.clock.fast_forward("03:00:00")
    expect(page.locator(".cell")).to_be_visible()


def test_a_screen_shows_its_name_on_command(calm_roost, visit):
    calm_roost.priced("bitcoin")
    browser = visit(calm_roost)
    link = calm_roost.display("Wall")
    page = browser.context.new_page()
    page.clock.install()
    page.goto(link)
    identity = page.locator("#identity")
    expect(identity).to_be_hidden()
    command(calm_roost, "identify")
    expect(identity).to_have_text("Wall")
    expect(identity).to_be_visible()
    page.clock.run_for(11_000)
    expect(identity).to_be_hidden()


def test_a_black_screen_shows_its_name_too(calm_roost, visit):
    calm_roost.priced("bitcoin")
    page = visit(calm_roost).page(calm_roost.display("Wall"))
    set_up(calm_roost, **{f"black{end}{day}": "00:00" for day in range(7) for end in ("From", "Until")})
    expect(page.locator("html")).to_have_class(re.compile(r"\bblack\b"))
    command(calm_roost, "identify")
    expect(page.locator("#identity")).to_be_visible()


def test_a_screen_reloads_once_on_command_and_reports_it(calm_roost, visit):
    calm_roost.priced("bitcoin")
    page = visit(calm_roost).page(calm_roost.display("Wall"))
    loads, polls = [], []
    page.on("load", lambda _: loads.append(page.url))
    page.on("request", lambda request: polls.append(request.url) if "/changes?" in request.url else None)
    mark(page)
    with page.expect_event("load"):
        command(calm_roost, "reload")
    meanwhile(page, "a poll after it", lambda: polls and "reloads=1" in polls[-1])
    assert not is_marked(page)
    done = re.search(r"done=(\d+)", polls[-1])[1]
    assert int(done) > 0
    # A later command does not repeat the reload.
    mark(page)
    command(calm_roost, "identify")
    expect(page.locator("#identity")).to_be_visible()
    assert len(loads) == 1 and is_marked(page)


def test_a_day_of_503_keeps_the_prices_and_shows_since_when(calm_roost, visit):
    calm_roost.priced("bitcoin")
    link = calm_roost.display("Wall")
    set_up(calm_roost, reloadAt="")
    browser = visit(calm_roost)
    page = browser.context.new_page()
    page.clock.install()
    page.goto(link)
    mark(page)
    # The screen keeps polling even if a proxy says to retry after a day.
    page.route("**/*", lambda route: route.fulfill(status=503, headers={"Retry-After": "86400"}, body="down"))
    calm_roost.watch("solana")
    page.clock.fast_forward("00:02:00")
    banner = page.locator("#banner")
    eventually("the time of the outage", lambda: page.clock.run_for(STEP) or banner.inner_text())
    expect(banner).to_have_text(re.compile(r"^Roost hasn’t responded since \d\d:\d\d\. Showing the last prices\.$|day \d+ "))
    page.clock.fast_forward("25:00:00")
    eventually("the day of the outage", lambda: page.clock.run_for(STEP) or re.search(r"day \d+ \w+, \d\d:\d\d\.", banner.inner_text()))
    expect(page.locator('.cell[data-key="bitcoin"]')).to_be_visible()
    expect(page.locator(".age time")).to_have_text("1 day ago")
    expect(page.locator("#screen")).to_have_class(re.compile(r"\bold\b"))
    assert is_marked(page)
    page.unroute("**/*")
    eventually("the end of the outage", lambda: page.clock.run_for(STEP) or not banner.inner_text())


def test_a_screen_reloads_at_night_once_the_server_answers(calm_roost, visit):
    calm_roost.priced("bitcoin")
    link = calm_roost.display("Wall")
    browser = visit(calm_roost)
    page = browser.context.new_page()
    page.clock.install()
    page.goto(link)
    mark(page)
    page.route("**/display/**", lambda route: route.fulfill(status=503, body="down"))
    # The screen asks before it reloads. It must have the refusal before the server answers again.
    with page.expect_response(lambda response: response.status == 503 and response.url.endswith(link)):
        page.clock.fast_forward("26:00:00")
        page.clock.run_for(60_000)
    expect(page.locator(".cell")).to_be_visible()
    assert is_marked(page)
    page.unroute("**/display/**")
    with page.expect_event("load"):
        page.clock.fast_forward("00:11:00")
    expect(page.locator(".cell")).to_be_visible()
    assert not is_marked(page)


def test_a_screen_without_a_night_reload_does_not_reload(calm_roost, visit):
    calm_roost.priced("bitcoin")
    link = calm_roost.display("Wall")
    set_up(calm_roost, reloadAt="")
    browser = visit(calm_roost)
    page = browser.context.new_page()
    page.clock.install()
    page.goto(link)
    mark(page)
    page.clock.fast_forward("26:00:00")
    page.clock.run_for(60_000)
    expect(page.locator(".cell")).to_be_visible()
    assert is_marked(page)


@pytest.mark.parametrize("path", ["sign-out", "remove"])
def test_a_signed_out_paired_screen_shows_a_code_again(path, calm_roost, visit):
    calm_roost.priced("bitcoin")
    page = visit(calm_roost).page("/display")
    code = page.locator(".pair-code").inner_text()
    assert calm_roost.ask("POST", "/displays/pair", urlencode({"code": code, "name": "Hall"})).status == 303
    expect(page.locator(".cell")).to_be_visible()
    assert calm_roost.ask("POST", f"/displays/1/{path}", "").status == 303
    expect(page.locator(".pair-code")).to_be_visible()
    assert page.locator(".pair-code").inner_text() != code


def test_a_screen_shifts_by_a_few_pixels_and_keeps_its_rotation(calm_roost, visit):
    calm_roost.priced("bitcoin")
    link = calm_roost.display("Wall")
    set_up(calm_roost, orientation="portrait")
    browser = visit(calm_roost)
    page = browser.context.new_page()
    page.clock.install()
    page.goto(link)
    before = page.locator("body").evaluate("body => getComputedStyle(body).transform")
    page.clock.run_for(4 * 60_000)
    style = "body => [getComputedStyle(body).translate, getComputedStyle(body).transform]"
    translate, transform = page.locator("body").evaluate(style)
    assert translate != "none" and transform == before != "none"


# Counts held wake locks; a headless browser refuses real ones.
LOCKS = """globalThis.held = 0;
Object.defineProperty(Navigator.prototype, "wakeLock", { value: { request: async () => {
    globalThis.held += 1;
    return { release: async () => { globalThis.held -= 1; } };
} } });"""


def test_a_screen_holds_a_wake_lock_unless_it_is_black(calm_roost, visit):
    calm_roost.priced("bitcoin")
    link = calm_roost.display("Wall")
    browser = visit(calm_roost)
    browser.context.add_init_script(LOCKS)
    page = browser.page(link)
    eventually("a lock", lambda: page.evaluate("held") == 1)
    set_up(calm_roost, **{f"black{end}{day}": "00:00" for day in range(7) for end in ("From", "Until")})
    eventually("no lock", lambda: page.evaluate("held") == 0)
    set_up(calm_roost, **{f"black{end}{day}": "" for day in range(7) for end in ("From", "Until")})
    eventually("a lock again", lambda: page.evaluate("held") == 1)


def test_an_outage_does_not_move_the_layout(calm_roost, visit):
    calm_roost.priced("bitcoin", "solana")
    page = visit(calm_roost).page(calm_roost.display("Wall"))
    place = "() => [...document.querySelectorAll('.cell, .figure')].map((each) => JSON.stringify(each.getBoundingClientRect()))"
    before = page.evaluate(place)
    calm_roost.kill()
    expect(page.locator("#banner")).to_contain_text("Roost hasn’t responded since")
    assert page.evaluate(place) == before
