import { isSignedOut, notice } from "./banner.js";
import { clock } from "./clock.js";
import { morph, parse } from "./morph.js";

const SILENT = "Roost does not answer. Nothing was changed; try again in a moment.";

/** Goes with every request that changes something. */
export const token = () => (document.body.dataset.token ? { "X-Roost-Token": document.body.dataset.token } : {});

/**
 * Sends what a form would send and takes over the page that comes back, without losing the place in it.
 * True if it was accepted.
 */
export async function post(action, fields) {
    let response;
    let page;
    try {
        const body = new URLSearchParams(fields);
        response = await fetch(action, { method: "POST", body, headers: { ...token(), Accept: "text/html" } });
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
    const address = new URL(response.url);
    const main = page.getElementById("content");
    if (main && !main.querySelector(".error-page") && address.pathname === location.pathname) {
        morph(document.getElementById("content"), main);
        if (response.redirected) history.replaceState(history.state, "", address);
        if (document.activeElement === document.body) {
            (document.querySelector("#notice button") ?? document.getElementById("content")).focus({ preventScroll: true });
        }
    } else if (response.ok && response.redirected) {
        location.assign(address);
    } else {
        notice(main?.querySelector(".error-page h1 + p")?.textContent ?? SILENT);
    }
}

/** Sends the forms that say so without leaving the page. */
export class Forms {
    start() {
        document.addEventListener("submit", this.#submit);
    }

    stop() {
        document.removeEventListener("submit", this.#submit);
    }

    #submit = async (event) => {
        const form = event.target;
        if (!form.matches("form[data-inline]")) return;
        event.preventDefault();
        if (form.dataset.busy) return;
        form.dataset.busy = "true";
        const fields = new FormData(form, event.submitter);
        const action = event.submitter?.getAttribute("formaction") ?? form.getAttribute("action");
        if (await post(action, fields)) form.reset();
        delete form.dataset.busy;
    };
}
