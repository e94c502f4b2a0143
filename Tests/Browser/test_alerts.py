"""Price alerts: made on the page, fired once for a crossing, also through a restart, and told where one wants it."""

import sqlite3

from playwright.sync_api import expect
from program import eventually
from test_pulls_notifications import browser_with, told


def alerts(roost):
    return roost.get("/api/v1/alerts").json["items"]


def make(roost, threshold="0.01", **more):
    """An alert of Bitcoin's; beyond its threshold unless another one is named."""
    made = roost.ask("POST", "/api/v1/alerts", {"coinId": "bitcoin", "kind": "above", "threshold": threshold, **more})
    assert made.status == 201, made.text
    return made.json


def as_if_below(roost):
    """The last price that the alerts know lay below; they fire with the next one."""
    with sqlite3.connect(roost.data / "roost.sqlite") as database:
        database.execute("UPDATE coin_alerts SET side = 'below', is_armed = 1")
    database.close()


def fired(roost):
    return eventually("the alert", lambda: [alert for alert in alerts(roost) if alert["firedAt"]])


def test_an_alert_is_made_changed_removed_and_brought_back(roost, visit):
    page = visit(roost).page("/alerts")
    form = page.get_by_role("region", name="New alert")
    form.get_by_label("Coin").fill("bitcoin")
    form.get_by_label("When").select_option(label="Price falls below")
    form.get_by_label("Price in USD, or percent").fill("much")
    form.get_by_role("button", name="Add alert").click()
    expect(form.locator(".field-error")).to_contain_text("Type a number above 0")
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
    page.get_by_role("button", name="Undo").click()
    expect(row).to_contain_text("below 0.25 USD")


def test_a_crossing_while_roost_is_stopped_fires_once_and_is_posted_once(roost, visit):
    grace = roost.add_user("grace")
    participants = [roost.get("/api/v1/me", guest=grace).json["userId"]]
    begun = roost.ask("POST", "/api/v1/conversations", {"participants": participants})
    assert begun.status in (200, 201), begun.text
    chat = begun.json["id"]
    roost.priced("bitcoin")
    assert make(roost, conversationId=chat)["isArmed"] is False
    roost.stop()
    as_if_below(roost)
    roost.start()
    text = fired(roost)[0]["firedText"]
    assert text.startswith("Bitcoin rose above 0.01 USD: it is at ")

    def posts():
        items = roost.get(f"/api/v1/conversations/{chat}/messages").json["items"]
        return [item["text"] for item in items if item["text"].startswith(text)]

    eventually("the post", posts)
    for _ in range(2):
        roost.stop()
        roost.start()
        seen = roost.items()[0]["fetchedAt"]
        eventually("a new price", lambda: roost.items()[0]["fetchedAt"] != seen)
    assert [alert["crossings"] for alert in alerts(roost)] == [1]
    assert len(posts()) == 1
    page = visit(roost).page("/alerts")
    expect(page.locator(".alert.new")).to_contain_text(text)
    expect(page).to_have_title("(2) Alerts · Roost")  # and its message in the chat
    page.get_by_role("button", name="Mark all as seen").click()
    expect(page.locator(".alert.new")).to_have_count(0)
    expect(page).to_have_title("(1) Alerts · Roost")


def test_the_count_and_the_page_follow_by_themselves_and_a_notification_comes_once(roost, visit):
    roost.priced("bitcoin")
    browser = browser_with(visit, roost, "default")
    page = browser.page("/alerts")
    button = page.get_by_role("button", name="Notify me in this browser")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    other = browser.page("/displays")
    make(roost)
    expect(page.locator(".alert")).to_contain_text("waits until the price is 0.5 % below it again")
    as_if_below(roost)
    text = fired(roost)[0]["firedText"]
    expect(page.locator(".alert.new")).to_contain_text(text)
    expect(other.locator(".in-title[data-topics=alerts]")).to_have_text("1")
    assert eventually("the notification", lambda: told(page))[0]["body"] == text
    roost.ask("POST", "/alerts/seen", "")
    expect(page.locator(".alert.new")).to_have_count(0)
    assert len(told(page)) == 1


def test_nobody_is_told_who_did_not_ask_for_it(roost, visit):
    roost.priced("bitcoin")
    page = browser_with(visit, roost, "granted").page("/alerts")
    make(roost)
    as_if_below(roost)
    fired(roost)
    expect(page.locator(".alert.new")).to_be_visible()
    assert told(page) == []


def test_without_javascript_alerts_are_made_armed_and_removed(roost, visit):
    roost.priced("bitcoin")
    page = visit(roost, java_script_enabled=False).page("/alerts/new?coin=bitcoin")
    form = page.get_by_role("region", name="New alert")
    expect(form.get_by_label("Coin")).to_have_value("bitcoin")
    form.get_by_label("Price in USD, or percent").fill("0.01")
    form.get_by_role("button", name="Add alert").click()
    expect(page.locator("#notice")).to_contain_text("Bitcoin is past this already")
    row = page.locator(".alert")
    row.locator("summary").click()
    row.get_by_role("button", name="Arm now").click()
    expect(page.locator("#notice")).to_contain_text("Bitcoin is past this already")
    row.locator("summary").click()
    row.get_by_role("button", name="Remove").click()
    expect(row).to_have_count(0)
    page.get_by_role("button", name="Undo").click()
    expect(row).to_have_count(1)


def test_a_phone_scrolls_down_and_not_sideways(roost, visit):
    make(roost, threshold="123456789012345678.123456789")
    page = visit(roost, viewport={"width": 320, "height": 640}).page("/alerts")
    expect(page.locator(".alert")).to_be_visible()
    page.locator(".alert summary").click()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
