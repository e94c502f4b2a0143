import { token } from "./forms.js";

const EVENTS = ["wheel", "touchstart", "pointerdown", "keydown"];

/** Saves in Roost whether a group of a list, or a section of "pulls", is folded; null unfolds it and scrolls to it. */
export function fold(list, group, isFolded) {
    const isChange = isFolded !== null || !group.open;
    if (isFolded === null) jump(group);
    if (!isChange || !group.dataset.group) return;
    const body = new URLSearchParams({ list, group: group.dataset.group, collapsed: isFolded ?? false });
    // Optional: without a response the group is still folded here.
    fetch(`/${list === "pulls" ? list : "repositories"}/collapse`, { method: "POST", body, headers: token() }).catch(() => {});
}

/** Unfolds a group and scrolls to it. Stays there while the list above grows, until the reader acts. */
function jump(group) {
    const life = new AbortController();
    const { signal } = life;
    const go = () => group.scrollIntoView();
    group.open = true;
    go();
    group.querySelector("summary").focus({ preventScroll: true });
    document.addEventListener("roost:morphed", go, { signal });
    for (const type of EVENTS) addEventListener(type, () => life.abort(), { signal, passive: true });
}
