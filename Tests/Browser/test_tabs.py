"""Several tabs of one browser share one poll."""

import time

from playwright.sync_api import expect
from program import eventually
from visit import RECOVERY, row


def polls(roost):
    """The number of polls waiting in the server."""
    lines = roost.get("/metrics").text.splitlines()
    return int(next(line for line in lines if line.startswith("roost_polls_waiting ")).split()[1])


def settles_at_one(roost):
    """Waits for a single poll over some time: a tab that joins ends the other's poll, which the server sees later."""
    looks = []

    def is_settled():
        looks.append(polls(roost))
        time.sleep(0.1)
        # None while an answer is on its way.
        return looks[-1] == 1 and len(looks) >= 8 and max(looks[-8:]) == 1

    eventually("a single poll", is_settled)


def test_two_tabs_share_one_poll_and_both_show_a_change(calm_roost, visit):
    calm_roost.priced("bitcoin")
    browser = visit(calm_roost)
    one, other = browser.page("/watchlist"), browser.page("/watchlist")
    settles_at_one(calm_roost)
    calm_roost.watch("solana")
    expect(row(one, "solana")).to_be_visible()
    expect(row(other, "solana")).to_be_visible()
    settles_at_one(calm_roost)


def test_tabs_with_different_pages_share_one_poll(calm_roost, visit):
    calm_roost.priced("bitcoin")
    browser = visit(calm_roost)
    home, watchlist = browser.page("/"), browser.page("/watchlist")
    settles_at_one(calm_roost)
    calm_roost.watch("solana")
    calm_roost.display("Kitchen")
    expect(home.locator('.brief [data-key="solana"]')).to_be_visible()
    expect(home.get_by_role("region", name="Displays in trouble")).to_contain_text("was never opened.")
    expect(row(watchlist, "solana")).to_be_visible()


def test_the_second_tab_keeps_polling_after_the_first_closes(calm_roost, visit):
    calm_roost.priced("bitcoin")
    browser = visit(calm_roost)
    one, other = browser.page("/watchlist"), browser.page("/watchlist")
    settles_at_one(calm_roost)
    one.close()
    calm_roost.watch("solana")
    expect(row(other, "solana")).to_be_visible()


def test_a_change_in_one_tab_appears_in_the_other(calm_roost, visit):
    calm_roost.priced("bitcoin", "solana")
    browser = visit(calm_roost)
    one, other = browser.page("/watchlist"), browser.page("/watchlist")
    row(one, "solana").hover()
    one.get_by_role("button", name="Remove Solana", exact=True).click()
    expect(row(other, "solana")).to_have_count(0)


def test_tabs_continue_after_a_restart_without_a_reload(calm_roost, visit):
    calm_roost.priced("bitcoin")
    browser = visit(calm_roost)
    pages = [browser.page("/watchlist"), browser.page("/watchlist")]
    settles_at_one(calm_roost)
    host = calm_roost.host
    calm_roost.kill()
    for page in pages:
        expect(page.locator("#banner")).to_contain_text("Roost hasn’t responded since")
        expect(row(page, "bitcoin")).to_be_visible()
        # Hidden while there is no next refresh time.
        expect(page.locator(".freshness time[data-until]")).to_be_hidden()
        expect(page.locator(".freshness time[data-age]")).to_be_visible()
    calm_roost.listen(host)
    calm_roost.start()
    calm_roost.watch("solana")
    for page in pages:
        expect(page.locator("#banner")).to_be_empty(timeout=RECOVERY)
        expect(row(page, "solana")).to_be_visible()


def test_a_click_during_a_page_update_is_not_lost(calm_roost, visit):
    """A picture replaces the initials while the button after them is pressed; the button must not be moved in the DOM."""
    page = visit(calm_roost).page("/watchlist")
    page.evaluate("""async () => {
        Object.assign(window, await import(document.querySelector("script[src]").src.replace(/[^/]+$/, "morph.js")));
        const spot = parse('<div id="spot"><span>AL</span><details><summary>More</summary>Text</details></div>');
        document.querySelector("main").replaceChildren(spot.body.firstChild);
    }""")
    summary = page.locator("#spot summary")
    summary.hover()
    page.mouse.down()
    page.evaluate("""() => {
        const wanted = parse('<div><img alt=""><details><summary>More</summary>Text</details></div>');
        morph(document.getElementById("spot"), wanted.body.firstChild);
    }""")
    summary.hover()
    page.mouse.up()
    expect(page.locator("#spot img")).to_have_count(1)
    expect(page.locator("#spot details")).to_have_attribute("open", "")
