import { parse } from "./morph.js";

const TYPING_TIMEOUT = 3_000; // milliseconds after which a typing indicator is checked again

const typing = document.getElementById("typing");
let timer;

/** Reacts to changes of who is typing, and of what the cards of links show. `get` fetches a page of the chat. */
export function follow([isTyping, ...cards], messages, get) {
    if (isTyping) recheckTyping();
    if (cards.includes(true)) updateCards(messages, get);
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

/** Shows the cards on the latest page as they are now. */
async function updateCards(messages, get) {
    const withCard = () => document.querySelectorAll(".message:has(.card)");
    const text = withCard().length && (await get(`/chat/${document.getElementById("content").dataset.chat}`));
    if (!text) return;
    const page = parse(text);
    messages.catchUp();
    for (const { id } of withCard()) {
        const message = page.getElementById(id);
        if (message) messages.put(message.outerHTML);
    }
    messages.settle();
}
