import { own } from "./forms.js";
import { parse } from "./morph.js";
import { seqOf } from "./chat-messages.js";

const PAUSE = 2_000; // milliseconds after a failure

let isBusy = false;

/** Loads the page of a link at either end of the messages and adds its messages. Returns true on success. */
export async function load(messages, link, observe) {
    const address = own(link.getAttribute("href"));
    if (!address || isBusy) return false;
    isBusy = true;
    try {
        const response = await fetch(address, { cache: "no-store" });
        if (!response.ok || response.redirected) throw new Error(`status ${response.status}`);
        add(messages, link, parse(await response.text()), observe);
        return true;
    } catch {
        // The link remains, so the next scroll tries again.
        await new Promise((resolve) => setTimeout(resolve, PAUSE));
        return false;
    } finally {
        isBusy = false;
    }
}

function add(messages, link, page, observe) {
    const isOlder = link.id === "older";
    const [first] = messages.all;
    const added = [...page.querySelectorAll("#messages > .message")].filter(({ id }) => !document.getElementById(id));
    if (isOlder) messages.list.prepend(...added);
    for (const message of added) {
        if (isOlder) messages.arrange(message);
        else messages.insert(message);
        observe(message);
    }
    if (isOlder && first) messages.arrange(first);
    const next = page.getElementById(link.id);
    const last = messages.all.findLast(({ dataset }) => dataset.seq);
    if (next) link.setAttribute("href", next.getAttribute("href"));
    else if (isOlder) link.parentElement.replaceWith(...page.querySelectorAll(".beginning"));
    // Messages that arrived during the request are newer than this page.
    else if (added.length && seqOf(last) < messages.newest) link.setAttribute("href", `${location.pathname}?after=${last.dataset.seq}`);
    else link.parentElement.remove();
    messages.settle();
}
