import { make } from "./element.js";

const WHY = {
    insecure: "Reading offline needs HTTPS, unless the browser is on the server itself.",
    missing: "This browser can’t store pages for reading offline. Private windows often can’t.",
    refused: "This browser refused to store pages for reading offline.",
};

/** An element with the age of a time, which relative-time.js writes. */
function age(at) {
    const time = make("time", { dateTime: at, textContent: "…" });
    time.dataset.age = "";
    return time;
}

const waiting = make("section", { className: "waiting-saves panel", hidden: true, ariaLabel: "Waiting to be sent" });
let send;

function button(type, id, text) {
    const button = make("button", { type: "button", className: "subtle" }, text);
    Object.assign(button.dataset, { wish: type, save: id });
    return button;
}

function row({ id, at, url, title, why }) {
    const text = why ? `Not saved: ${why}` : "Saved on this device. It will be sent when Roost answers.";
    const row = make("li", {},
        make("span", { className: "name", dir: "auto" }, title || url),
        make("span", { className: why ? "field-error" : "facts" }, text, " ", age(new Date(at).toISOString())));
    if (why) row.append(button("retry", id, "Try again"));
    row.append(button("discard", id, "Discard"));
    return row;
}

function text({ why, at, articles }) {
    if (why) return [WHY[why]];
    if (!at) return ["Nothing is stored on this device yet."];
    return [`On this device: your gists and unread articles (${articles}), as of `, age(at), "."];
}

/** Shows what is cached and how old it is, or why nothing can be, and which saves wait. */
export function show(state, sendToWorker) {
    send = sendToWorker;
    document.getElementById("offline-state")?.replaceChildren(...text(state));
    if (!waiting.isConnected) document.querySelector("[data-reading] .live, .offline-part")?.before(waiting);
    const saves = state.saves ?? [];
    waiting.hidden = !saves.length;
    const list = make("ul", { role: "list" }, ...saves.map(row));
    waiting.replaceChildren(make("h2", {}, "Waiting to be sent"), list);
}

waiting.dataset.owned = "";
waiting.addEventListener("click", ({ target }) => {
    const { wish, save } = target.closest("button")?.dataset ?? {};
    if (wish) send({ type: wish, id: +save });
});

/** A cached page says how old it is. */
const { kept } = document.body.dataset;
if (kept) {
    const line = make("p", { className: "kept-copy", role: "status" }, "Offline copy, saved ", age(kept), ".");
    line.dataset.owned = "";
    document.getElementById("floating").after(line);
    document.documentElement.classList.add("offline-copy");
}
