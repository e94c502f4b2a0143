import { clockText, dayText } from "./clock.js";

const WORDS = {
    "data-clock": clockText,
    "data-short": (time) => `${dayText(time)}, ${clockText(time)}`,
};

/** Times of the day in the reader's own zone. */
export class LocalTimes {
    start() {
        document.addEventListener("roost:morphed", this.#write);
        this.#write();
    }

    stop() {
        document.removeEventListener("roost:morphed", this.#write);
    }

    #write = () => {
        for (const [name, words] of Object.entries(WORDS)) {
            for (const time of document.querySelectorAll(`time[${name}]`)) {
                const text = words(Date.parse(time.dateTime));
                if (time.textContent !== text) time.textContent = text;
            }
        }
    };
}
