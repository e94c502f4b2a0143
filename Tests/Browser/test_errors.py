"""Pages when Roost does not answer."""

from playwright.sync_api import expect
from visit import row


def test_a_page_says_that_nothing_changed_when_roost_does_not_answer(roost, visit):
    roost.priced("bitcoin", "solana")
    page = visit(roost).page("/watchlist")
    roost.kill()
    row(page, "solana").hover()
    page.get_by_role("button", name="Remove Solana", exact=True).click()
    expect(page.locator("#notice")).to_contain_text("Roost does not answer. Nothing was changed")
    expect(row(page, "solana")).to_be_visible()
