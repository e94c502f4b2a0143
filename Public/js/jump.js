import { token } from "./forms.js";

const ACTS = ["wheel", "touchstart", "pointerdown", "keydown"];

/** Has Roost remember that a group of a list is folded, or is not; null opens it and goes to it. */
export function fold(list, group, isFolded) {
    const isChange = isFolded !== null || !group.open;
    if (isFolded === null) jump(group);
    if (!isChange) return;
    const body = new URLSearchParams({ list, group: group.dataset.group, collapsed: isFolded ?? false });
    // A convenience: where Roost does not answer, the group is folded here all the same.
    fetch("/repositories/collapse", { method: "POST", body, headers: token() }).catch(() => {});
}

/** Opens a group and goes to it; stays there, however the list grows above it, until the reader does something. */
function jump(group) {
    const life = new AbortController();
    const { signal } = life;
    const go = () => group.scrollIntoView();
    group.open = true;
    go();
    group.querySelector("summary").focus({ preventScroll: true });
    document.addEventListener("roost:morphed", go, { signal });
    for (const act of ACTS) addEventListener(act, () => life.abort(), { signal, passive: true });
}
