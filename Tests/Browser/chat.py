"""Helpers for the pages of chat."""

import re

from playwright.sync_api import expect
from program import eventually
from visit import pixels

def meanwhile(page, what, question):
    """`eventually` for effects of the page's requests: Playwright handles routes only during calls to the page."""
    return eventually(what, lambda: (page.evaluate("0"), question())[1])


def open_chat(visit, team, who, chat, **options):
    """Opens the conversation in this person's own browser, with scripts running and the window focused."""
    page = visit(team.roost, team.guests[who], **options).page(f"/chat/{chat}")
    return ready(page)


def ready(page):
    """Waits for the page's scripts, which add the emoji button; returns the page."""
    expect(page.get_by_role("button", name="Emoji", exact=True)).to_be_visible()
    page.bring_to_front()
    return page


def composer(page):
    return page.locator("#composer textarea")


def write(page, text):
    """Types a text and sends it with Enter."""
    composer(page).fill(text)
    composer(page).press("Enter")


def message(page, text):
    exact = re.compile(f"^{re.escape(text)}$")
    return page.locator("li.message").filter(has=page.locator(".text").filter(has_text=exact))


def has_status(page, text, status):
    expect(message(page, text)).to_have_attribute("data-status", status)


def texts(page):
    """The texts on the page from top to bottom."""
    return page.locator("#messages .text").all_inner_texts()


def row(page, chat):
    return page.locator(f'#conversations [data-conversation="{chat}"]')


def act(page, text, name):
    """Opens a message's menu and presses the button of this name."""
    message(page, text).hover()
    message(page, text).locator(".more").click()
    page.locator("#message-menu").get_by_role("button", name=name, exact=True).click()


AWAY = "document.hasFocus = () => false"


def look_away(page):
    """Takes the focus from the window; a headless browser gives it to every page."""
    page.evaluate(f"() => {{ {AWAY}; }}")


def look_back(page):
    page.evaluate("""() => {
        delete document.hasFocus;
        dispatchEvent(new Event("focus"));
    }""")


def top_of(page, text):
    """A message's distance from the top edge of the history in pixels."""
    return message(page, text).evaluate(
        "(one) => one.getBoundingClientRect().top - document.getElementById('history').getBoundingClientRect().top")


def scroll_to(page, top):
    """Scrolls the history and waits for its scroll event."""
    page.evaluate("""(top) => new Promise((resolve) => {
        const history = document.getElementById("history");
        history.scrollTop = top;
        requestAnimationFrame(() => requestAnimationFrame(resolve));
    })""", top)


def is_at_end(page):
    return page.evaluate("""() => {
        const { scrollHeight, scrollTop, clientHeight } = document.getElementById("history");
        return scrollHeight - scrollTop - clientHeight < 3;
    }""")


def picture(name="clock.png", width=900, height=600):
    """A picture file for a file input."""
    return {"name": name, "mimeType": "image/png", "buffer": pixels(width, height)}


def hand_over(page, kind, selector, file):
    """Dispatches the event of pasting or dropping a file."""
    page.evaluate("""async ([kind, selector, name, type, bytes]) => {
        const data = new DataTransfer();
        data.items.add(new File([Uint8Array.from(bytes)], name, { type }));
        const options = { bubbles: true, cancelable: true };
        const event = kind === "paste"
            ? new ClipboardEvent("paste", { ...options, clipboardData: data })
            : new DragEvent(kind, { ...options, dataTransfer: data });
        document.querySelector(selector).dispatchEvent(event);
    }""", [kind, selector, file["name"], file["mimeType"], list(file["buffer"])])


def shown_picture(page):
    """Waits for the last picture; returns its natural width in pixels."""
    image = page.locator("#messages .picture img").last
    expect(image).to_be_visible()
    return eventually("the picture", lambda: image.evaluate("(one) => one.complete && one.naturalWidth"))


def hold(finger, target, menu):
    """Holds a finger on the target until the menu opens."""
    box = target.bounding_box()
    finger.down(box["x"] + 10, box["y"] + box["height"] / 2)
    expect(menu).to_be_visible()
    finger.up()
