import { morph, parse } from "./morph.js";

const TYPING_TIMEOUT = 3_000; // milliseconds after which a typing indicator is checked again

const typing = document.getElementById("typing");
let timer;

/**
 * Shows what has changed, or else who is here and all cards. `topics` says which topics have changed: first that of the
 * typing line, then those of the cards. `get` fetches a page of the chat.
 */
export async function refresh(messages, get, topics) {
    const [isTyping, ...cards] = topics ?? [];
    if (isTyping) recheckTyping();
    if (!topics || (cards.includes(true) && document.querySelector(".message .card"))) await refreshPage(messages, get);
}

/** Roost reports when typing stops. If that report is lost, ask again, or clear the line while offline. */
function recheckTyping() {
    clearTimeout(timer);
    timer = setTimeout(() => {
        if (!typing.textContent.trim()) return;
        if (document.querySelector("html.offline")) typing.replaceChildren();
        typing.dispatchEvent(new Event("roost:refresh"));
        recheckTyping();
    }, TYPING_TIMEOUT);
}

/** The cards are those of the latest messages. */
async function refreshPage(messages, get) {
    const text = await get(`/chat/${document.getElementById("content").dataset.chat}`);
    if (!text) return;
    const page = parse(text);
    const header = page.querySelector(".conversation-header");
    if (!header) return;
    morph(document.querySelector(".conversation-header"), header);
    messages.catchUp();
    for (const { id } of document.querySelectorAll(".message:has(.card)")) {
        const message = page.getElementById(id);
        if (message) messages.put(message);
    }
    messages.settle();
}
