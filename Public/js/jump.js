const ACTS = ["wheel", "touchstart", "pointerdown", "keydown"];

/** Opens a group and goes to it; stays there, however the list grows above it, until the reader does something. */
export function jump(group) {
    const life = new AbortController();
    const { signal } = life;
    const go = () => group.scrollIntoView();
    group.open = true;
    go();
    group.querySelector("summary").focus({ preventScroll: true });
    document.addEventListener("roost:morphed", go, { signal });
    for (const act of ACTS) addEventListener(act, () => life.abort(), { signal, passive: true });
}
