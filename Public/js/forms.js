import { isSignedOut, notice } from "./banner.js";
import { clock } from "./clock.js";
import { morph, morphParts, parse } from "./morph.js";

const AGAIN = 2_000; // milliseconds
const NEAR = 10; // pixels
const SILENT = "Roost does not answer. Nothing was changed; try again in a moment.";

/** Goes with every request that changes something. */
export const token = () => (document.body.dataset.token ? { "X-Roost-Token": document.body.dataset.token } : {});

/**
 * Sends what a form would send and takes over what comes back, the parts that changed or the page, without losing the
 * place in it. True if it was accepted.
 */
export async function post(action, fields) {
    let response;
    let page;
    try {
        const body = new URLSearchParams(fields);
        response = await fetch(action, { method: "POST", body, headers: { ...token(), "X-Roost-Parts": 1, Accept: "text/html" } });
        if (isSignedOut(response)) return false; // what was typed stays
        page = parse(await response.text());
    } catch {
        notice(SILENT);
        return false;
    }
    clock.hear(response);
    take(response, page);
    return response.ok;
}

function take(response, page) {
    const content = document.getElementById("content");
    const address = new URL(response.url);
    const main = page.getElementById("content");
    if (response.headers.has("X-Roost-Parts")) {
        morphParts(content, page.body);
        // Without a row the order, or more than one row, has changed.
        if (!page.querySelector("[data-key]")) {
            for (const list of content.querySelectorAll("[data-live]")) list.dispatchEvent(new Event("roost:refresh"));
        }
    } else if (main && !main.querySelector(".error-page") && address.pathname === location.pathname) {
        morph(content, main);
        if (response.redirected) history.replaceState(history.state, "", address);
    } else if (response.ok && response.redirected) {
        return location.assign(address);
    } else {
        return notice(main?.querySelector(".error-page h1 + p, .field-error")?.textContent ?? SILENT);
    }
    if (document.activeElement === document.body) {
        (document.querySelector("#notice button") ?? content).focus({ preventScroll: true });
    }
}

// Strangers may have written what a page holds, so no address in it is trusted.

/**
 * What scripts send to: here what readers do all day, and a page adds what is its own. No part of a path is "." or
 * "..", however it is written.
 */
export const allowed = [
    /^\/(first-steps|displays\/(tile|list)|chat\/(tile|count)|(pulls|watchlist|coins|alerts|repositories|bookmarks|reading|gists)(\/(?!(\.|%2e){1,2}([/?]|$))[\w.~:%!'()*-]+)*(\?.*)?)$/i,
];

/** The address, if it is one that scripts of this page use; else false. */
export const own = (address) => allowed.some((pattern) => pattern.test(address)) && address;

/** Where a form leads that was sent with this button; false for a place that none of ours leads to. */
function target(form, button) {
    const wish = button?.getAttribute("formaction");
    const act = button?.dataset.act ?? wish?.split("/").pop();
    if (!wish && act !== "snooze") return own(form.getAttribute("action"));
    // A row's buttons are known by name: their own address is for browsers without scripts. "~" is what was put away.
    const key = button.closest("[data-key]")?.dataset.key.replace(/^~/, "");
    if (act === "seen") return "/bookmarks/bulk";
    if (act === "bookmark") return button.ariaPressed === "true" ? own(`/bookmarks/${button.value}/remove`) : "/bookmarks";
    if (/^(move|remove)$/.test(act)) return own(`/watchlist/${encodeURIComponent(key)}/${act}`);
    return /^(snooze|mute|done|restore)$/.test(act) && own(`/pulls/${key}/${act}`);
}

/** Sends the forms that say so without leaving the page, as long as it is open, and none to a place off the list. */
export class Forms {
    #last;

    start() {
        document.addEventListener("submit", this.#submit);
        document.addEventListener("click", this.#click, true);
    }

    /** A second click at the same place is not meant for the row that has come there since the first. */
    #click = (event) => {
        const { target, detail, clientX: x, clientY: y, timeStamp: time } = event;
        const row = target.closest("[data-key], .notice");
        const key = row && (row.dataset.key ?? "notice");
        const last = this.#last;
        if (detail && last && key !== last.key && time - last.time < AGAIN && Math.hypot(x - last.x, y - last.y) < NEAR) {
            event.preventDefault();
            event.stopImmediatePropagation();
        } else this.#last = { key, time, x, y };
    };

    #submit = async (event) => {
        const { target: form, submitter } = event;
        const isInline = form.matches("form[data-inline]");
        // Only the buttons of such forms lead elsewhere than their forms.
        if (!isInline && !submitter?.hasAttribute("formaction")) return;
        event.preventDefault();
        if (form.dataset.busy) return;
        const address = isInline && target(form, submitter);
        if (!address) return notice("Nothing was sent: this page does not write there.");
        form.dataset.busy = "true";
        if (await post(address, new FormData(form, submitter))) form.reset();
        delete form.dataset.busy;
    };
}
