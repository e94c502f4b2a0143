"""Times on pages are in the reader's time zone."""

import re
from datetime import datetime, timedelta, timezone

import pytest
from playwright.sync_api import expect
from program import eventually


@pytest.mark.parametrize("zone, hours", [("Pacific/Kiritimati", 14), ("Pacific/Pago_Pago", -11)])
def test_days_and_hours_are_in_the_readers_time_zone(zone, hours, calm_roost, visit):
    """The two time zones are never on the same day."""
    reader = visit(calm_roost, timezone_id=zone)
    moment = reader.page("/members/log").locator(".log time").first
    there = in_zone(moment, hours)
    expect(moment).to_have_text(f"{there.day} {there:%b} {there.year}, {there:%H:%M}")
    day = reader.page("/settings/security").locator("time[data-day]").first
    there = in_zone(day, hours)
    expect(day).to_have_text(f"{there.day} {there:%b} {there.year}")


def in_zone(time, hours):
    return datetime.fromisoformat(time.get_attribute("datetime")).astimezone(timezone(timedelta(hours=hours)))


def test_chosen_formats_and_a_chosen_time_zone_rule_over_the_browsers(calm_roost, visit):
    reader = visit(calm_roost, timezone_id="Pacific/Pago_Pago")
    page = reader.page("/settings/formats")
    page.get_by_label("Time zone").select_option("Asia/Tokyo")
    for choice in ("28.11.2026", "9:05\u00a0PM"):
        page.get_by_label(choice).check()
    page.get_by_role("button", name="Save formats").click()
    expect(page.locator("#notice")).to_contain_text("saved")
    try:
        page.goto("/members/log")
        moment = page.locator(".log time").first
        there = in_zone(moment, 9)
        clock = f"{there.hour % 12 or 12}:{there:%M}\u00a0{there:%p}"
        expect(moment).to_have_text(f"{there:%d.%m.%Y}, {clock}")
        without = visit(calm_roost, java_script_enabled=False).page("/members/log")
        expect(without.locator(".log time").first).to_have_text(f"{there:%d.%m.%Y}, {clock}")
    finally:
        page.goto("/settings/formats")
        page.get_by_role("button", name="Restore the standard formats").click()
        expect(page.locator("body")).not_to_have_attribute("data-formats", "dd.mm.yyyy;12;Asia/Tokyo")


def test_without_scripts_times_are_in_the_time_zone_that_the_browser_last_reported(calm_roost, visit):
    reader = visit(calm_roost, timezone_id="Pacific/Kiritimati")
    page = reader.page("/")
    eventually("the zone", lambda: [cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "roost_zone"]
               == ["Pacific/Kiritimati"])
    text = page.request.get(f"{calm_roost.url}/members/log").text()
    first = re.search(r'<time data-short datetime="([^"]+)">([^<]+)<', text)
    there = datetime.fromisoformat(first[1]).astimezone(timezone(timedelta(hours=14)))
    assert first[2] == f"{there.day} {there:%b} {there.year}, {there:%H:%M}"
