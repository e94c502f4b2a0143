/** Turns the pages of the wall where the coins do not fit on one. */
export class Pager {
    #screen;
    #timer;
    #index = 0;

    constructor(screen) {
        this.#screen = screen;
    }

    start() {
        const shown = this.#pages().findIndex((page) => !page.hidden);
        this.#index = Math.max(shown, 0);
        document.addEventListener("roost:morphed", this.#show);
        this.#wait();
    }

    stop() {
        document.removeEventListener("roost:morphed", this.#show);
        clearTimeout(this.#timer);
    }

    #pages() {
        return [...this.#screen.querySelectorAll("[data-page]")];
    }

    #wait() {
        const seconds = Number(this.#screen.querySelector("[data-seconds]")?.dataset.seconds) || 15;
        this.#timer = setTimeout(() => {
            this.#index += 1;
            this.#show();
            this.#wait();
        }, seconds * 1_000);
    }

    #show = () => {
        const pages = this.#pages();
        if (this.#index >= pages.length) this.#index = 0;
        pages.forEach((page, index) => (page.hidden = index !== this.#index));
        [...this.#screen.querySelectorAll(".dots li")].forEach((dot, index) =>
            dot.classList.toggle("shown", index === this.#index));
    };
}
