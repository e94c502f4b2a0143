"""Price alerts: created on the page, fired once for each crossing, and announced if the user asked for it."""

import sqlite3

from playwright.sync_api import expect
from program import eventually
from test_pulls_notifications import browser_with, told


def alerts(roost):
    return roost.get("/api/v1/alerts").json["items"]


def make(roost, threshold="0.01", **more):
    """Creates an alert for Bitcoin; the default threshold is already passed."""
    made = roost.ask("POST", "/api/v1/alerts", {"coinId": "bitcoin", "kind": "above", "threshold": threshold, **more})
    assert made.status == 201, made.text
    return made.json


def as_if_below(roost):
    """Makes the alerts' last price lie below the threshold, so that the next price fires them."""
    with sqlite3.connect(roost.data / "roost.sqlite") as database:
        database.execute("UPDATE coin_alerts SET side = 'below', is_armed = 1")
    database.close()


def fired(roost):
    return eventually("the alert", lambda: [alert for alert in alerts(roost) if alert["firedAt"]])


def test_an_alert_is_created_changed_deleted_and_restored(roost, visit):
    page = visit(roost).page("/alerts")
    form = page.get_by_role("region", name="New alert")
    form.get_by_label("Coin").fill("bitcoin")
    form.get_by_label("When").select_option(label="Price falls below")
    form.get_by_label("Price in USD, or percent").fill("much")
    form.get_by_role("button", name="Add alert").click()
    expect(form.locator(".field-error")).to_contain_text("Enter a number above 0")
    form.get_by_label("Price in USD, or percent").fill("0.5")
    form.get_by_role("button", name="Add alert").click()
    row = page.locator(".alert")
    expect(row).to_contain_text("below 0.5 USD")
    expect(form.get_by_label("Price in USD, or percent")).to_have_value("")
    row.locator("summary").click()
    row.get_by_label("Price in USD, or percent").fill("0.25")
    row.get_by_role("button", name="Save").click()
    expect(row).to_contain_text("below 0.25 USD")
    if not row.get_by_role("button", name="Remove").is_visible():
        row.locator("summary").click()
    row.get_by_role("button", name="Remove").click()
    expect(row).to_have_count(0)
    page.get_by_role("button", name="Undo", exact=True).click()
    expect(row).to_contain_text("below 0.25 USD")


def test_the_count_and_the_page_update_and_one_notification_is_shown(roost, visit):
    roost.priced("bitcoin")
    browser = browser_with(visit, roost, "default")
    page = browser.page("/alerts")
    button = page.get_by_role("button", name="Notify me in this browser")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    other = browser.page("/displays")
    make(roost)
    expect(page.locator(".alert")).to_contain_text("Paused until the price falls below")
    as_if_below(roost)
    text = fired(roost)[0]["firedText"]
    expect(page.locator(".alert.new")).to_contain_text(text)
    expect(other.locator(".in-title[data-topics=alerts]")).to_have_text("1")
    assert eventually("the notification", lambda: told(page))[0]["body"] == text
    roost.ask("POST", "/alerts/seen", "")
    expect(page.locator(".alert.new")).to_have_count(0)
    assert len(told(page)) == 1


def test_the_page_does_not_scroll_sideways_on_a_phone(roost, visit):
    make(roost, threshold="123456789012345678.123456789")
    page = visit(roost, viewport={"width": 320, "height": 640}).page("/alerts")
    expect(page.locator(".alert")).to_be_visible()
    page.locator(".alert summary").click()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
