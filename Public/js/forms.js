import { isSignedOut, notice } from "./banner.js";
import { clock } from "./clock.js";
import { morph, morphParts, parse } from "./morph.js";

const AGAIN = 2_000; // milliseconds
const NEAR = 10; // pixels
const SILENT = "Roost does not answer. Nothing was changed; try again.";

/** A header for every request that changes something. */
export const token = () => (document.body.dataset.token ? { "X-Roost-Token": document.body.dataset.token } : {});

/**
 * Sends a form's fields and applies the response, either changed parts or the page, without scrolling. Returns true if
 * it was accepted.
 */
export async function post(action, fields) {
    let response;
    let page;
    try {
        const body = new URLSearchParams(fields);
        response = await fetch(action, { method: "POST", body, headers: { ...token(), "X-Roost-Parts": 1, Accept: "text/html" } });
        if (isSignedOut(response)) return false; // keep what was typed
        page = parse(await response.text());
    } catch {
        notice(SILENT);
        return false;
    }
    clock.sync(response);
    apply(response, page);
    return response.ok;
}

function apply(response, page) {
    const content = document.getElementById("content");
    const main = page.getElementById("content");
    if (response.headers.has("X-Roost-Parts")) {
        morphParts(content, page.body);
        // Without a row, the order or more than one row has changed.
        if (!page.querySelector("[data-key]")) {
            for (const list of content.querySelectorAll("[data-live]")) list.dispatchEvent(new Event("roost:refresh"));
        }
    } else if (main && !main.querySelector(".error-page") && new URL(response.url).pathname === location.pathname) {
        morph(content, main);
        if (response.redirected) history.replaceState(history.state, "", response.url);
    } else if (response.ok && response.redirected) {
        return location.assign(response.url);
    } else {
        return notice(main?.querySelector(".error-page h1 + p, .field-error")?.textContent ?? SILENT);
    }
    if (document.activeElement === document.body) {
        (document.querySelector("#notice button") ?? content).focus({ preventScroll: true });
    }
}

// No URL in a page's content is trusted: others may have written it.

/** URLs that scripts may send to; pages add theirs. No part of a path may be "." or "..", in any encoding. */
export const allowed = [
    /^\/(first-steps|displays\/(tile|list)|chat\/(tile|count)|(pulls|watchlist|coins|alerts|repositories|bookmarks|reading|gists)(\/(?!(\.|%2e){1,2}([/?]|$))[\w.~:%!'()*-]+)*(\?.*)?)$/i,
];

/** Returns the URL if scripts of this page may use it, else false. */
export const own = (address) => allowed.some((pattern) => pattern.test(address)) && address;

/** Returns the target of a form sent with this button, or false if it isn't one of ours. */
function target(form, button) {
    const path = button?.getAttribute("formaction");
    const act = button?.dataset.act ?? path?.split("/").pop();
    if (!path && act !== "snooze") return own(form.getAttribute("action"));
    // "~" marks what was put away.
    const key = button.closest("[data-key]")?.dataset.key.replace(/^~/, "");
    if (act === "seen") return "/bookmarks/bulk";
    if (act === "bookmark") return button.ariaPressed === "true" ? own(`/bookmarks/${button.value}/remove`) : "/bookmarks";
    if (/^(move|remove)$/.test(act)) return own(`/watchlist/${encodeURIComponent(key)}/${act}`);
    return /^(snooze|mute|done|restore)$/.test(act) && own(`/pulls/${key}/${act}`);
}

/** Sends inline forms without leaving the page, and only to allowed URLs. */
export class Forms {
    #last;

    start() {
        document.addEventListener("submit", this.#submit);
        document.addEventListener("click", this.#click, true);
    }

    /** Blocks a second click at the same place if a different row has moved there since the first. */
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
        const isInline = form.matches("[data-inline]");
        // Only buttons of inline forms have their own targets.
        if (!isInline && !submitter?.hasAttribute("formaction")) return;
        event.preventDefault();
        const { dataset } = submitter ?? form;
        if (dataset.busy) return;
        const address = isInline && target(form, submitter);
        if (!address) return notice("Nothing was sent.");
        dataset.busy = 1;
        const { action } = form;
        form.oninput = () => (form.oninput = null); // stays until something is typed
        if (await post(address, new FormData(form, submitter))) {
            // Not what was typed since or belongs to another row: it isn't saved yet.
            if (form.oninput && form.action === action) form.reset();
            // The next update of the region removes the errors.
            for (const field of form.elements) field.removeAttribute("aria-invalid");
        }
        delete dataset.busy;
    };
}
