/** Switches between pages of a wall whose coins do not fit on one. ES2017 syntax, for walls. */
export class Pager {
    constructor(screen) {
        this._screen = screen;
        this._index = 0;
        this._show = this._show.bind(this);
    }

    start() {
        const shown = this._pages().findIndex((page) => !page.hidden);
        this._index = Math.max(shown, 0);
        document.addEventListener("roost:morphed", this._show);
        this._wait();
    }

    stop() {
        document.removeEventListener("roost:morphed", this._show);
        clearTimeout(this._timer);
    }

    _pages() {
        return [...this._screen.querySelectorAll("[data-page]")];
    }

    _wait() {
        const top = this._screen.querySelector("[data-seconds]");
        const seconds = (top && Number(top.dataset.seconds)) || 15;
        this._timer = setTimeout(() => {
            this._index += 1;
            this._show();
            this._wait();
        }, seconds * 1000);
    }

    _show() {
        const pages = this._pages();
        if (this._index >= pages.length) this._index = 0;
        pages.forEach((page, index) => (page.hidden = index !== this._index));
        [...this._screen.querySelectorAll(".dots li")].forEach((dot, index) =>
            dot.classList.toggle("shown", index === this._index));
    }
}
