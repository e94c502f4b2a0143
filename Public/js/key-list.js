import { make } from "./element.js";

const kbd = (key) => make("kbd", {}, key);

/** A list of keys, each with what it does. */
const list = (entries) => make("dl", { className: "keys" }, ...entries.map(([keys, purpose]) =>
    make("div", {}, make("dt", {}, ...keys.flatMap((key) => [kbd(key), " "])), make("dd", {}, purpose))));

/** The keys of a page without a list of its own. */
function pageKeys() {
    const entries = [[["j", "k"], "next and previous row"], [["o"], "open the row"], [["z"], "undo"]];
    if (document.querySelector("main [role=search]")) entries.push([["/"], "search"]);
    const close = make("form", { method: "dialog" }, make("button", { className: "button" }, "Close"));
    const dialog = make("dialog", { id: "keys", className: "panel key-panel", ariaLabel: "Keys" }, make("h2", {}, "Keys"), list(entries), close);
    dialog.dataset.owned = "";
    document.getElementById("content").append(dialog);
    return dialog;
}

/** The keys of the navigation, which work on every page. */
function globalKeys() {
    const places = [...document.querySelectorAll(".places [data-go]")];
    const entries = places.map((place) => [["g", place.dataset.go], place.querySelector("span").textContent]);
    return make("section", { className: "everywhere" }, make("h2", {}, "On every page"), list([...entries, [["Ctrl", "K"], "Search everything"], [["?"], "show these keys"]]));
}

/** Loads the styles once; without them the list is still readable. */
const styles = new Promise((done) => {
    const href = new URL("../css/keys.css", import.meta.url).href;
    document.head.append(make("link", { rel: "stylesheet", href, onload: done, onerror: done }));
});

/** Shows the keys of this page and of all pages. */
export async function show() {
    const dialog = document.getElementById("keys") ?? pageKeys();
    if (!dialog.querySelector(".everywhere")) dialog.querySelector("form").before(globalKeys());
    await styles;
    if (!dialog.open) dialog.showModal();
}
