/** What a list does with keys and touches comes with the first of them: a page loads little. */
export class Later {
    #side;
    #life = new AbortController();
    #keys = [];

    constructor(side) {
        this.#side = side;
    }

    start() {
        const { signal } = this.#life;
        document.addEventListener("keydown", this.#key, { signal });
        document.addEventListener("touchstart", this.#touch, { once: true, passive: true, signal });
    }

    stop() {
        this.#life.abort();
    }

    /** Whoever knows the keys is quicker than their script: what is pressed before it is here waits for it. */
    #key = async (event) => {
        if (event.key === "/" && event.target === document.body) event.preventDefault(); // Firefox finds with it
        if (this.#keys.push(event) > 1) return;
        const script = await import("./rowkeys.js").catch(() => null);
        const keys = this.#keys;
        this.#keys = [];
        if (!script) return;
        document.removeEventListener("keydown", this.#key);
        script.start(keys);
    };

    #touch = async (event) => (await import("./touch.js")).start(this.#side, event);
}
