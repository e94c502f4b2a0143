import { clockText, dayText, formats } from "./clock.js";
import { make } from "./element.js";

const [WIDTH, HEIGHT] = [640, 280]; // the units of the drawing
const STEPS = { ArrowLeft: -1, ArrowDown: -1, ArrowRight: 1, ArrowUp: 1, PageDown: -10, PageUp: 10, Home: -Infinity, End: Infinity };

/** "14 Nov"; the user's own format is in formats.js. */
const withoutYear = (time) => dayText(time).slice(0, -5);

/** Shows the price at a point of the chart, by pointer, touch or arrow keys. */
class CoinChart {
    #reader = make("div", { className: "chart-reader", tabIndex: 0, role: "slider", ariaLabel: "Price in the chart", ariaValueMin: "0" });
    #value = make("output", { className: "chart-value" });
    #life = new AbortController();
    #chart;
    #points;
    #at = -1;
    #isFocused = false;

    start() {
        const { signal } = this.#life;
        for (const part of [this.#reader, this.#value]) part.dataset.owned = "";
        for (const type of ["pointerdown", "pointermove"]) this.#reader.addEventListener(type, this.#point, { signal });
        for (const type of ["pointerleave", "pointercancel", "blur"]) this.#reader.addEventListener(type, this.#leave, { signal });
        this.#reader.addEventListener("focus", this.#enter, { signal });
        this.#reader.addEventListener("keydown", this.#key, { signal });
        document.addEventListener("roost:morphed", this.#attach, { signal });
        this.#attach();
    }

    stop() {
        this.#life.abort();
        this.#reader.remove();
        this.#value.remove();
    }

    #enter = () => {
        this.#isFocused = true;
        this.#show(this.#at < 0 ? Infinity : this.#at);
    };

    /** The server may have rendered the chart again, or for the first time. */
    #attach = () => {
        const isReading = this.#isFocused && document.activeElement === document.body;
        this.#chart = document.querySelector("[data-chart]");
        if (!this.#chart) return;
        if (this.#reader.parentElement !== this.#chart) this.#chart.append(this.#reader, this.#value);
        if (isReading) this.#reader.focus({ preventScroll: true });
        this.#points = this.#chart.dataset.chart.split("|").map((text) => {
            const [seconds, ...price] = text.split(" ");
            return { time: seconds * 1_000, price: price.join(" ") };
        });
        this.#reader.ariaValueMax = String(this.#points.length - 1);
        for (const text of this.#chart.querySelectorAll("[data-time]")) this.#localize(text);
        if (this.#at >= 0) this.#show(this.#at);
        else this.#reader.ariaValueNow ??= this.#reader.ariaValueMax;
    };

    /** Converts a label of the axis to the reader's time zone, without years. */
    #localize(text) {
        const time = text.dataset.time * 1_000;
        text.textContent = text.textContent.includes(":") ? clockText(time)
            : (formats.short ?? withoutYear)(time);
    }

    #point = ({ clientX }) => {
        const { left, width } = this.#reader.getBoundingClientRect();
        const x = ((clientX - left) / width) * WIDTH;
        const coordinates = this.#coordinates;
        let nearest = 0;
        for (let at = 1; at < coordinates.length; at += 1) {
            if (Math.abs(coordinates[at].x - x) < Math.abs(coordinates[nearest].x - x)) nearest = at;
        }
        this.#show(nearest);
    };

    #key = (event) => {
        const step = STEPS[event.key];
        if (!step || event.altKey || event.ctrlKey || event.metaKey) return;
        event.preventDefault();
        this.#show(this.#at + step);
    };

    /** Keyboard users keep the value when the pointer leaves. After a touch the value stays. */
    #leave = ({ type, pointerType }) => {
        if (type !== "blur" && pointerType === "touch") return;
        // A redraw may take the focus and return it at once.
        setTimeout(() => document.activeElement === this.#reader || this.#clear());
    };

    #clear() {
        this.#isFocused = false;
        this.#at = -1;
        this.#value.textContent = "";
        this.#reader.classList.remove("reading");
    }

    get #coordinates() {
        return [...this.#chart.querySelector("polyline").points];
    }

    #show(index) {
        const at = Math.max(0, Math.min(index, this.#points.length - 1));
        const position = this.#coordinates[at];
        const { time, price } = this.#points[at];
        const moment = "daily" in this.#chart.dataset ? dayText(time) : `${dayText(time)}, ${clockText(time)}`;
        this.#at = at;
        this.#reader.classList.add("reading");
        this.#reader.ariaValueNow = String(at);
        this.#reader.ariaValueText = `${price}, ${moment}`;
        for (const part of [this.#reader, this.#value]) {
            part.style.setProperty("--x", `${(position.x / WIDTH) * 100}%`);
            part.style.setProperty("--y", `${(position.y / HEIGHT) * 100}%`);
        }
        this.#value.replaceChildren(make("b", { textContent: price }), moment);
    }
}

new CoinChart().start();
