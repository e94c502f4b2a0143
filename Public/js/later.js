/** What a list does with keys and touches comes with the first of them, until the signal: a page loads little. */
export function later(side, signal) {
    let keys = [];

    /** Whoever knows the keys is quicker than their script: what is pressed before it is here waits for it. */
    const key = async (event) => {
        if (event.key === "/" && event.target === document.body) event.preventDefault(); // Firefox finds with it
        if (keys.push(event) > 1) return;
        const script = await import("./rowkeys.js").catch(() => null);
        const pressed = keys;
        keys = [];
        if (!script) return;
        document.removeEventListener("keydown", key);
        script.start(pressed);
    };

    const touch = async (event) => (await import("./touch.js")).start(side, event);
    document.addEventListener("keydown", key, { signal });
    document.addEventListener("touchstart", touch, { once: true, passive: true, signal });
}
