"""Times on pages are in the reader's time zone."""

from datetime import datetime, timedelta, timezone

import pytest
from playwright.sync_api import expect


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
